// SPDX-License-Identifier: Apache-2.0
// What an exception means for who asked for the run: the program makes an exit code of it, Python an exception.
#pragma once

#include <cstdint>
#include <string>

namespace stc::sim {

struct Failure {
  enum class Kind : std::uint8_t {
    kInput,    ///< the user can mend it: input, options, an output that takes nothing, memory of this computer
    kFault,    ///< fault or deadlock of the simulated program
    kStopped,  ///< by a signal; the text begins with its name
    kInternal  ///< a bug of stcsim
  };
  Kind kind = Kind::kInternal;
  std::string text;
  int exit_code = 0;  ///< of sim/base/error.h; 128 + the signal when stopped
};

/// For the exception that is being handled.
Failure current_failure();

}  // namespace stc::sim
