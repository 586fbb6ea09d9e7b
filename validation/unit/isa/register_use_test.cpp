// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

/// "R4x2:0 R8:1 -> R12x4": register, count and slot of every range.
std::string text(const Instruction& i) {
  const RegisterUse use = register_use(i);
  std::string s;
  const auto range = [](const RegisterRange& r) {
    return "R" + std::to_string(r.first) + (r.count == 1 ? "" : "x" + std::to_string(r.count));
  };
  for (int n = 0; n < use.source_count; ++n) {
    const RegisterRange& r = use.sources[static_cast<std::size_t>(n)];
    s += range(r) + ":" + std::to_string(r.slot) + (r.reuse ? "r " : " ");
  }
  s += "->";
  for (int n = 0; n < use.dest_count; ++n) s += " " + range(use.dests[static_cast<std::size_t>(n)]);
  return s;
}

Instruction memory(Opcode opcode, int dest, int bytes, bool wide) {
  Instruction i = make(opcode, dest);
  i.mem.address_register = 2;
  i.mem.address_64bit = wide;
  i.mem.data_register = 20;
  i.mem.compare_register = 24;
  i.mem.bytes = static_cast<std::uint8_t>(bytes);
  return i;
}

TEST(RegisterUse, ArithmeticWidths) {
  EXPECT_EQ(text(make(Opcode::kIadd3, 4, reg(5), reg(6), rz())), "R5:0 R6:1 -> R4");
  EXPECT_EQ(text(make(Opcode::kImadWide, 4, reg(5), imm(3), reg(8))), "R5:0 R8x2:2 -> R4x2");
  EXPECT_EQ(text(make(Opcode::kImadHi, 4, reg(5), reg(6), reg(8))), "R5:0 R6:1 R8x2:2 -> R4");
  EXPECT_EQ(text(make(Opcode::kDfma, 4, reg(6), reg(8), reg(10))), "R6x2:0 R8x2:1 R10x2:2 -> R4x2");
  Instruction clear = make(Opcode::kCs2r, 4);
  clear.mod.is_64bit = true;
  EXPECT_EQ(text(clear), "-> R4x2");
  Instruction wide = make(Opcode::kF2f, 4, {}, reg(6));
  wide.mod.source_type = ScalarType::kF32;
  wide.mod.dest_type = ScalarType::kF64;
  EXPECT_EQ(text(wide), "R6:1 -> R4x2");
  Instruction reused = make(Opcode::kFfma, 4, reg(5), reg(6), reg(7));
  reused.control.reuse = 2;
  EXPECT_EQ(text(reused), "R5:0 R6:1r R7:2 -> R4");
}

TEST(RegisterUse, UniformDestinationsAreNotGeneral) {
  EXPECT_EQ(text(make(Opcode::kR2ur, 4, reg(5))), "R5:0 ->");
  EXPECT_EQ(text(make(Opcode::kUiadd3, 4, uniform(1), uniform(2), uniform(3))), "->");
  EXPECT_EQ(text(make(Opcode::kRedux, 4, reg(5))), "R5:0 ->");
}

TEST(RegisterUse, Memory) {
  EXPECT_EQ(text(memory(Opcode::kLdg, 8, 16, true)), "R2x2:0 -> R8x4");
  EXPECT_EQ(text(memory(Opcode::kLdg, 8, 1, true)), "R2x2:0 -> R8");
  EXPECT_EQ(text(memory(Opcode::kStg, 255, 8, true)), "R2x2:0 R20x2:1 ->");
  EXPECT_EQ(text(memory(Opcode::kSts, 255, 16, false)), "R2:0 R20x4:1 ->");
  EXPECT_EQ(text(memory(Opcode::kAtomg, 8, 4, true)), "R2x2:0 R20:1 -> R8");
  Instruction cas = memory(Opcode::kAtomg, 8, 8, true);
  cas.mem.atomic = AtomicOp::kCas;
  EXPECT_EQ(text(cas), "R2x2:0 R24x2:1 R20x2:2 -> R8x2");
  EXPECT_EQ(text(memory(Opcode::kRed, 255, 4, true)), "R2x2:0 R20:1 ->");
  Instruction ldsm = memory(Opcode::kLdsm, 8, 16, false);
  ldsm.mem.matrices = 4;
  EXPECT_EQ(text(ldsm), "R2:0 -> R8x4");
  ldsm.mem.matrices = 2;
  ldsm.mem.bytes = 8;
  EXPECT_EQ(text(ldsm), "R2:0 -> R8x2");
  Instruction copy = memory(Opcode::kLdgsts, 255, 16, true);
  copy.mem.shared_register = 30;
  EXPECT_EQ(text(copy), "R30:0 R2x2:1 ->");
}

TEST(RegisterUse, MatrixOperands) {
  Instruction i = make(Opcode::kHmma, 4, reg(8), reg(12), reg(16));
  EXPECT_EQ(text(i), "R8x4:0 R12x2:1 R16x4:2 -> R4x4");  // m16n8k16, f32 accumulator
  i.mma.k = 32;
  i.mma.sparse = true;
  i.mma.pattern = sparsity::Pattern{2, 4};
  i.metadata_register = 20;
  EXPECT_EQ(text(i), "R8x4:0 R12x4:1 R16x4:2 R20:3 -> R4x4");
  i.c = rz();
  i.mma.c = NumberFormat::f16;
  EXPECT_EQ(text(i), "R8x4:0 R12x4:1 R20:3 -> R4x2");
}

}  // namespace
}  // namespace stc::isa
