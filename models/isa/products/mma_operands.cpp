// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/mma_operands.h"

#include <algorithm>
#include <string>

#include "models/isa/mma/fragment_layout.h"
#include "models/isa/values/execution.h"

namespace stc::isa {
namespace {

constexpr std::uint32_t kZeros[kMaxOperandRegisters * kWarpSize] = {};

[[noreturn]] void no_such_registers(const MmaOp& op, int first, int count, const WarpState& warp) {
  throw SimulatedFault(op.name() + " uses R" + std::to_string(first) + " to R" + std::to_string(first + count - 1) +
                       ", but the kernel has " + std::to_string(warp.r.size()) + " registers");
}

/// Operands are runs of consecutive registers; all of them must exist in this warp.
STC_INLINE void check_registers(const MmaOp& op, int first, int count, const WarpState& warp) {
  if (static_cast<std::size_t>(first + count) > warp.r.size()) no_such_registers(op, first, count, warp);
}

/// -Ra, -Rb of HMMA: the sign bits of all elements flip before the product.
const std::uint32_t* negate(const std::uint32_t* from, int registers, NumberFormat format, std::uint32_t* to) {
  const int bits = bits_of(format);
  const std::uint32_t signs = bits == 32 ? 0x80000000u : bits == 16 ? 0x80008000u : 0x80808080u;
  for (int i = 0; i < registers * kWarpSize; ++i) to[i] = from[i] ^ signs;
  return to;
}

}  // namespace

MmaOperands::MmaOperands(const Instruction& instruction, const WarpState& warp)
    : MmaOperands(instruction, warp, mma_tables(instruction.mma)) {}

MmaOperands::MmaOperands(const Instruction& instruction, const WarpState& warp, const MmaTables& tables) {
  const MmaOp& op = instruction.mma;
  const auto image = [&](std::uint8_t first, int registers) -> const std::uint32_t* {
    if (first == kRegisterZero) return kZeros;
    check_registers(op, first, registers, warp);
    return warp.r.row(first, static_cast<std::size_t>(registers))->data();
  };
  a = image(instruction.a.index, tables.a_registers);
  b = image(instruction.b.index, tables.b_registers);
  c = image(instruction.c.index, tables.c_registers);
  e = op.sparse ? image(instruction.metadata_register, tables.metadata_registers) : nullptr;
  if (instruction.a.negate) a = negate(a, tables.a_registers, op.a, negated_[0]);
  if (instruction.b.negate) b = negate(b, tables.b_registers, op.b, negated_[1]);
}

std::uint32_t* mma_result(const Instruction& instruction, WarpState& warp, const MmaTables& tables) {
  if (instruction.dest == kRegisterZero) return nullptr;
  check_registers(instruction.mma, instruction.dest, tables.c_registers, warp);
  return warp.r.row(instruction.dest, static_cast<std::size_t>(tables.c_registers))->data();
}

void write_mma_result(const Instruction& instruction, const std::uint32_t* d, WarpState& warp) {
  const MmaTables& tables = mma_tables(instruction.mma);
  std::uint32_t* const to = mma_result(instruction, warp, tables);
  if (to != nullptr) std::copy_n(d, tables.c_registers * kWarpSize, to);
}

}  // namespace stc::isa
