// SPDX-License-Identifier: Apache-2.0
#include "validation/gpus.h"

#include <map>

#include "sim/config/gpu_config.h"

namespace stc::validation {

const gpu::GpuParams& gpu_named(const std::string& name) {
  static std::map<std::string, gpu::GpuParams> read;
  const auto found = read.find(name);
  if (found != read.end()) return found->second;
  return read[name] = sim::read_gpu_config("configs/gpus/" + name + ".yaml").params;
}

const gpu::GpuParams& gpu_of(int sm_version) { return gpu_named(sm_version == a100().sm_version ? "a100" : "h200"); }

}  // namespace stc::validation
