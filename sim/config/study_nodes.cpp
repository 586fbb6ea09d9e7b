// SPDX-License-Identifier: Apache-2.0
#include "sim/config/study_nodes.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace stc::sim {

std::vector<std::pair<std::string, ConfigNode>> named_entries(const ConfigNode& parent, const char* key) {
  const ConfigNode node = parent.at(key);
  auto entries = node.items();
  if (entries.empty()) node.fail("is empty");
  return entries;
}

std::vector<ConfigNode> filled_list(const ConfigNode& node) {
  std::vector<ConfigNode> elements = node.elements();
  if (elements.empty()) node.fail("is empty");
  return elements;
}

GpuVariant read_gpu_variant(const std::string& name, const ConfigNode& node) {
  node.allow_keys({"file", "set"});
  GpuVariant gpu;
  gpu.name = name;
  gpu.place = node.place();
  if (const auto set = node.find("set")) {
    for (const auto& [key, value] : set->items()) gpu.changes.push_back({key, value.text()});
  }
  try {
    gpu.config = read_gpu_config(node.at("file").file_path(), gpu.changes);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: GPU '{}': {}", node.place(), name, error.what()));
  }
  return gpu;
}

}  // namespace stc::sim
