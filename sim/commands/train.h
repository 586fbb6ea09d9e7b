// SPDX-License-Identifier: Apache-2.0
// `stcsim train`: does 2:4 pay for training a linear layer or an MLP?
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct TrainCommand {
  std::string file;
  std::vector<std::string> sets;
  int jobs = 0;  ///< 0: one per processor
  std::string json_file, html_file;
};

Command add_train_command(CommandLine& line, TrainCommand& command);
int train(const TrainCommand& command);

}  // namespace stc::sim
