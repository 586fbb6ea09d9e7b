// SPDX-License-Identifier: Apache-2.0
// Runs training steps on a simulated GPU, launch after launch on one memory.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/training/training_check.h"
#include "sim/training/training_step.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// What one launch cost.
struct LaunchCost {
  std::string title, kernel;
  StepLaunch::Part part = StepLaunch::Part::kForward;
  std::uint64_t cycles = 0;  ///< with launch overhead
  double time_us = 0;
  double sustained_us = 0;  ///< such launches behind each other under the board's power limit; NaN: not known
  double operations = 0;    ///< dense-equivalent
  double tensor_busy = 0;   ///< fraction of all cycles
  std::uint64_t l2_bytes = 0, dram_bytes = 0;
  std::string bound;
  bool checked = false;
  TrainingCheck check;

  double tflops() const { return time_us > 0 ? operations / time_us * 1e-6 : 0; }
};

struct StepCost {
  std::vector<LaunchCost> launches;
  double time_us() const;
  double time_us(StepLaunch::Part part) const;
  /// Sum of the launches' times under the power limit; NaN when that of one is not known.
  double sustained_us() const;
  /// "title: what is wrong" of the first launch whose check failed.
  std::string failure() const;

  std::string text() const;  ///< JSON, to be handed from process to process
  static StepCost from_text(const std::string& text);
};

/// Host memory that the step's buffers take. Bytes.
double host_bytes(const TrainingStep& step);

/// UserError when the launch cannot run on this GPU.
void require_runnable(const StepLaunch& launch, const GpuConfig& gpu);

/// The first launch finds caches cold, each later one as the one before left them.
StepCost run_step(const TrainingStep& step, const TrainingPlan& plan, const RunOptions& options, const GpuConfig& gpu,
                  gpu::Machine& machine);

}  // namespace stc::sim
