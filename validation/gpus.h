// SPDX-License-Identifier: Apache-2.0
// The GPUs of configs/gpus for tests: no test makes up a machine of its own, it changes what a file says.
#pragma once

#include <string>

#include "models/gpu/gpu_params.h"

namespace stc::validation {

/// By the name of its file: "a100". Read once.
const gpu::GpuParams& gpu_named(const std::string& name);
/// One of the instruction set: 80, 90.
const gpu::GpuParams& gpu_of(int sm_version);

inline const gpu::GpuParams& a100() { return gpu_named("a100"); }
inline const gpu::GpuParams& h200() { return gpu_named("h200"); }

}  // namespace stc::validation
