// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction adds to the counters: multiplications, cycles of the tensor core, operand bytes.
#pragma once

#include "models/core/statistics.h"
#include "models/isa/instruction.h"

namespace stc::sm {

/// `interval`: cycles that the tensor core takes for it.
void count_matrix_instruction(SmStatistics& statistics, const isa::MmaOp& op, int interval);

/// A warp's part of a warpgroup's instruction, for which the four tensor cores take `interval` cycles.
void count_warpgroup_instruction(SmStatistics& statistics, const isa::Instruction& instruction, int interval);

}  // namespace stc::sm
