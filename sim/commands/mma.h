// SPDX-License-Identifier: Apache-2.0
// `stcsim mma`: one matrix instruction under the microscope.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct MmaCommand {
  std::string gpu_file;
  std::vector<std::string> sets;  ///< key=value of the GPU
  std::string op;
  bool list = false;
  bool lane_map = false;
  std::optional<std::string> seed, selector, row, column;  ///< as written: their limits depend on the operation
  std::string json_file;                                   ///< empty: none; "-": standard output instead of text
  std::string in_file, out_file;                           ///< batch
  std::string vcd_file;                                    ///< waveform of the instruction in the tensor core
};

Command add_mma_command(CommandLine& line, MmaCommand& command);
int mma(const MmaCommand& command);

}  // namespace stc::sim
