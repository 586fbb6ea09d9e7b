// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sim/base/data_folder.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/config/config_node.h"
#include "sim/launch/config_values.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargest = 1 << 30;

void read_pattern(const ConfigNode& node, LibraryKernel& kernel) {
  const std::string text = node.text();
  if (text == "dense") return;
  const std::vector<std::string> parts = split(text, ':');
  const auto stored = parse_integer(parts[0]);
  const auto group = parts.size() == 2 ? parse_integer(parts[1]) : std::nullopt;
  if (!stored || !group || *stored < 1 || *group <= *stored || *group > 32) {
    node.fail(fmt::format("must be 'dense' or N:M, but is '{}'", text));
  }
  kernel.stored = static_cast<int>(*stored);
  kernel.group = static_cast<int>(*group);
}

LibraryKernel read_kernel(const ConfigNode& node) {
  node.allow_keys({"name", "symbol", "element", "accumulator", "pattern", "tile", "warp_tile", "warpgroup_tile",
                   "cluster", "stages", "threads", "dynamic_shared_bytes", "raster_group", "arguments", "metadata_k",
                   "registers", "cubins"});
  LibraryKernel kernel;
  kernel.name = node.at("name").text();
  kernel.symbol = node.at("symbol").text();
  kernel.element = read_element_type(node.at("element"));
  kernel.accumulator = read_element_type(node.at("accumulator"));
  read_pattern(node.at("pattern"), kernel);
  const std::vector<int> tile = read_tile_sizes(node.at("tile"), 3);
  kernel.tile_m = tile[0];
  kernel.tile_n = tile[1];
  kernel.tile_k = tile[2];
  if (const auto cluster = node.find("cluster")) kernel.cluster = static_cast<int>(cluster->integer(1, 8));
  const std::vector<int> warp = read_tile_sizes(node.at(kernel.cluster != 0 ? "warpgroup_tile" : "warp_tile"), 2);
  kernel.warp_m = warp[0];
  kernel.warp_n = warp[1];
  kernel.stages = static_cast<int>(node.at("stages").integer(1, 64));
  kernel.threads = static_cast<std::uint32_t>(node.at("threads").integer(32, 1024));
  kernel.dynamic_shared_bytes = static_cast<std::uint32_t>(node.at("dynamic_shared_bytes").integer(0, kLargest));
  if (kernel.sparse()) kernel.metadata_k = static_cast<int>(node.at("metadata_k").integer(1, 4096));
  for (const ConfigNode& name : node.at("arguments").elements()) {
    kernel.arguments.push_back(name.one_of({"A", "E", "B", "D", "m", "n", "k", "map_A", "map_B"}));
  }
  for (const auto& [sm, cubin] : node.at("cubins").items()) {
    const auto version = sm.rfind("sm_", 0) == 0 ? parse_integer(sm.substr(3)) : std::nullopt;
    if (!version) cubin.fail("must be named sm_NN");
    kernel.cubins[static_cast<int>(*version)] = cubin.file_path();
  }
  return kernel;
}

}  // namespace

sparsity::Pattern LibraryKernel::pattern() const {
  if (spec) return spec->pattern;
  sparsity::Pattern pattern;
  pattern.n = stored;
  pattern.m = group;
  return pattern;
}

std::string LibraryKernel::pattern_name() const { return sparse() ? pattern().name() : "dense"; }

Manifest Manifest::load(const std::string& folder) {
  Manifest manifest;
  manifest.file = resolve_path(folder, "manifest.yaml");
  const ConfigNode root = ConfigNode::load(manifest.file);
  root.allow_keys({"compiler", "flags", "kernels"});
  manifest.compiler = root.at("compiler").text();
  for (const ConfigNode& kernel : root.at("kernels").elements()) manifest.kernels.push_back(read_kernel(kernel));
  return manifest;
}

void Manifest::add_patterns(const std::string& folder) {
  const ConfigNode root = ConfigNode::load(resolve_path(folder, "patterns.yaml"));
  root.allow_keys({"compiler", "flags", "kernels"});
  for (const ConfigNode& kernel : root.at("kernels").elements()) {
    kernels.push_back(read_kernel(kernel));
    kernels.back().what_if = true;
  }
}

const LibraryKernel* Manifest::find(const std::string& name) const {
  const LibraryKernel* first = nullptr;
  for (const LibraryKernel& kernel : kernels) {
    if (kernel.name == name) return &kernel;
    if (first == nullptr && kernel.name.rfind(name + "_", 0) == 0) first = &kernel;
  }
  return first;
}

const LibraryKernel* Manifest::dense_twin(const LibraryKernel& kernel) const {
  const auto twin = std::find_if(kernels.begin(), kernels.end(), [&](const LibraryKernel& other) {
    return !other.sparse() && other.element == kernel.element && other.accumulator == kernel.accumulator &&
           other.tile_m == kernel.tile_m && other.tile_n == kernel.tile_n && other.tile_k == kernel.tile_k &&
           other.warp_m == kernel.warp_m && other.warp_n == kernel.warp_n && other.stages == kernel.stages &&
           other.cluster == kernel.cluster;
  });
  return twin == kernels.end() ? nullptr : &*twin;
}

std::vector<std::string> Manifest::names() const {
  std::vector<std::string> result;
  for (const LibraryKernel& kernel : kernels) result.push_back(kernel.name);
  return result;
}

std::string default_kernels_folder() {
  const char* folder = std::getenv("STC_KERNELS");
  return folder != nullptr && *folder != '\0' ? folder : data_folder() + "/traces/kernels";
}

}  // namespace stc::sim
