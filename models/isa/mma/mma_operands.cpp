// SPDX-License-Identifier: Apache-2.0
#include "models/isa/mma/mma_operands.h"

#include <algorithm>
#include <string>

#include "models/isa/mma/fragment_layout.h"
#include "models/isa/values/execute.h"

namespace stc::isa {
namespace {

constexpr std::uint32_t kZeros[kMaxOperandRegisters * kWarpSize] = {};

/// Operands are runs of consecutive registers; all of them must exist in this warp.
void check_registers(const MmaOp& op, int first, int count, const WarpState& warp) {
  if (static_cast<std::size_t>(first + count) <= warp.r.size()) return;
  throw SimulatedFault(op.name() + " uses R" + std::to_string(first) + " to R" + std::to_string(first + count - 1) +
                       ", but the kernel has " + std::to_string(warp.r.size()) + " registers");
}

/// -Ra, -Rb of HMMA: the sign bits of all elements flip before the product.
const std::uint32_t* negate(const std::uint32_t* from, int registers, NumberFormat format, std::uint32_t* to) {
  const int bits = bits_of(format);
  const std::uint32_t signs = bits == 32 ? 0x80000000u : bits == 16 ? 0x80008000u : 0x80808080u;
  for (int i = 0; i < registers * kWarpSize; ++i) to[i] = from[i] ^ signs;
  return to;
}

}  // namespace

MmaOperands::MmaOperands(const Instruction& instruction, const WarpState& warp) {
  const MmaOp& op = instruction.mma;
  const auto image = [&](std::uint8_t first, int registers) -> const std::uint32_t* {
    if (first == kRegisterZero) return kZeros;
    check_registers(op, first, registers, warp);
    return warp.r[first].data();
  };
  a = image(instruction.a.index, op.a_registers());
  b = image(instruction.b.index, op.b_registers());
  c = image(instruction.c.index, op.c_registers());
  e = op.sparse ? image(instruction.metadata_register, mma_tables(op).metadata_registers) : nullptr;
  if (instruction.a.negate) a = negate(a, op.a_registers(), op.a, negated_[0]);
  if (instruction.b.negate) b = negate(b, op.b_registers(), op.b, negated_[1]);
}

std::uint32_t* mma_result(const Instruction& instruction, WarpState& warp) {
  if (instruction.dest == kRegisterZero) return nullptr;
  check_registers(instruction.mma, instruction.dest, instruction.mma.c_registers(), warp);
  return warp.r[instruction.dest].data();
}

void write_mma_result(const Instruction& instruction, const std::uint32_t* d, WarpState& warp) {
  std::uint32_t* const to = mma_result(instruction, warp);
  if (to != nullptr) std::copy_n(d, instruction.mma.c_registers() * kWarpSize, to);
}

}  // namespace stc::isa
