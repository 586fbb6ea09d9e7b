// SPDX-License-Identifier: Apache-2.0
// `stcsim crossover STUDY`: from which density on does an unstructured format pay?
#pragma once

#include "sim/commands/sweep_command.h"

namespace stc::sim {

Command add_crossover_command(CommandLine& line, SweepCommand& command);
int crossover(const SweepCommand& command);

}  // namespace stc::sim
