// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/what_if.h"

namespace stc::sim {

void take_for_pattern(isa::Kernel& kernel, const sparsity::Pattern& pattern) {
  for (isa::Instruction& instruction : kernel.code) {
    isa::MmaOp& op = instruction.mma;
    if (!op.warpgroup || !op.sparse) continue;
    const int stored = op.stored_k();
    op.pattern = pattern;
    op.k = static_cast<std::uint16_t>(stored * pattern.m / pattern.n);
  }
}

}  // namespace stc::sim
