// SPDX-License-Identifier: Apache-2.0
// What the compiler's control codes alone promise of the distance between two issues of a warp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/isa/instruction.h"

namespace stc::dependence {

/// Cycles of the machine that the distance of a warp's issues depends on.
struct IssueCycles {
  int drain = 0;         ///< a stall count of 0 with yield
  int taken_branch = 0;  ///< a branch that is taken counts as a stall of no less than this
};

inline int stall_cycles(const isa::Control& control, const IssueCycles& cycles) {
  if (control.stall == 0) return control.yield ? cycles.drain : 1;
  return std::max<int>(control.stall, control.yield ? 2 : 1);
}

inline int branch_cycles(int stalled, const IssueCycles& cycles) { return std::max(stalled, cycles.taken_branch); }

}  // namespace stc::dependence
