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

ProgramResult run_stcsim(const std::vector<std::string>& arguments);

}  // namespace stc::sim
