// SPDX-License-Identifier: Apache-2.0
// How the program ends.
#pragma once

#include <stdexcept>

namespace stc::sim {

enum ExitCode : int {
  kOk = 0,
  kCheckFailed = 1,    ///< the run finished, but its result is wrong
  kUserErrorExit = 2,  ///< command line, configuration, run file, or an output that takes nothing
  kFaultExit = 3       ///< fault or deadlock of the simulated program, or an error of this one, which says so
};

/// Something the user can mend. The text says where, which value, and what is allowed.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace stc::sim
