// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "sim/base/error.h"
#include "sim/jobs/run_jobs.h"
#include "sim/launch/gemm_check.h"
#include "sim/launch/manifest.h"
#include "sim/run/best_kernel.h"

namespace stc::sim {
namespace {

/// Kernels to compare with.
struct DenseKernels {
  std::optional<LibraryKernel> dense, same_tile;
};

std::vector<KernelEstimate> rank(const GemmPlan& plan, const std::string& pattern, const RunFile& run_file,
                                 BestKernel& best) {
  const auto size = [](std::int64_t value) { return static_cast<int>(value); };
  return best.rank(
      {plan.type.value(), pattern, size(plan.m), size(plan.n), size(plan.k), run_file.options.warm_l2, plan.place});
}

/// The dense twin, or the fastest dense kernel with the twin beside it where the run file asks for the best.
DenseKernels dense_kernels(const RunFile& run_file, const GemmPlan& plan, const LibraryKernel& kernel,
                           const Manifest& manifest, BestKernel& best, Jobs& jobs) {
  if (!run_file.options.compare_dense) return {};
  const std::optional<LibraryKernel> twin = kernel.sparse() ? dense_twin(kernel, manifest) : std::nullopt;
  if (!twin) {
    throw UserError(fmt::format("{}: compare_dense: kernel {} {}", run_file.file, kernel.name,
                                kernel.sparse() ? "has no dense twin in the library" : "is dense itself"));
  }
  if (!plan.best) return {twin, std::nullopt};
  jobs.dense_candidates = rank(plan, "dense", run_file, best);
  const LibraryKernel* const fastest = manifest.find(jobs.dense_candidates.front().kernel);
  if (fastest->name == twin->name) return {twin, std::nullopt};
  return {*fastest, twin};
}

}  // namespace

Jobs prepare_gemm_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine) {
  auto plan = std::get<GemmPlan>(run_file.work);
  const Manifest manifest = Manifest::load(plan.kernels_folder);
  BestKernel best(gpu, manifest, machine);
  Jobs jobs;
  if (plan.best) {
    jobs.candidates = rank(plan, plan.pattern, run_file, best);
    plan.kernel = jobs.candidates.front().kernel;
  }
  const GemmProblem problem = resolve_gemm(plan, manifest);
  const DenseKernels compared = dense_kernels(run_file, plan, problem.kernel, manifest, best, jobs);
  for (const Save& save : run_file.saves) {
    if (save.buffer == "E" && !problem.kernel.sparse()) {
      throw UserError(fmt::format("{}: workload.save: a dense kernel has no buffer 'E'", run_file.file));
    }
  }
  const bool full = run_file.options.full_values;
  // All launches are prepared before the first one runs.
  double others = 0;
  for (const auto& other : {compared.dense, compared.same_tile}) {
    if (other) others += host_bytes(with_kernel(problem, *other), false);
  }
  require_host_memory(host_bytes(problem, full) + others,
                      fmt::format("{}: m = {}, n = {}, k = {}", plan.place, problem.m, problem.n, problem.k));
  const auto ready = [&](const GemmProblem& of, const GemmMatrices* matrices) {
    PreparedLaunch prepared = prepare_gemm(of, gpu.params.sm_version, matrices);
    const std::string& place = plan.place;  // all that the launch demands comes from the kernel
    prepared.places = {place, place, place, place, place, place, place};
    return make_ready(std::move(prepared), gpu, of.kernel.name);
  };
  std::shared_ptr<GemmMatrices> matrices;
  const auto make = [&](const GemmProblem& of, ReadyLaunch launch) {
    Job job{{}, std::move(launch), of, {}, {}};
    if (run_file.options.check) {
      job.check = [of, matrices, numerics = gpu.params.numerics](const isa::BufferBytes& d) {
        return check_gemm(of, numerics, *matrices, d);
      };
    }
    return job;
  };
  ReadyLaunch main = ready(problem, nullptr);  // whatever is wrong with it shows before the long work
  if (full) {
    main = {};
    matrices = std::make_shared<GemmMatrices>(make_matrices(problem));
    main = ready(problem, matrices.get());
  }
  jobs.main = make(problem, std::move(main));
  const auto make_other = [&](const GemmProblem& of) { return make(of, ready(of, matrices.get())); };
  if (compared.dense) jobs.dense = make_other(with_kernel(problem, *compared.dense));
  if (compared.same_tile) jobs.same_tile = make_other(with_kernel(problem, *compared.same_tile));
  return jobs;
}

}  // namespace stc::sim
