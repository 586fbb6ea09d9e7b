// SPDX-License-Identifier: Apache-2.0
// What the commands that run many points and keep them in a folder have in common: explore and crossover.
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct SweepCommand {
  std::string file;
  std::vector<std::string> sets;  ///< key=value of the file
  std::string out_folder;         ///< empty: the file's name in the working folder
  int jobs = 0;                   ///< worker processes; 0: one per processor, under MPI one per rank
  bool fresh = false;             ///< forget earlier results
  bool dry_run = false;           ///< check and list the points only
};

/// How a command calls its file and its folder.
struct SweepWords {
  const char* kind;     ///< sweep
  const char* folder;   ///< of examples: configs/sweeps
  const char* command;  ///< explore: the results' folder ends so
  const char* jobs;     ///< what holds where --jobs is not given
};

void add_sweep_options(Command& command, SweepCommand& options, const SweepWords& words);

/// UserError for an option that has no meaning beside --dry-run.
void require_meaning(const SweepCommand& command);

/// The folder of the results, made, with these files writable in it; UserError otherwise.
std::string made_results_folder(const SweepCommand& command, const SweepWords& words,
                                const std::vector<std::string>& outputs);

}  // namespace stc::sim
