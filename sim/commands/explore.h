// SPDX-License-Identifier: Apache-2.0
// `stcsim explore SWEEP`: what other patterns, feeds and tiles would cost and bring.
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct ExploreCommand {
  std::string file;
  std::vector<std::string> sets;  ///< key=value of the sweep file
  std::string out_folder;         ///< empty: the sweep's name in the working folder
  int jobs = 0;                   ///< worker processes; 0: one per processor, under MPI one per rank
  bool fresh = false;             ///< forget earlier results
  bool dry_run = false;           ///< check and list the points only
};

Command add_explore_command(CommandLine& line, ExploreCommand& command);
int explore(const ExploreCommand& command);

}  // namespace stc::sim
