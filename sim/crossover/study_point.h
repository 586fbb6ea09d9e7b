// SPDX-License-Identifier: Apache-2.0
// Simulates points of a study, in this process.
#pragma once

#include "sim/crossover/study_run.h"
#include "sim/run/worker_machines.h"

namespace stc::sim {

/// A of a shape at a density.
SparseMatrix matrix_of(const Study& study, const StudyShape& shape, double density);

/// On the `machines` of the study's GPUs. Faults, deadlocks and refusals of the simulated program are results, not
/// exceptions.
StudyResult run_study_point(const StudyPlan& plan, std::size_t point, WorkerMachines& machines);

}  // namespace stc::sim
