// SPDX-License-Identifier: Apache-2.0
// Parts that the files of sweeps and of studies share: lists that must name something, and named variants of a GPU.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/config/gpu_config.h"

namespace stc::sim {

/// The entries of `key`, a map; UserError when it is missing or has none.
std::vector<std::pair<std::string, ConfigNode>> named_entries(const ConfigNode& parent, const char* key);

/// The elements of a list; UserError when it has none.
std::vector<ConfigNode> filled_list(const ConfigNode& node);

/// `NAME: {file: a100.yaml, set: {...}}`: a GPU file and what is changed in it. Errors say which GPU.
struct GpuVariant {
  std::string name;
  std::string place;
  GpuConfig config;
  std::vector<Override> changes;
};
GpuVariant read_gpu_variant(const std::string& name, const ConfigNode& node);

}  // namespace stc::sim
