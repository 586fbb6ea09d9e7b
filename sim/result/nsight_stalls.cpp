// SPDX-License-Identifier: Apache-2.0
#include "sim/result/nsight_stalls.h"

#include <algorithm>

namespace stc::sim {

const std::vector<StallPair>& stall_pairs() {
  static const std::vector<StallPair> all = {
      {"issued", {"selected"}, {Stall::kIssued}},
      {"barrier", {"barrier"}, {Stall::kBarrier}},
      {"no instruction", {"no_instruction"}, {Stall::kNoInstruction}},
      {"fixed latency", {"wait", "branch_resolving", "imc_miss", "membar", "sleeping"}, {Stall::kFixedLatency}},
      {"global memory", {"long_scoreboard"}, {Stall::kGlobalMemory, Stall::kAsyncCopy}},
      {"shared memory and others", {"short_scoreboard"}, {Stall::kSharedMemory, Stall::kScoreboardOther}},
      {"math pipes", {"math_pipe_throttle"}, {Stall::kTensorBusy, Stall::kPipeBusy}},
      {"queues of memory", {"lg_throttle", "mio_throttle"}, {Stall::kMemoryQueue}},
      {"register ports", {"dispatch_stall"}, {Stall::kRegisterPorts}},
      {"not selected", {"not_selected"}, {Stall::kNotSelected}},
      {"drain", {"drain"}, {Stall::kDrain}},
  };
  return all;
}

std::vector<std::string> nsight_names(Stall stall) {
  for (const StallPair& pair : stall_pairs()) {
    if (std::find(pair.ours.begin(), pair.ours.end(), stall) == pair.ours.end()) continue;
    return {pair.nsight.begin(), pair.nsight.end()};
  }
  return {};
}

}  // namespace stc::sim
