// SPDX-License-Identifier: Apache-2.0
// Simulates points of a sweep, in this process.
#pragma once

#include <memory>
#include <vector>

#include "sim/explore/point_result.h"
#include "sim/explore/sweep_plan.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// The GPUs of a sweep, in its order. To be built before the first of them runs.
class SweepMachines {
 public:
  explicit SweepMachines(const Sweep& sweep);
  ~SweepMachines();
  gpu::Machine& operator[](std::size_t gpu) { return *machines_[gpu]; }

 private:
  std::vector<std::unique_ptr<gpu::Machine>> machines_;
};

/// What a sweep keeps of a launch.
PointResult summary_of(const LaunchResult& launch, const gpu::GpuParams& gpu);

/// Faults, deadlocks and refusals of the simulated program are results, not exceptions.
PointResult run_point(const SweepPlan& plan, std::size_t point, SweepMachines& machines);

}  // namespace stc::sim
