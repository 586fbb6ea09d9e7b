// SPDX-License-Identifier: Apache-2.0
// `stcsim formats`: what each pattern keeps of a weight matrix, and what storing it costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct FormatsCommand {
  std::string weights_file;  ///< empty: drawn from the distribution
  std::string distribution = "normal";
  std::uint64_t seed = 1;
  int rows = 1024;
  int columns = 1024;
  std::vector<std::string> patterns = {"1:2", "2:4", "4:8", "8:16", "1:4", "2:8", "4:16"};
  std::string element = "f16";
  int index_bits = 32;
  std::string json_file, csv_file;  ///< empty: none; "-": standard output instead of the table
};

Command add_formats_command(CommandLine& line, FormatsCommand& command);
int formats(const FormatsCommand& command);

}  // namespace stc::sim
