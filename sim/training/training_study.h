// SPDX-License-Identifier: Apache-2.0
// All steps that a training file asks for, side by side in processes, and the report that they make.
#pragma once

#include <stdexcept>
#include <string>

#include "sim/config/gpu_config.h"
#include "sim/training/training_report.h"

namespace stc::sim {

/// A fault of the simulated program, or a simulator that died, in one of the processes.
struct StudyFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Every layer at every number of tokens, dense and 2:4, and pruning alone by every choice of masks; at most `workers`
/// processes. UserError for what is wrong with file or GPU.
TrainingReport run_study(const TrainingFile& file, const GpuConfig& gpu, int workers);

}  // namespace stc::sim
