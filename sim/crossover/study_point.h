// SPDX-License-Identifier: Apache-2.0
// Simulates points of a study, in this process.
#pragma once

#include <memory>
#include <vector>

#include "sim/crossover/study_run.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// The GPUs of a study, in its order. To be built before the first of them runs.
class StudyMachines {
 public:
  explicit StudyMachines(const Study& study);
  ~StudyMachines();
  gpu::Machine& operator[](std::size_t gpu) { return *machines_[gpu]; }

 private:
  std::vector<std::unique_ptr<gpu::Machine>> machines_;
};

/// A of a shape at a density.
SparseMatrix matrix_of(const Study& study, const StudyShape& shape, double density);

/// Faults, deadlocks and refusals of the simulated program are results, not exceptions.
StudyResult run_study_point(const StudyPlan& plan, std::size_t point, StudyMachines& machines);

}  // namespace stc::sim
