// SPDX-License-Identifier: Apache-2.0
// Runs a run file in this process, as `stcsim run` does, with options and a GPU of the test's choice.
#pragma once

#include <string>

#include "models/gpu/machine/machine.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/gemm_workload.h"
#include "sim/run/run_launch.h"

namespace stc::timing {

/// validation/timing/runs/NAME.yaml
inline std::string run_named(const std::string& name) { return "validation/timing/runs/" + name + ".yaml"; }

/// The launch of a run file, for a `gpu`.
inline sim::ReadyLaunch ready_for(const sim::RunFile& run_file, const sim::GpuConfig& gpu) {
  sim::PreparedLaunch prepared;
  if (run_file.is_gemm()) {
    const auto& plan = std::get<sim::GemmPlan>(run_file.work);
    const sim::GemmProblem problem = sim::resolve_gemm(plan, sim::Manifest::load(plan.kernels_folder));
    prepared = sim::prepare_gemm(problem, gpu.params.sm_version, nullptr);
  } else {
    prepared = sim::prepare_launch(std::get<sim::LaunchPlan>(run_file.work));
  }
  return sim::make_ready(std::move(prepared), gpu);
}

/// `run_file.gpu_file` is not read: `machine` it is that runs, which is a `gpu`. Dependences are checked. `memory`
/// holds the buffers afterwards.
inline gpu::RunStatistics run(const sim::RunFile& run_file, const sim::GpuConfig& gpu, gpu::Machine& machine,
                              isa::GlobalMemory& memory) {
  sim::ReadyLaunch ready = ready_for(run_file, gpu);
  sim::RunOptions options = run_file.options;
  options.check_dependences = true;
  return sim::run_launch(ready, machine, options, memory).run;
}

inline gpu::RunStatistics run(const sim::RunFile& run_file, const sim::GpuConfig& gpu, gpu::Machine& machine) {
  isa::GlobalMemory memory;
  return run(run_file, gpu, machine, memory);
}

}  // namespace stc::timing
