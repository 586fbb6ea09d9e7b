// SPDX-License-Identifier: Apache-2.0
// `stcsim compare MEASURED.csv ...`: every measured point in the simulator, and how far off it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct CompareCommand {
  std::vector<std::string> files;
  std::string gpu_file;           ///< empty: by the folder of the measured files
  std::vector<std::string> sets;  ///< key=value of the GPU
  std::string filter;
  std::string out_folder = "compare";
  std::string baseline;
  std::size_t jobs = 0;              ///< 0: one per core
  std::optional<std::size_t> tiles;  ///< not given: that of ReaderContext
};

Command add_compare_command(CommandLine& line, CompareCommand& command);

/// Returns the exit code: kCheckFailed when points have no simulated values. A profiler's report is compare_report.h's.
int compare(const CompareCommand& command);

}  // namespace stc::sim
