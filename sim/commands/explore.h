// SPDX-License-Identifier: Apache-2.0
// `stcsim explore SWEEP`: what other patterns, feeds and tiles would cost and bring.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stc::sim {

struct ExploreCommand {
  std::string file;
  std::vector<std::string> sets;  ///< key=value of the sweep file
  std::string out_folder;         ///< empty: the sweep's name in the working folder
  int jobs = 0;                   ///< worker processes; 0: one per processor, under MPI one per rank
  bool fresh = false;             ///< forget earlier results
  bool dry_run = false;           ///< check and list the points only
};

CLI::App* add_explore_command(CLI::App& app, ExploreCommand& command);
int explore(const ExploreCommand& command);

}  // namespace stc::sim
