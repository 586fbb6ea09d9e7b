// SPDX-License-Identifier: Apache-2.0
// `stcsim run FILE`: one run file through the simulated machine.
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct RunCommand {
  std::string file;
  std::vector<std::string> sets;  ///< key=value
  std::string dense_file;         ///< run file of the dense kernel; empty: none
  bool why = false;               ///< also with limits of the GPU lifted
  std::string out_folder;         ///< empty: no folder
  std::string json_file;          ///< empty: none; "-": standard output instead of the table
  std::string profile_file;       ///< empty: none
  std::string timeline_file;      ///< empty: none
  std::string timeline_window;    ///< "FIRST-LAST" in cycles; empty: all
  std::string timeline_sms;       ///< "0,4-7"; empty: SM 0
  std::string keep_folder;        ///< empty: the launch is not kept
  std::string html_file;          ///< empty: no page
  int threads = 0;                ///< 0: one per processor
};

/// Declares the subcommand's options; they land in `command`.
Command add_run_command(CommandLine& line, RunCommand& command);

/// Returns the exit code; throws UserError, isa::SimulatedFault or gpu::Deadlock before anything was written.
int run(const RunCommand& command);

}  // namespace stc::sim
