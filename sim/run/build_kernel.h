// SPDX-License-Identifier: Apache-2.0
// From a GEMM's description to the kernel that a certain GPU is to run.
#pragma once

#include <string>

#include "models/gpu/gpu_params.h"
#include "models/isa/state/kernel.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::sim {

/// The same kernel with control codes for matrix instructions as this GPU times them.
gemm::GemmSpec scheduled_for(gemm::GemmSpec spec, const gpu::GpuParams& gpu);

/// Builds it; std::invalid_argument like gemm::geometry().
isa::Kernel build_kernel(const gemm::GemmSpec& spec, const gpu::GpuParams& gpu);

/// Hash of the listing, control codes included: what a cubin's bytes are to a compiled kernel.
std::string hash_of(const isa::Kernel& kernel);

}  // namespace stc::sim
