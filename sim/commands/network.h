// SPDX-License-Identifier: Apache-2.0
// `stcsim network`: what 2:4 weights bring a whole network.
#pragma once

#include "sim/commands/study_outputs.h"

namespace stc::sim {

Command add_network_command(CommandLine& line, StudyCommand& command);

/// Returns the exit code.
int network(const StudyCommand& command);

}  // namespace stc::sim
