// SPDX-License-Identifier: Apache-2.0
// What `stcsim exec` has seen of a program: its launches, and what it asked for in vain.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/result/run_result.h"

namespace stc::sim {

/// One launch of the program. Where it failed `failure` says why; `result.run` has a meaning if it was timed and did
/// not.
struct LaunchRecord {
  std::uint64_t number = 0;  ///< from 1, of all processes of the program together
  int process = 0;           ///< process id
  bool timed = false;
  std::string failure;
  int error = 0;  ///< what the runtime's call returned, in CUDA 12's numbers: 13 has 1 in place of 9
  LaunchResult result;
};

struct LaunchLog {
  std::vector<LaunchRecord> launches;
  std::uint64_t count = 0;            ///< launches that were asked for
  std::uint64_t timed = 0;            ///< of those, that were simulated in time to their end
  std::set<std::string> unsupported;  ///< functions that were called and do nothing
  std::vector<std::string> notes;     ///< other things that went wrong, said once each
  int processes = 0;                  ///< that used the GPU

  /// Says `text` on standard error, the first time it is noted.
  void note(const std::string& text);
};

}  // namespace stc::sim
