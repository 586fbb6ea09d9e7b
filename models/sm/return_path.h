// SPDX-License-Identifier: Apache-2.0
// Models:   the way of loaded data into a warp's registers.
// Evidence: configs/gpus/*.yaml, sm.lsu.return_bytes_per_cycle.
// Abstracts: registers of other warps of the sub-core, of which four together get a register a cycle (data_stage.h).
// Timing:   registers of an instruction follow one another, and one instruction the other.
#pragma once

#include <algorithm>
#include <vector>

#include "models/sm/memory_instruction.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class ReturnPath {
 public:
  ReturnPath(const LsuParams& params, int warps)
      : bytes_per_cycle_(params.return_bytes_per_cycle), free_(static_cast<std::size_t>(warps), 0) {}

  /// When the last register of a load is written whose first is there at `first_register`.
  Cycle take(const MemoryInstruction& load, Cycle first_register) {
    // What an LDS gathers comes back part by part: lanes that share words bring fewer.
    const int registers = load.parts > 0 ? load.parts - load.idle_parts : load.data_registers;
    const int bytes = kRegisterBytes * std::max(1, registers);
    const auto each = static_cast<Cycle>(kRegisterBytes / bytes_per_cycle_);
    Cycle& free = free_[load.warp];
    free = std::max(first_register >= each ? first_register - each : 0, free) +
           static_cast<Cycle>(bytes / bytes_per_cycle_);
    return free;
  }
  void reset() { free_.assign(free_.size(), 0); }

 private:
  static constexpr int kRegisterBytes = 128;  // of all lanes
  const int bytes_per_cycle_;
  std::vector<Cycle> free_;  // per warp
};

}  // namespace stc::sm
