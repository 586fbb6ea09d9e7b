// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/launch_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/launch/data_file.h"

namespace stc::sim {
namespace {

std::string size_text(const isa::Dim3& size) { return fmt::format("[{}, {}, {}]", size.x, size.y, size.z); }

/// As YAML takes it: names of variables may be anything that a compiler makes, those of files and buffers anything.
std::string quoted(const std::string& name) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (std::all_of(name.begin(), name.end(), plain)) return name;
  std::string text = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text + '"';
}

}  // namespace

void require_no_launches(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool is_process = name.rfind(kProcessFolder, 0) == 0;
    if (!is_process && !(is_number && fs::exists(entry.path() / "run.yaml", error))) continue;
    throw UserError(
        fmt::format("{}: holds launches of an earlier capture ({}); remove them or name another folder", folder, name));
  }
}

LaunchWriter::LaunchWriter(const std::string& folder, std::uint64_t number)
    : folder_(folder), run_file_(fmt::format("{}/{:03}/run.yaml", folder, number)) {}

std::string LaunchWriter::hash_of(const Bytes& bytes) { return content_hash(bytes.data(), bytes.size()); }

std::string LaunchWriter::store(const Bytes& bytes, const std::string& hash, bool packed) {
  const std::string name = fmt::format("data/{}-{}.bin{}", hash, bytes.size(), packed ? ".zst" : "");
  const std::string path = folder_ + "/" + name;
  if (!std::filesystem::exists(path) && stored_.insert(path).second) {
    outputs_.add(path, packed ? compressed(bytes) : bytes);
  }
  return "../" + name;
}

std::string LaunchWriter::fill_of(const Bytes& bytes, const std::string& hash) {
  const auto differs = [&](std::uint8_t byte) { return byte != bytes.front(); };
  if (bytes.empty() || std::any_of(bytes.begin(), bytes.end(), differs)) {
    return fmt::format("{{file: {}}}", store(bytes, hash, bytes.size() >= kWorthCompressing));
  }
  if (bytes.front() == 0) return "zero";
  return fmt::format("{{constant: {{type: u8, value: {}}}}}", bytes.front());
}

void LaunchWriter::set_kernel(const std::string& gpu_file, const Bytes& cubin, const std::string& symbol,
                              const Shape& shape) {
  kernel_ =
      fmt::format("gpu: {}\nlaunch:\n  module: {}\n  kernel: {}\n  grid: {}\n  block: {}\n  dynamic_shared_bytes: {}\n",
                  quoted(std::filesystem::absolute(gpu_file).string()), store(cubin, hash_of(cubin), false),
                  quoted(symbol), size_text(shape.grid), size_text(shape.block), shape.dynamic_shared_bytes);
  if (shape.cooperative) kernel_ += "  cooperative: true\n";
  if (shape.cluster) kernel_ += fmt::format("  cluster: {}\n", size_text(*shape.cluster));
  if (shape.non_portable_cluster) kernel_ += "  non_portable_cluster: true\n";
}

void LaunchWriter::add_buffer(const std::string& name, std::uint64_t address, const Bytes& contents, DataRole role) {
  const std::string& hash = hashes_[name] = hash_of(contents);
  const std::string of_role = role == DataRole::kOther ? "" : fmt::format(", role: {}", name_of(role));
  buffers_ += fmt::format("    {}: {{address: {:#x}, bytes: {}, fill: {}{}}}\n", quoted(name), address, contents.size(),
                          fill_of(contents, hash), of_role);
}

void LaunchWriter::add_symbol(const std::string& name, const Bytes& contents) {
  symbols_ += fmt::format("    {}: {{fill: {}}}\n", quoted(name), fill_of(contents, hash_of(contents)));
}

void LaunchWriter::add_argument(const std::uint8_t* bytes, std::size_t count) {
  arguments_ += "    - {hex: \"";
  for (std::size_t i = 0; i < count; ++i) arguments_ += fmt::format("{:02x}", bytes[i]);
  arguments_ += "\"}\n";
}

void LaunchWriter::set_limits(std::uint64_t stack_bytes, std::uint64_t heap_bytes) {
  options_ = fmt::format("options:\n  stack_bytes: {}\n  malloc_heap_bytes: {}\n", stack_bytes, heap_bytes);
}

void LaunchWriter::add_option(const std::string& key, const std::string& value) {
  options_ += fmt::format("{}  {}: {}\n", options_.empty() ? "options:\n" : "", key, value);
}

void LaunchWriter::expect(const std::string& name, const Bytes& contents, const std::string& hash) {
  expectations_ += fmt::format("    - {{buffer: {}, file: {}}}\n", quoted(name),
                               store(contents, hash, contents.size() >= kWorthCompressing));
}

void LaunchWriter::expect_if_changed(const std::string& buffer, const Bytes& contents) {
  const std::string hash = hash_of(contents);
  if (hashes_.at(buffer) != hash) expect(buffer, contents, hash);
}

void LaunchWriter::commit() {
  OutputFiles outputs;
  finish(outputs);
  outputs.commit();
}

void LaunchWriter::finish(OutputFiles& outputs) {
  const auto section = [](const char* key, const std::string& lines) {
    return lines.empty() ? "" : fmt::format("  {}:\n{}", key, lines);
  };
  outputs_.add_text(run_file_, kernel_ + section("buffers", buffers_) + section("symbols", symbols_) +
                                   (arguments_.empty() ? "  args: []\n" : section("args", arguments_)) +
                                   section("expect", expectations_) + options_);
  outputs.add_all(std::move(outputs_));
}

}  // namespace stc::sim
