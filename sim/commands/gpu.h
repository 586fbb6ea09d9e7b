// SPDX-License-Identifier: Apache-2.0
// `stcsim gpu FILE`: every parameter of a GPU with value, unit, meaning and evidence.
#pragma once

#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct GpuCommand {
  std::string file;
  std::vector<std::string> sets;
  std::string json_file;  ///< empty: text; "-": standard output in its place
};

Command add_gpu_command(CommandLine& line, GpuCommand& command);
int describe_gpu(const GpuCommand& command);

}  // namespace stc::sim
