// SPDX-License-Identifier: Apache-2.0
#include "validation/timing/gemm/gemm_run.h"

#include <stdexcept>

#include "sim/launch/gemm_workload.h"

namespace stc::timing {

sim::GpuConfig gpu_of(const GemmRun& request) {
  sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/" + request.gpu + ".yaml");
  if (request.sms != 0) gpu.params.sms = request.sms;
  return gpu;
}

GemmOutcome run_gemm(const GemmRun& request) {
  gpu::Machine machine("gpu", gpu_of(request).params);
  return run_gemm(request, machine);
}

GemmOutcome run_gemm(const GemmRun& request, gpu::Machine& machine) {
  const sim::GpuConfig gpu = gpu_of(request);
  sim::GemmPlan plan = request.plan;
  plan.input = sim::GemmPlan::Input::kIntegers;
  const sim::GemmProblem problem = sim::resolve_gemm(plan, sim::Manifest::load("traces/kernels"));
  sim::GemmMatrices matrices;
  if (request.values) matrices = sim::make_matrices(problem);
  sim::ReadyLaunch ready =
      sim::make_ready(sim::prepare_gemm(problem, gpu.params.sm_version, request.values ? &matrices : nullptr), gpu);
  sim::RunOptions options;
  options.full_values = request.values;
  options.warm_l2 = request.warm_l2;
  options.check_dependences = true;
  isa::GlobalMemory memory;
  GemmOutcome outcome;
  outcome.run = sim::run_launch(ready, machine, options, memory).run;
  if (request.values) outcome.check = sim::check_gemm(problem, gpu.params.numerics, matrices, memory.find("D")->data);
  return outcome;
}

gemm::GemmSpec spec_of_compiled(const std::string& name) {
  const sim::Manifest manifest = sim::Manifest::load("traces/kernels");
  const sim::LibraryKernel* kernel = manifest.find(name);
  if (kernel == nullptr) throw std::invalid_argument("no kernel " + name);
  gemm::GemmSpec spec;
  for (const auto type : {isa::NumberFormat::bf16, isa::NumberFormat::tf32, isa::NumberFormat::s8}) {
    if (name.rfind(isa::name_of(type), 0) == 0) spec.type = type;
  }
  spec.pattern = kernel->pattern();
  spec.tile_m = kernel->tile_m;
  spec.tile_n = kernel->tile_n;
  spec.tile_k = kernel->tile_k;
  spec.warp_m = kernel->warp_m;
  spec.warp_n = kernel->warp_n;
  spec.stages = kernel->stages;
  return spec;
}

}  // namespace stc::timing
