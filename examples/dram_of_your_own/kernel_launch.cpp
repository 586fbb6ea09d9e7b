// SPDX-License-Identifier: Apache-2.0
#include "kernel_launch.h"

#include <stdexcept>
#include <utility>

#include "sim/launch/prepared_launch.h"
#include "traces/cubin/cubin.h"

namespace {

stc::isa::Kernel find_kernel(const stc::sim::PreparedLaunch& prepared) {
  for (const stc::isa::Kernel& kernel : stc::cubin::read_cubin(prepared.module)) {
    if (prepared.kernel.empty() || kernel.name == prepared.kernel) return kernel;
  }
  throw std::runtime_error(prepared.module + ": no kernel " + prepared.kernel);
}

}  // namespace

KernelLaunch::KernelLaunch(const std::string& run_file) {
  const stc::sim::RunFile run = stc::sim::read_run_file(run_file);
  if (run.is_gemm()) throw std::runtime_error(run_file + ": this example needs the `launch:` form");
  gpu = stc::sim::read_gpu_config(run.gpu_file, run.gpu_overrides);
  stc::sim::PreparedLaunch prepared = stc::sim::prepare_launch(std::get<stc::sim::LaunchPlan>(run.work));
  kernel = find_kernel(prepared);
  for (stc::sim::PreparedBuffer& buffer : prepared.buffers) {
    memory.allocate(buffer.name, std::move(buffer.data), buffer.role);
  }
  launch.kernel = &kernel;
  launch.grid = prepared.grid;
  launch.block = prepared.block;
  launch.dynamic_shared_bytes = prepared.dynamic_shared_bytes;
  launch.parameters = stc::sim::pack_arguments(prepared.arguments, kernel.parameters, kernel.name,
                                               [this](const std::string& name) { return memory.find(name)->address; });
  launch.memory = &memory;
  launch.options.values = run.options.full_values ? stc::isa::Values::kFull : stc::isa::Values::kAddresses;
  launch.options.l2 = run.options.warm_l2 ? stc::gpu::L2State::kWarm : stc::gpu::L2State::kCold;
}
