// SPDX-License-Identifier: Apache-2.0
// Runs the stcsim program as a user would.
#pragma once

#include <string>
#include <vector>

namespace stc::sim {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + number when a signal ended it
  std::string output;  ///< standard output
  std::string error;   ///< standard error
};

/// Where the program's streams lead instead of into the result; kClosed: nowhere.
struct Streams {
  static constexpr const char* kClosed = "closed";
  std::string output, error;
};

ProgramResult run_stcsim(const std::vector<std::string>& arguments, const Streams& streams = {});

}  // namespace stc::sim
