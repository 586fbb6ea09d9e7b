// SPDX-License-Identifier: Apache-2.0
// How programs end; the same numbers as stcsim's exit codes.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace stc::foreign {

constexpr int kExitWrong = 1;
constexpr int kExitRefused = 2;  ///< the simulator does not model something
constexpr int kExitFault = 3;
constexpr int kExitUsage = 4;  ///< the runtime lacks something, or was started wrongly

[[noreturn]] inline void stop(int code, const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", message.c_str());
  std::_Exit(code);
}

}  // namespace stc::foreign
