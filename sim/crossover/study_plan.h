// SPDX-License-Identifier: Apache-2.0
// From a study to the runs that answer it: one for every GPU, shape, density and kernel that fits. Kernels whose time
// does not depend on the zeros (dense, 2:4) run once a shape. What is wrong with a study shows here, before anything
// runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/crossover/spmm_library.h"
#include "sim/crossover/study.h"
#include "sim/launch/gemm_workload.h"

namespace stc::sim {

/// How long does this contender take, for this shape at this density, on this GPU? Answered by the best of its kernels.
struct StudyCase {
  std::size_t gpu = 0, shape = 0, contender = 0;
  double density = 1;  ///< 2:4 and dense: without meaning
  std::vector<std::size_t> points;
};

/// One run.
struct StudyPoint {
  std::size_t gpu = 0, shape = 0;
  double density = 1;
  int m = 0, n = 0, k = 0;          ///< what is computed, padding included
  std::optional<GemmProblem> gemm;  ///< a GEMM of the library, or
  SpmmKernel spmm;                  ///< a kernel of the family spmm
  std::string name;                 ///< "A100 256 x 2048 x 2048 density 0.5 spmm_csr_f32_64"
  std::string key;                  ///< hash of all that the result depends on, this program included
  double host_bytes = 0;            ///< memory that the run takes here
  double cost = 0;                  ///< estimate of the work to simulate it, in any unit

  const std::string& kernel() const { return gemm ? gemm->kernel.name : spmm.name; }
};

struct StudyPlan {
  Study study;
  std::vector<StudyCase> cases;
  std::vector<StudyPoint> points;
};

/// UserError when a shape fits no kernel of a contender.
StudyPlan plan_study(Study study);

/// UserError unless the `jobs` largest points fit into this computer's memory together.
void require_memory_for(const StudyPlan& plan, int jobs);

}  // namespace stc::sim
