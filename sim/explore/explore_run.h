// SPDX-License-Identifier: Apache-2.0
// Computes the points of a sweep that the journal does not have yet, on all workers, and gathers all results.
#pragma once

#include "sim/base/crew.h"
#include "sim/explore/journal.h"
#include "sim/explore/sweep_plan.h"
#include "sim/result/run_points.h"

namespace stc::sim {

using SweepResults = PointResults<PointResult>;

/// What a worker does: the number of a point in, its PointResult as JSON out.
WorkerPool::Work point_worker(const SweepPlan& plan);

SweepResults run_sweep(const SweepPlan& plan, Journal& journal, Crew& crew);

}  // namespace stc::sim
