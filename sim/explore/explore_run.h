// SPDX-License-Identifier: Apache-2.0
// Computes the points of a sweep that the journal does not have yet, on all workers, and gathers all results.
#pragma once

#include <vector>

#include "sim/base/crew.h"
#include "sim/explore/journal.h"
#include "sim/explore/sweep_plan.h"

namespace stc::sim {

struct SweepResults {
  std::vector<PointResult> points;  ///< in the order of the plan
  std::size_t reused = 0;           ///< taken from the journal
};

/// What a worker does: the number of a point in, its PointResult as JSON out.
WorkerPool::Work point_worker(const SweepPlan& plan);

/// A point whose worker dies is tried once more.
SweepResults run_sweep(const SweepPlan& plan, Journal& journal, Crew& crew);

}  // namespace stc::sim
