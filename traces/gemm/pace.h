// SPDX-License-Identifier: Apache-2.0
// How closely nvcc lets instructions of a kind follow each other between matrix instructions. Both who orders the
// instructions of a k-tile and who sets their stall counts keep to it.
#pragma once

#include "models/isa/instruction.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::gemm {

/// Cycles.
struct Pace {
  int matrix = 8;              ///< from one matrix instruction to the next
  int memory = 1;              ///< from one LDSM or LDGSTS to the next
  int uniform = 2;             ///< from one uniform instruction to the next
  int after_matrix = 1;        ///< from a matrix instruction to one on general registers
  bool vectors_first = false;  ///< of two that could go, the one on general registers before the uniform one
};

/// The cycles at which each kind may go on. Nothing but matrix instructions is paced before the first of these.
class PaceState {
 public:
  int earliest(const isa::Instruction& i, const Pace& pace) const;
  void note(const isa::Instruction& i, int issue, const Pace& pace);
  int matrix_ready() const { return matrix_ready_; }

 private:
  int matrix_issue_ = -1, matrix_ready_ = 0, memory_ready_ = 0, uniform_ready_ = 0;
  int add_ready_ = 0, multiply_ready_ = 0;  // of the two pipes of integer instructions
};

/// Cycles until the warp's next instruction at the very least.
int least_stall(const isa::Instruction& i);

}  // namespace stc::gemm
