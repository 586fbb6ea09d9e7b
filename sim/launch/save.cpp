// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/save.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/launch/config_values.h"
#include "sim/launch/data_file.h"
#include "sim/launch/npy_file.h"

namespace stc::sim {
namespace {

bool is_numpy(const Save& save) { return std::filesystem::path(save.file).extension() == ".npy"; }

Save read_save(const std::string& buffer, const ConfigNode& node) {
  Save save;
  save.buffer = buffer;
  save.place = node.where();
  const ConfigNode file = node.is_scalar() ? node : node.at("file");
  save.file = file.text();
  save.folder = file.overridden() ? "." : folder_of(node.file());
  if (save.file.empty()) file.fail("must be a file name, but is empty");
  if (node.is_scalar()) {
    if (is_numpy(save)) node.fail(fmt::format("needs a type: {{file: {}, type: f32, shape: [64, 128]}}", save.file));
    return save;
  }
  node.allow_keys({"file", "type", "shape"});
  if (!is_numpy(save)) node.fail("has a type and a shape, which files of NumPy (.npy) have alone");
  const ConfigNode type = node.at("type");
  save.type = read_element_type(type);
  if (!numpy_has(*save.type)) {
    type.fail(fmt::format("is {}, which NumPy does not have; save raw bytes, or as u8 or u16", type.text()));
  }
  if (const auto shape = node.find("shape")) {
    for (const ConfigNode& size : shape->elements()) {
      save.shape.push_back(static_cast<std::uint64_t>(size.integer(1, kMostBytes)));
    }
  }
  return save;
}

}  // namespace

std::vector<Save> read_saves(const ConfigNode& node, const std::vector<std::string>& buffers) {
  std::vector<Save> saves;
  for (const auto& [buffer, value] : node.items()) {
    if (std::find(buffers.begin(), buffers.end(), buffer) == buffers.end()) {
      value.fail(unknown_word("buffer", buffer, buffers));
    }
    const Save save = read_save(buffer, value);
    const auto same = [&](const Save& other) { return other.file == save.file; };
    if (std::any_of(saves.begin(), saves.end(), same)) value.fail("is the file of another buffer already");
    saves.push_back(save);
  }
  return saves;
}

void require_savable(const Save& save, std::uint64_t buffer_bytes) {
  if (!save.type) return;
  const auto width = static_cast<std::uint64_t>(bytes_of(*save.type));
  const std::uint64_t count = std::accumulate(
      save.shape.begin(), save.shape.end(), std::uint64_t{1},
      [](std::uint64_t a, std::uint64_t b) { return b != 0 && a > kMostBytes / b ? kMostBytes + 1ULL : a * b; });
  if (save.shape.empty() ? buffer_bytes % width == 0 : count * width == buffer_bytes) return;
  throw UserError(fmt::format("{}: a shape of [{}] and type {} is {} bytes, but buffer '{}' has {}", save.place,
                              fmt::join(save.shape, ", "), name_of(*save.type), count * width, save.buffer,
                              buffer_bytes));
}

std::vector<std::uint8_t> saved_bytes(const Save& save, const isa::BufferBytes& contents) {
  std::vector<std::uint8_t> bytes = contents.to_vector();
  if (std::filesystem::path(save.file).extension() == ".zst") return compressed(bytes);
  if (!save.type) return bytes;
  const std::vector<std::uint64_t> line = {contents.size() / static_cast<std::size_t>(bytes_of(*save.type))};
  return numpy_file(*save.type, save.shape.empty() ? line : save.shape, bytes);
}

}  // namespace stc::sim
