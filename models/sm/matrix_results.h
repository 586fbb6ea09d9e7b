// SPDX-License-Identifier: Apache-2.0
// Models:   D registers of a warp's matrix instructions that are on their way: no scoreboard holds back who comes
//           early.
// Evidence: models/dependence/latency_table.h; latency of the instruction: models/tensor_core/mma_timing.h.
// Abstracts: results of other instructions of fixed latency (models/dependence checks those when asked).
// Timing:   cycles that the simulation counts, in both models of the tensor core.
#pragma once

#include <bitset>
#include <optional>
#include <vector>

#include "models/dependence/warp_dependences.h"
#include "models/sm/event_queue.h"

namespace stc::sm {

/// General registers that an instruction reads or writes.
using RegisterSet = std::bitset<256>;

class MatrixResults {
 public:
  void issued(const isa::Instruction& instruction, const RegisterSet& d, Cycle now, int latency);
  /// Whether some D that is not complete at `now` lies in `registers`.
  bool overlap(const RegisterSet& registers, Cycle now) {
    return (any_ & registers).any() && still_overlap(registers, now);
  }
  /// The first register that `instruction` would use too early at `now`.
  std::optional<dependence::Dependence> early_use(const isa::Instruction& instruction, Cycle now) const;

 private:
  struct Result {
    const isa::Instruction* producer = nullptr;
    RegisterSet d;
    Cycle issued = 0;
    int latency = 0;
  };
  bool still_overlap(const RegisterSet& registers, Cycle now);
  void forget_complete(Cycle now);

  std::vector<Result> results_;
  RegisterSet any_;  ///< of results_
};

}  // namespace stc::sm
