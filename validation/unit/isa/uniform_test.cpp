// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

TEST(UniformDatapath, SumsOfPairsCarry) {
  Machine m;
  m.warp.ur[4] = 0xfffffffe, m.warp.ur[5] = 0x40000040;
  m.warp.ur[8] = 3, m.warp.ur[9] = 1;
  Instruction sum = make(Opcode::kUiadd3, 6, uniform(4), imm(4), uniform(kUniformZero));
  sum.mod.is_64bit = true;
  m.run(sum);
  EXPECT_EQ(m.warp.ur[6], 2u);
  EXPECT_EQ(m.warp.ur[7], 0x40000041u);
  sum.b = uniform(8);
  m.run(sum);
  EXPECT_EQ(m.warp.ur[6], 1u);
  EXPECT_EQ(m.warp.ur[7], 0x40000042u);
}

TEST(UniformDatapath, SharesTheVectorOperationsRules) {
  Machine m;
  m.warp.ur[1] = 5, m.warp.ur[2] = 7;
  Instruction i = make(Opcode::kUiadd3, 10, uniform(1), negated(uniform(2)), uniform(kUniformZero));
  i.dest_predicate0 = 0;
  m.run(i);
  EXPECT_EQ(m.warp.ur[10], static_cast<u32>(-2));
  EXPECT_FALSE(m.warp.up[0]);
  i = make(Opcode::kUiadd3, 11, uniform(kUniformZero), negated(uniform(kUniformZero)), uniform(kUniformZero));
  i.mod.extended = true;
  i.source_predicate0 = pred(0);
  i.source_predicate1 = pred(kPredicateTrue, true);
  m.run(i);
  EXPECT_EQ(m.warp.ur[11], ~0u);
  m.run(make(Opcode::kUimad, 12, uniform(1), imm(3), uniform(2)));
  EXPECT_EQ(m.warp.ur[12], 22u);
  i = make(Opcode::kUimadWide, 14, uniform(1), imm(static_cast<u32>(-3)), uniform(kUniformZero));
  i.mod.is_signed = true;
  m.run(i);
  EXPECT_EQ(m.warp.ur[14], static_cast<u32>(-15));
  EXPECT_EQ(m.warp.ur[15], ~0u);
  i = make(Opcode::kUlea, 16, uniform(1), uniform(2));
  i.mod.shift = 24;
  m.run(i);
  EXPECT_EQ(m.warp.ur[16], (5u << 24) + 7);
  i = make(Opcode::kUlop3, 17, uniform(1), uniform(2), uniform(kUniformZero));
  i.mod.lut = 0x3c;
  m.run(i);
  EXPECT_EQ(m.warp.ur[17], 2u);
  i = make(Opcode::kUshf, 18, uniform(1), imm(4), uniform(kUniformZero));
  m.run(i);
  EXPECT_EQ(m.warp.ur[18], 80u);
  i = make(Opcode::kUisetp, kUniformZero, uniform(1), uniform(2));
  i.mod.compare = Compare::kLt;
  i.dest_predicate0 = 3;
  m.run(i);
  EXPECT_TRUE(m.warp.up[3]);
  i = make(Opcode::kUsel, 19, uniform(1), uniform(2));
  i.source_predicate0 = pred(3, true);
  m.run(i);
  EXPECT_EQ(m.warp.ur[19], 7u);
}

TEST(UniformDatapath, PredicatesToAndFromAByte) {
  Machine m;
  for (unsigned p = 0; p < 7; ++p) m.warp.up[p] = p % 2 == 0;
  m.warp.ur[0] = 0x11223344;
  Instruction pack = make(Opcode::kUp2ur, 4, uniform(0), imm(0xff));
  pack.mod.byte_select = 3;
  m.run(pack);
  EXPECT_EQ(m.warp.ur[4], 0x55223344u);  // there are seven predicates: bit 31 stays
  pack.mod.byte_select = 0;
  pack.b = imm(2);
  m.run(pack);
  EXPECT_EQ(m.warp.ur[4], 0x11223344u & ~2u);  // UP1 is false
  m.warp.ur[5] = 0x00040000;
  Instruction unpack = make(Opcode::kUr2up, kUniformZero, uniform(5), imm(5));
  unpack.mod.byte_select = 2;
  m.run(unpack);
  EXPECT_FALSE(m.warp.up[0]);
  EXPECT_FALSE(m.warp.up[1]);  // not in the mask: as before
  EXPECT_TRUE(m.warp.up[2]);
  EXPECT_TRUE(m.warp.up[4]);
}

TEST(UniformDatapath, ComparesTheHighWordsFirst) {
  Machine m;
  Instruction i = make(Opcode::kUisetp, kUniformZero, uniform(1), uniform(2));
  i.mod.compare = Compare::kLt;
  i.mod.extended = true;
  i.source_predicate2 = pred(4);
  i.dest_predicate0 = 3;
  for (const bool low : {false, true}) {
    m.warp.up[4] = low;
    m.warp.ur[1] = 5, m.warp.ur[2] = 5;
    m.run(i);
    EXPECT_EQ(m.warp.up[3], low);
    m.warp.ur[2] = 6;
    m.run(i);
    EXPECT_TRUE(m.warp.up[3]);
    m.warp.ur[2] = 4;
    m.run(i);
    EXPECT_FALSE(m.warp.up[3]);
  }
}

TEST(UniformDatapath, LoadsConstantsAndFeedsVectorOperations) {
  Machine m;
  Instruction i = make(Opcode::kUldc, 20, {}, constant(0x0));
  i.mem.bytes = 8;
  m.run(i);
  EXPECT_EQ(m.warp.ur[20], 64u);
  EXPECT_EQ(m.warp.ur[21], 1u);
  m.set_lanes(0, 0, 1);
  m.run(make(Opcode::kImad, 4, reg(0), uniform(20), uniform(21)));
  EXPECT_EQ(m.get(4, 3), 193u);
}

TEST(UniformDatapath, IndexesConstants) {
  Machine m;
  m.kernel.constants[3] = std::vector<std::uint8_t>(64);
  m.kernel.constants[3][20] = 77;
  Instruction i = make(Opcode::kUldc, 20, {}, constant(static_cast<std::uint32_t>(-0x8000)));
  i.b.bank = 3;
  i.mem.uniform_register = 5;
  m.warp.ur[5] = 0x8014;
  m.run(i);
  EXPECT_EQ(m.warp.ur[20], 77u);
  i.b = constant(0);
  m.warp.ur[5] = 0x110;
  EXPECT_THAT(fault_of(m, i), ::testing::HasSubstr("is not modelled"));
}

TEST(UniformDatapath, UniformGuardAndZeroRegister) {
  Machine m;
  Instruction i = make(Opcode::kUmov, 5, {}, imm(9));
  i.guard = pred(2);
  i.guard.uniform = true;
  m.run(i);
  EXPECT_EQ(m.warp.ur[5], 0u);
  m.warp.up[2] = true;
  m.run(i);
  EXPECT_EQ(m.warp.ur[5], 9u);
  m.run(make(Opcode::kUmov, kUniformZero, {}, imm(9)));
  EXPECT_EQ(m.warp.ur[63], 0u);
}

TEST(SpecialRegisters, IdentifyTheThread) {
  Machine m;
  m.cta.block = {8, 4, 4};
  start_warp(m.warp, m.kernel, m.cta, 1);
  const auto read = [&](int number, int lane) {
    Instruction i = make(Opcode::kS2r, 4);
    i.mod.special_register = static_cast<std::uint8_t>(number);
    m.run(i);
    return m.get(4, lane);
  };
  EXPECT_EQ(read(0x00, 13), 13u);
  EXPECT_EQ(read(0x21, 13), (32u + 13u) % 8);
  EXPECT_EQ(read(0x22, 13), (32u + 13u) / 8 % 4);
  EXPECT_EQ(read(0x23, 13), (32u + 13u) / 32);
  EXPECT_EQ(read(0x25, 0), 3u);
  EXPECT_EQ(read(0x26, 0), 2u);
  EXPECT_EQ(read(0x27, 0), 1u);
  EXPECT_EQ(read(0x39, 5), 0x1fu);
  EXPECT_EQ(read(0x3c, 5), 0xffffffe0u);
  EXPECT_EQ(read(0x88, 0), 0u);
  EXPECT_EQ(read(0x37, 0), 0u);  // code of -G compares the stack pointer with it
  m.context.cycle = 0x123456789;
  Instruction clock = make(Opcode::kCs2r, 4);
  clock.mod.special_register = 0x50;
  clock.mod.is_64bit = true;
  m.run(clock);
  EXPECT_EQ(m.get64(4), 0x123456789u);
}

}  // namespace
}  // namespace stc::isa
