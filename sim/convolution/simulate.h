// SPDX-License-Identifier: Apache-2.0
// Times of convolution kernels on a simulated GPU, addresses only: which weights are kept changes no address.
#pragma once

#include <string>

#include "sim/config/gpu_config.h"
#include "sim/convolution/problem.h"
#include "sim/result/run_result.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// `step` stands before its progress: ReadyLaunch::step.
LaunchResult simulate_convolution(const ConvolutionLayer& layer, const ConvolutionKernel& kernel, const GpuConfig& gpu,
                                  gpu::Machine& machine, bool warm_l2, const std::string& step = "");

/// The one of `kernels` (at least one) that takes the fewest elapsed cycles, by simulating all of them; of equal ones
/// the first.
const ConvolutionKernel& fastest_kernel(const std::vector<ConvolutionKernel>& kernels, const ConvolutionLayer& layer,
                                        const GpuConfig& gpu, gpu::Machine& machine, bool warm_l2);

}  // namespace stc::sim
