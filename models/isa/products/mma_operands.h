// SPDX-License-Identifier: Apache-2.0
// Where a matrix instruction of a warp finds its operands and leaves its result.
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"
#include "models/isa/mma/fragment_layout.h"
#include "models/isa/state/warp.h"

namespace stc::isa {

constexpr int kMaxOperandRegisters = 128;

/// Register images [registers][32] of the operands as the instruction reads them now: the warp's registers in place,
/// zeros for RZ, a copy where the instruction negates. Throws SimulatedFault when the warp has no such registers.
class MmaOperands {
 public:
  MmaOperands(const Instruction& instruction, const WarpState& warp);
  MmaOperands(const Instruction& instruction, const WarpState& warp, const MmaTables& tables);
  MmaOperands(const MmaOperands&) = delete;
  MmaOperands& operator=(const MmaOperands&) = delete;

  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  const std::uint32_t* e;  ///< null when dense

 private:
  std::uint32_t negated_[2][kMaxOperandRegisters * kWarpSize];
};

/// The warp's registers of D, as an image [registers][32]; null for RZ. Throws SimulatedFault when it has no such ones.
std::uint32_t* mma_result(const Instruction& instruction, WarpState& warp, const MmaTables& tables);

/// Writes D [registers][32]; RZ swallows it.
void write_mma_result(const Instruction& instruction, const std::uint32_t* d, WarpState& warp);

}  // namespace stc::isa
