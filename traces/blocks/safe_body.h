// SPDX-License-Identifier: Apache-2.0
// Instructions of any program, changed so that they can run alone: memory operands point into the warp's own windows,
// constants into the parameters, guards are true; what jumps, waits for others or cannot be pointed elsewhere does
// nothing.
#pragma once

#include <vector>

#include "traces/blocks/block.h"

namespace stc::blocks {

/// Whether the instruction can run in a block at all, once its operands are safe.
bool runs_in_block(const Instruction& instruction);
/// With operands that are safe beside `reserved`; NOP with the same waits where it cannot run.
Instruction made_safe(Instruction instruction, const Reserved& reserved);
/// Fills `block` with what was found, made safe. False when it uses uniform registers that the code around it needs.
bool make_safe(const std::vector<Instruction>& found, Block& block);

}  // namespace stc::blocks
