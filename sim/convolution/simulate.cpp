// SPDX-License-Identifier: Apache-2.0
#include "sim/convolution/simulate.h"

#include <fmt/format.h>

#include "sim/run/run_launch.h"

namespace stc::sim {

LaunchResult simulate_convolution(const ConvolutionLayer& layer, const ConvolutionKernel& kernel, const GpuConfig& gpu,
                                  gpu::Machine& machine, bool warm_l2, const std::string& step) {
  ConvolutionProblem problem;
  problem.kernel = kernel;
  problem.layer = layer;
  PreparedLaunch prepared = prepare_convolution(problem, gpu.params.sm_version, nullptr);
  const std::string& place = layer.place;
  prepared.places = {place, place, place, place, place, place, place};
  ReadyLaunch ready = make_ready(std::move(prepared), gpu, kernel.name());
  ready.step = step;
  RunOptions options;
  options.full_values = false;
  options.warm_l2 = warm_l2;
  isa::GlobalMemory memory;
  LaunchResult result = run_launch(ready, machine, options, memory);
  result.gemm = problem.as_gemm();
  return result;
}

const ConvolutionKernel& fastest_kernel(const std::vector<ConvolutionKernel>& kernels, const ConvolutionLayer& layer,
                                        const GpuConfig& gpu, gpu::Machine& machine, bool warm_l2) {
  std::size_t best = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string step = fmt::format("trying kernel {}/{}", i + 1, kernels.size());
    const std::uint64_t cycles =
        simulate_convolution(layer, kernels[i], gpu, machine, warm_l2, step).run.cycles_elapsed;
    if (cycles >= least) continue;
    best = i;
    least = cycles;
  }
  return kernels.at(best);
}

}  // namespace stc::sim
