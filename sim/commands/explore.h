// SPDX-License-Identifier: Apache-2.0
// `stcsim explore SWEEP`: what other patterns, feeds and tiles would cost and bring.
#pragma once

#include "sim/commands/sweep_command.h"

namespace stc::sim {

Command add_explore_command(CommandLine& line, SweepCommand& command);
int explore(const SweepCommand& command);

}  // namespace stc::sim
