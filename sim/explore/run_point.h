// SPDX-License-Identifier: Apache-2.0
// Simulates one point of a sweep, in this process.
#pragma once

#include "sim/explore/point_result.h"
#include "sim/explore/sweep_plan.h"

namespace stc::sim {

/// Faults, deadlocks and refusals of the simulated program are results, not exceptions.
PointResult run_point(const SweepPlan& plan, std::size_t point);

}  // namespace stc::sim
