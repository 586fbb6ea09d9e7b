// SPDX-License-Identifier: Apache-2.0
// The order of a k-tile's instructions: everything that is not a matrix instruction finds its place between these as
// nvcc's scheduler does it, each as early as its sources, its turn in the pipe and its planned slot allow. Memory
// instructions keep their order; others overtake whatever they do not depend on.
#pragma once

#include <vector>

#include "traces/gemm/control_codes.h"

namespace stc::gemm {

struct Piece {
  isa::Instruction instruction;
  int slot = 0;  ///< not before this matrix instruction
};

/// `pieces` in the order of the program. A matrix instruction waits for the pieces whose results it reads.
Block order_instructions(const Block& matrix, const std::vector<Piece>& pieces, const ScheduleTimes& times,
                         const Pace& pace);

}  // namespace stc::gemm
