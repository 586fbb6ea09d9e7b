// SPDX-License-Identifier: Apache-2.0
// What programs are told of the simulated GPU.
#pragma once

#include "models/gpu/gpu_params.h"
#include "sim/remote/requests.h"

namespace stc::sim {

/// Memory is what this computer has: no GPU file states a size, and no program can be given more.
remote::DeviceFacts device_facts(const gpu::GpuParams& gpu);

}  // namespace stc::sim
