// SPDX-License-Identifier: Apache-2.0
// `stcsim crossover STUDY`: from which density on does an unstructured format pay?
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct CrossoverCommand {
  std::string file;
  std::vector<std::string> sets;  ///< key=value of the study file
  std::string out_folder;         ///< empty: the study's name in the working folder
  int jobs = 0;                   ///< worker processes; 0: one per processor
  bool fresh = false;             ///< forget earlier results
  bool dry_run = false;           ///< check and list the points only
};

Command add_crossover_command(CommandLine& line, CrossoverCommand& command);
int crossover(const CrossoverCommand& command);

}  // namespace stc::sim
