// SPDX-License-Identifier: Apache-2.0
// `stcsim inspect FILE.cubin`: what is in a cubin: kernels, resources, instructions, control codes.
#pragma once

#include <string>

#include "sim/base/command_line.h"

namespace stc::sim {

struct InspectOptions {
  std::string file;
  std::string kernel;    ///< empty: all
  bool listing = false;  ///< disassembly with control codes
  bool json = false;
  std::string profile;  ///< file; empty: none
};

Command add_inspect_command(CommandLine& line, InspectOptions& options);

/// Prints to standard output; returns the exit code. Throws UserError for a file or kernel that cannot be used, also
/// after printing, when an instruction is unknown.
int inspect(const InspectOptions& options);

}  // namespace stc::sim
