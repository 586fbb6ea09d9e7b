// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction adds to the counters: multiplications, cycles of the tensor core, operand bytes.
#pragma once

#include "models/core/statistics.h"
#include "models/isa/instruction.h"

namespace stc::sm {

/// What one warp's matrix instruction multiplies and reads, worked out once: it takes divisions.
struct MatrixCounts {
  std::uint64_t logical_macs = 0, stored_macs = 0;
  std::uint64_t a_bytes = 0, b_bytes = 0, c_bytes = 0;  ///< registers of all lanes
  std::uint64_t metadata_bytes = 0;                     ///< of them the bits that steer
};
MatrixCounts matrix_counts(const isa::MmaOp& op);

/// `interval`: cycles that the tensor core takes for it.
/// `counts`: matrix_counts(op).
void count_matrix_instruction(SmStatistics& statistics, const isa::MmaOp& op, const MatrixCounts& counts, int interval);

/// A warp's part of a warpgroup's instruction, for which the four tensor cores take `interval` cycles.
void count_warpgroup_instruction(SmStatistics& statistics, const isa::Instruction& instruction, int interval);

}  // namespace stc::sm
