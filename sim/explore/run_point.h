// SPDX-License-Identifier: Apache-2.0
// Simulates points of a sweep, in this process.
#pragma once

#include "sim/explore/point_result.h"
#include "sim/explore/sweep_plan.h"
#include "sim/run/worker_machines.h"

namespace stc::sim {

/// What a sweep keeps of a launch.
PointResult summary_of(const LaunchResult& launch, const gpu::GpuParams& gpu);

/// On the `machines` of the sweep's GPUs. Faults, deadlocks and refusals of the simulated program are results, not
/// exceptions.
PointResult run_point(const SweepPlan& plan, std::size_t point, WorkerMachines& machines);

}  // namespace stc::sim
