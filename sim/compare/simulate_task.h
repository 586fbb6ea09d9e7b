// SPDX-License-Identifier: Apache-2.0
// Runs one task on the simulated GPU, in this process, and says what came out or why nothing did.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/compare/compare_point.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/manifest.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

struct TaskResult {
  std::string failure;   ///< empty: the simulation ended well
  bool crashed = false;  ///< the simulator itself died; worth another try
  MetricValues metrics;
  MetricValues stalls;    ///< warp-cycles by name of the stall
  std::string bound;      ///< what limits the run
  double operations = 0;  ///< micro: measured operations of one warp
  double wall_s = 0;

  nlohmann::ordered_json json() const;
  static TaskResult from_json(const nlohmann::ordered_json& json);
};

struct TaskContext {
  const GpuConfig& gpu;
  const Manifest& manifest;
  std::string micro_folder;
};

/// Runs the task on `machine`, which is a context.gpu. Never throws for a fault, deadlock or refusal of the simulated
/// program: those are results.
TaskResult simulate_task(const SimulationTask& task, const TaskContext& context, gpu::Machine& machine);

}  // namespace stc::sim
