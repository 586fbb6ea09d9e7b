// SPDX-License-Identifier: Apache-2.0
// F2FP with 8-bit floats, and PLOP3 on the signs of registers.
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

std::uint32_t unpack(ScalarType from, std::uint32_t word, bool upper, bool relu = false) {
  Machine m;
  Instruction i = make(Opcode::kF2fpUnpackFp8, 4, {}, reg(0));
  i.mod.source_type = from;
  i.mod.dest_type = ScalarType::kF16x2;
  i.mod.byte_select = upper ? 2 : 0;
  i.mod.relu = relu;
  m.set(0, word);
  m.run(i);
  return m.get(4);
}

TEST(UnpackFp8, BytesOfOneHalfBecomeHalves) {
  // e4m3: 0x38 = 1, 0xc0 = -2, 0x01 = 2^-9, 0x7e = 448.
  EXPECT_EQ(unpack(ScalarType::kE4m3, 0x7e01c038, false), 0xc0003c00u);
  EXPECT_EQ(unpack(ScalarType::kE4m3, 0x7e01c038, true), 0x5f001800u);
  // e5m2 is the upper byte of a half.
  EXPECT_EQ(unpack(ScalarType::kE5m2, 0x7b01c23c, false), 0xc2003c00u);
  EXPECT_EQ(unpack(ScalarType::kE5m2, 0x7b01c23c, true), 0x7b000100u);
  EXPECT_EQ(unpack(ScalarType::kE5m2, 0x0000c23c, false, true), 0x00003c00u);
}

TEST(PackFp8, TwoFloatsBesideHalfOfTheThird) {
  Machine m;
  Instruction i = make(Opcode::kF2fpPackFp8, 4, reg(0), reg(1), reg(2));
  i.mod.source_type = ScalarType::kF32;
  i.mod.dest_type = ScalarType::kE4m3;
  i.mod.saturate = true;
  m.set(0, 0xc4fa0000);  // -2000, beyond the largest e4m3
  m.set(1, 0x3f900000);  // 1.125
  m.set(2, 0x12345678);
  m.run(i);
  EXPECT_EQ(m.get(4), 0x5678fe39u);
  i.mod.byte_select = 2;
  i.mod.dest_type = ScalarType::kE5m2;
  m.set(0, 0x7f7fffff);  // the largest float saturates to 57344
  m.run(i);
  EXPECT_EQ(m.get(4), 0x12347b3cu);
}

TEST(PackFp8, NansHaveNoSignAndReluNoMinusZero) {
  Machine m;
  Instruction i = make(Opcode::kF2fpPackFp8, 4, reg(0), reg(1), rz());
  i.mod.source_type = ScalarType::kF32;
  i.mod.dest_type = ScalarType::kE4m3;
  i.mod.saturate = true;
  EXPECT_EQ(m.eval(i, 0xffc00000, 0x80000000), 0x7f80u);
  i.mod.relu = true;
  EXPECT_EQ(m.eval(i, 0xffc00000, 0x80000000), 0x7f00u);
  EXPECT_EQ(unpack(ScalarType::kE4m3, 0xb880, false, true), 0u);
}

TEST(PackFp8, TheTwoHalvesOfOneRegister) {
  Machine m;
  Instruction i = make(Opcode::kF2fpPackFp8, 4, rz(), reg(1), reg(2));
  i.mod.source_type = ScalarType::kF16x2;
  i.mod.dest_type = ScalarType::kE4m3;
  i.mod.saturate = true;
  EXPECT_EQ(m.eval(i, 0, 0x6400c000, 0x12345678), 0x56787ec0u);  // 1024 saturates to 448, -2
}

TEST(HalfSources, UpperHalfOfTheRegister) {
  Machine m;
  Instruction i = make(Opcode::kF2f, 4, {}, reg(0));
  i.mod.source_type = ScalarType::kF16;
  i.mod.dest_type = ScalarType::kF32;
  EXPECT_EQ(m.eval(i, 0xc0003c00), 0x3f800000u);
  i.mod.byte_select = 2;
  EXPECT_EQ(m.eval(i, 0xc0003c00), 0xc0000000u);
}

TEST(Plop3, SignsOfRegisters) {
  Machine m;
  Instruction i = make(Opcode::kPlop3Signs, kRegisterZero, reg(0), reg(1), reg(2));
  i.dest_predicate0 = 3;
  i.mod.lut = 0x40;  // a and b and not c
  m.set(0, 0x80000000);
  m.set(1, 0xffffffff);
  m.set(2, 0x7fffffff);
  m.run(i);
  EXPECT_EQ(m.warp.p[3], 0xffffffffu);
  m.set(2, 0x80000000);
  m.run(i);
  EXPECT_EQ(m.warp.p[3], 0u);
}

}  // namespace
}  // namespace stc::isa
