// SPDX-License-Identifier: Apache-2.0
// Reads a GPU description. Each number of the file is stated with its unit and its evidence:
//
//   shared_memory:
//     banks: {value: 32, unit: banks, evidence: "published: CUDA programming guide, compute capability 8.x"}
//
// and `base: other.yaml` takes over all entries of another file, of which this one replaces some. Keys, units, ranges
// and meanings come from GpuParams::describe; a key that is missing, unknown or in the wrong unit is an error.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/core/parameter.h"
#include "models/gpu/gpu_params.h"
#include "sim/config/config_node.h"

namespace stc::sim {

struct GpuConfig {
  gpu::GpuParams params;
  std::string file;
  std::map<std::string, std::string> evidence;  ///< by parameter path
  std::string hash;                             ///< of all values; equal values, equal hash
};

/// Overrides are paths inside the GPU file ("shared_memory.banks") with a bare value; their evidence is "command line".
GpuConfig read_gpu_config(const std::string& file, const std::vector<Override>& overrides = {});

/// Every parameter with value, unit, meaning and evidence, as a table for people.
std::string describe_gpu(GpuConfig config);

/// "32", "1410", "true": as it would stand in the file.
std::string value_text(const Parameter::Target& target);

}  // namespace stc::sim
