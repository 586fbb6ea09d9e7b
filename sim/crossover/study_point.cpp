// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/study_point.h"

#include <stdexcept>

#include "sim/crossover/spmm_check.h"
#include "sim/explore/run_point.h"
#include "sim/formats/make_sparse.h"
#include "sim/formats/matrix_market.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

RunOptions options_of(const Study& study) {
  RunOptions options;
  options.full_values = study.full_values;
  options.warm_l2 = study.warm_l2;
  return options;
}

StudyResult run_gemm(const Study& study, const StudyPoint& point, gpu::Machine& machine) {
  const GpuConfig& gpu = study.gpus[point.gpu].config;
  const int sm = gpu.params.sm_version;
  std::optional<GemmMatrices> matrices;
  if (study.full_values) matrices = make_matrices(*point.gemm);
  PreparedLaunch prepared = prepare_gemm(*point.gemm, sm, matrices ? &*matrices : nullptr);
  StudyResult result;
  result.storage = storage_of(prepared);
  ReadyLaunch ready = make_ready(std::move(prepared), gpu, point.kernel());
  isa::GlobalMemory memory;
  result.run = summary_of(run_launch(ready, machine, options_of(study), memory), gpu.params);
  if (matrices) {
    const GemmCheck check = check_gemm(*point.gemm, gpu.params.numerics, *matrices, memory.find("D")->data);
    if (!check.passed)
      result.wrong = check.first_mismatch.empty() ? "differs from the reference" : check.first_mismatch;
  }
  return result;
}

StudyResult run_spmm(const Study& study, const StudyPoint& point, gpu::Machine& machine) {
  const GpuConfig& gpu = study.gpus[point.gpu].config;
  StudyShape of_matrix = study.shapes[point.shape];
  if (point.spmm.format == SpmmFormat::kSgemm) {
    // Dense, and grown to whole tiles: nothing of a file matters.
    of_matrix = {};
    of_matrix.m = point.m;
    of_matrix.k = point.k;
  }
  const bool drawn = of_matrix.weights.empty() && of_matrix.matrix.empty();
  if (point.spmm.format == SpmmFormat::kCsc && drawn) {  // the sparse matrix is on the right
    of_matrix.m = point.k;
    of_matrix.k = point.n;
  }
  const SpmmOperands operands = spmm_operands(point.spmm, matrix_of(study, of_matrix, point.density), drawn, point.m,
                                              point.n, point.k, study.seed);
  const int parts = parts_of_k(point.spmm, point.m, point.n, point.k, gpu.params.sms);
  PreparedLaunch prepared = prepare_spmm(point.spmm, operands, gpu.params.sm_version, parts);
  StudyResult result;
  result.storage = storage_of(prepared);
  ReadyLaunch ready = make_ready(std::move(prepared), gpu, point.kernel());
  isa::GlobalMemory memory;
  result.run = summary_of(run_launch(ready, machine, options_of(study), memory), gpu.params);
  if (study.full_values) result.wrong = spmm_difference(operands, memory.find("D")->data);
  return result;
}

}  // namespace

SparseMatrix matrix_of(const Study& study, const StudyShape& shape, double density) {
  if (!shape.matrix.empty()) return read_matrix_market(shape.matrix);
  if (!shape.weights.empty()) return prune_unstructured(read_npy(shape.weights), density);
  return random_sparse(shape.m, shape.k, density, study.seed);
}

StudyResult run_study_point(const StudyPlan& plan, std::size_t index, WorkerMachines& machines) {
  const StudyPoint& point = plan.points[index];
  try {
    gpu::Machine& machine = machines[point.gpu];
    return point.gemm ? run_gemm(plan.study, point, machine) : run_spmm(plan.study, point, machine);
  } catch (const std::exception& error) {
    return StudyResult::failed(error.what());
  }
}

}  // namespace stc::sim
