// SPDX-License-Identifier: Apache-2.0
// `stcsim completion SHELL` and `stcsim man`: made of the command line itself.
#pragma once

#include <string>

#include "sim/base/command_line.h"

namespace stc::sim {

struct CompletionCommand {
  std::string shell;
};

Command add_completion_command(CommandLine& line, CompletionCommand& command);
int completion(const CompletionCommand& command, const CommandLine& line);

Command add_man_command(CommandLine& line);
int man(const CommandLine& line);

}  // namespace stc::sim
