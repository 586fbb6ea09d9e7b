// SPDX-License-Identifier: Apache-2.0
// `stcsim train`: does 2:4 pay for training a linear layer or an MLP?
#pragma once

#include "sim/commands/study_outputs.h"

namespace stc::sim {

Command add_train_command(CommandLine& line, StudyCommand& command);
int train(const StudyCommand& command);

}  // namespace stc::sim
