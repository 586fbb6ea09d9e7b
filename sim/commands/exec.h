// SPDX-License-Identifier: Apache-2.0
// `stcsim exec -- PROGRAM ARGUMENTS`: a CUDA program as it is, on the simulated GPU.
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct ExecCommand {
  std::vector<std::string> program;  ///< with its arguments
  std::string gpu_file;
  std::vector<std::string> sets;  ///< key=value of the GPU file
  std::string timed;              ///< "3,7-9"; empty: all
  std::string html_file;          ///< empty: no page
  std::string json_file;
  std::string capture_folder;
  std::string profile_file;
  bool cold = false;
  int threads = 0;
};

Command add_exec_command(CommandLine& line, ExecCommand& command);
/// The program's own exit code.
int exec(const ExecCommand& command);

}  // namespace stc::sim
