// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "sim/base/error.h"
#include "sim/convolution/check.h"
#include "sim/convolution/simulate.h"
#include "sim/jobs/run_jobs.h"

namespace stc::sim {
namespace {

ConvolutionKernel kernel_of(const ConvolutionPlan& plan, const ConvolutionLibrary& library, const GpuConfig& gpu,
                            gpu::Machine& machine, bool warm_l2) {
  if (plan.kernel != "best") return library.find(plan.kernel, plan.place);
  const ElementType type = element_type_of(plan.type).value();
  return fastest_kernel(library.fitting(plan.layer, type, plan.sparse), plan.layer, gpu, machine, warm_l2);
}

void require_sparse(const RunFile& run_file, const ConvolutionKernel& kernel) {
  if (kernel.sparse()) return;
  if (run_file.options.compare_dense) {
    throw UserError(fmt::format("{}: compare_dense: kernel {} is dense itself", run_file.file, kernel.name()));
  }
  for (const Save& save : run_file.saves) {
    if (save.buffer != "E") continue;
    throw UserError(fmt::format("{}: workload.save: a dense kernel has no buffer 'E'", run_file.file));
  }
}

}  // namespace

Jobs prepare_convolution_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine) {
  const auto& plan = std::get<ConvolutionPlan>(run_file.work);
  const ConvolutionLibrary library = ConvolutionLibrary::load(plan.kernels_folder);
  const ConvolutionKernel kernel = kernel_of(plan, library, gpu, machine, run_file.options.warm_l2);
  const ConvolutionProblem problem = resolve_convolution(plan, kernel);
  require_sparse(run_file, kernel);
  const bool full = run_file.options.full_values;
  const bool twin = run_file.options.compare_dense;
  // Both launches are prepared before the first one runs.
  require_host_memory(host_bytes(problem, full) * (twin ? 2 : 1),
                      fmt::format("{}: {}", plan.layer.place, plan.layer.text()));
  std::shared_ptr<ConvolutionTensors> tensors;
  if (full) tensors = std::make_shared<ConvolutionTensors>(make_tensors(problem));
  const auto make = [&](const ConvolutionProblem& of) {
    PreparedLaunch prepared = prepare_convolution(of, gpu.params.sm_version, tensors.get());
    const std::string& place = plan.place;  // all that the launch demands comes from the kernel
    prepared.places = {place, place, place, place, place, place, place};
    Job job{{}, make_ready(std::move(prepared), gpu, of.kernel.name()), of.as_gemm(), {}, {}};
    if (run_file.options.check) {
      job.check = [of, tensors, numerics = gpu.params.numerics](const isa::BufferBytes& d) {
        return check_convolution(of, numerics, *tensors, d);
      };
    }
    return job;
  };
  Jobs jobs;
  jobs.main = make(problem);
  if (twin) jobs.dense = make(with_kernel(problem, library.dense_twin(kernel)));
  return jobs;
}

}  // namespace stc::sim
