// SPDX-License-Identifier: Apache-2.0
// `stcsim conv FILE`: for which layers of a network does 2:4 pay?
#pragma once

#include "sim/commands/study_outputs.h"

namespace stc::sim {

Command add_conv_command(CommandLine& line, StudyCommand& command);
int conv(const StudyCommand& command);

}  // namespace stc::sim
