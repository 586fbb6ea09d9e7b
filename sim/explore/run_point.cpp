// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/run_point.h"

#include <stdexcept>

#include "sim/run/run_launch.h"

namespace stc::sim {

PointResult summary_of(const LaunchResult& launch, const gpu::GpuParams& gpu) {
  PointResult result;
  result.cycles = launch.run.cycles;
  result.cycles_elapsed = launch.run.cycles_elapsed;
  result.time_us = launch.run.time_us();
  result.warp_instructions = launch.run.total.warp_instructions;
  result.tensor_instructions = launch.run.total.tensor_instructions;
  result.tensor_busy = tensor_busy_fraction(launch.run, gpu);
  result.ctas_per_sm = launch.run.ctas_per_sm;
  result.registers = launch.registers;
  result.shared_bytes = launch.static_shared_bytes + launch.dynamic_shared_bytes;
  const auto levels = levels_of(launch.run);
  for (std::size_t i = 0; i < levels.size(); ++i) result.bytes[i] = *levels[i].bytes;
  result.bound = launch.bound.by;
  result.explanation = launch.bound.explanation;
  result.utilisation = launch.bound.utilisation;
  result.wall_s = launch.wall_s;
  return result;
}

PointResult run_point(const SweepPlan& plan, std::size_t index, WorkerMachines& machines) {
  const SweepPoint& point = plan.points[index];
  const std::size_t number = plan.sweep.cases[point.of_case].gpu;
  const GpuConfig& gpu = plan.sweep.gpus[number].config;
  RunOptions options;
  options.full_values = false;  // which weights are kept changes no address and no cycle
  options.warm_l2 = plan.sweep.warm_l2;
  try {
    ReadyLaunch ready =
        make_ready(prepare_gemm(point.problem, gpu.params.sm_version, nullptr), gpu, point.problem.kernel.name);
    isa::GlobalMemory memory;
    return summary_of(run_launch(ready, machines[number], options, memory), gpu.params);
  } catch (const std::exception& error) {
    return PointResult::failed(error.what());
  }
}

}  // namespace stc::sim
