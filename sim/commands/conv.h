// SPDX-License-Identifier: Apache-2.0
// `stcsim conv FILE`: for which layers of a network does 2:4 pay?
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct ConvCommand {
  std::string file;
  std::vector<std::string> sets;  ///< key=value of the file
  std::string json_file, html_file;
  int jobs = 0;  ///< worker processes; 0: one per processor
};

Command add_conv_command(CommandLine& line, ConvCommand& command);
int conv(const ConvCommand& command);

}  // namespace stc::sim
