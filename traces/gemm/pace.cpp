// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/pace.h"

#include <algorithm>

#include "traces/gemm/resources.h"

namespace stc::gemm {
namespace {

using isa::Opcode;

constexpr int kBranchStall = 5;  // as compiled code has it
constexpr int kDepbarStall = 4;
constexpr int kPipeInterval = 2;  // of a pipe of half a warp's width; products of 64 bits take twice as long

/// Instructions that take their turn in the memory pipe; an idle load waits for it, but takes none.
bool takes_turn(const isa::Instruction& i) {
  return i.opcode == Opcode::kLdsm || i.opcode == Opcode::kLdgsts || i.opcode == Opcode::kLdgdepbar;
}
bool is_idle(const isa::Instruction& i) { return i.opcode == Opcode::kLds; }

bool is_wide(const isa::Instruction& i) { return isa::traits_of(i.opcode).unit == isa::ExecutionUnit::kFmaWide; }

/// In the pipe of multiplications.
bool multiplies(const isa::Instruction& i) {
  return is_wide(i) || isa::traits_of(i.opcode).latency == isa::LatencyClass::kFma;
}

bool is_vector(const isa::Instruction& i) {
  return !is_matrix(i) && !is_uniform(i) && !takes_turn(i) && !is_idle(i) && i.opcode != Opcode::kBar &&
         i.opcode != Opcode::kDepbar && i.opcode != Opcode::kBra && i.opcode != Opcode::kNop;
}

}  // namespace

int PaceState::earliest(const isa::Instruction& i, const Pace& pace) const {
  if (is_matrix(i)) return matrix_ready_;
  if (matrix_issue_ < 0) return 0;
  if (takes_turn(i) || is_idle(i)) return memory_ready_;
  if (is_uniform(i)) return uniform_ready_;
  if (!is_vector(i)) return 0;
  return std::max(matrix_issue_ + pace.after_matrix, multiplies(i) ? multiply_ready_ : add_ready_);
}

void PaceState::note(const isa::Instruction& i, int issue, const Pace& pace) {
  if (is_matrix(i)) {
    matrix_issue_ = issue;
    matrix_ready_ = issue + pace.matrix;
  } else if (matrix_issue_ < 0) {
    return;
  } else if (is_idle(i)) {
    // Put in when all else has its place: everything behind moves by a cycle.
    ++matrix_ready_;
    ++memory_ready_;
  } else if (takes_turn(i)) {
    memory_ready_ = issue + pace.memory;
  } else if (is_uniform(i)) {
    uniform_ready_ = issue + pace.uniform;
  } else if (multiplies(i)) {
    multiply_ready_ = issue + (is_wide(i) ? 2 * kPipeInterval : kPipeInterval);
  } else if (is_vector(i)) {
    add_ready_ = issue + kPipeInterval;
  }
}

int least_stall(const isa::Instruction& i) {
  if (isa::traits_of(i.opcode).latency == isa::LatencyClass::kBranch) return kBranchStall;
  return i.opcode == Opcode::kDepbar ? kDepbarStall : 1;
}

}  // namespace stc::gemm
