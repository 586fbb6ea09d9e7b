// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

TEST(Isetp, AllComparisonsAndBothDestinations) {
  Machine m;
  const u32 values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const u32 a : values) {
    for (const u32 b : values) {
      for (const bool is_signed : {false, true}) {
        const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
        const bool less = is_signed ? sa < sb : a < b;
        const bool expected[] = {false, less, a == b, less || a == b, !less && a != b, a != b, !less, true};
        for (int compare = 0; compare < 8; ++compare) {
          Instruction i = make(Opcode::kIsetp, kRegisterZero, reg(0), reg(1));
          i.mod.compare = static_cast<Compare>(compare);
          i.mod.is_signed = is_signed;
          i.dest_predicate0 = 0;
          i.dest_predicate1 = 1;
          m.set(0, a), m.set(1, b);
          m.run(i);
          EXPECT_EQ(m.predicate(0), expected[compare]) << a << " " << b << " " << compare;
          EXPECT_EQ(m.predicate(1), !expected[compare]);
        }
      }
    }
  }
}

TEST(Isetp, HighWordsDeferToTheLowOnesWhenEqual) {
  Machine m;
  const std::uint64_t values[] = {0, 1, 0xffffffff, 0x100000000, 0x8000000000000000, 0xffffffffffffffff};
  for (const auto a : values) {
    for (const auto b : values) {
      m.set64(0, a), m.set64(2, b);
      Instruction low = make(Opcode::kIsetp, kRegisterZero, reg(0), reg(2));
      low.mod.compare = Compare::kLe;
      low.dest_predicate0 = 0;
      m.run(low);
      Instruction high = make(Opcode::kIsetp, kRegisterZero, reg(1), reg(3));
      high.mod.compare = Compare::kLe;
      high.mod.is_signed = high.mod.extended = true;
      high.source_predicate2 = pred(0);
      high.dest_predicate0 = 1;
      m.run(high);
      EXPECT_EQ(m.predicate(1), static_cast<std::int64_t>(a) <= static_cast<std::int64_t>(b)) << a << " " << b;
    }
  }
}

TEST(Isetp, CombinesWithAPredicateAndReadsItBeforeWriting) {
  Machine m;
  m.warp.p[0] = 0x0f0f0f0f;
  m.set_lanes(0, 0, 1);
  Instruction i = make(Opcode::kIsetp, kRegisterZero, reg(0), imm(16));
  i.mod.compare = Compare::kLt;
  i.mod.bool_op = BoolOp::kXor;
  i.source_predicate0 = pred(0);
  i.dest_predicate0 = 0;
  i.dest_predicate1 = 1;
  m.run(i);
  EXPECT_EQ(m.warp.p[0], 0x0000ffffu ^ 0x0f0f0f0fu);
  EXPECT_EQ(m.warp.p[1], 0xffff0000u ^ 0x0f0f0f0fu);
}

TEST(Isetp, SecondDestinationCombinesTheComplement) {
  Machine m;
  m.warp.p[2] = 0x0f0f0f0f;
  m.set_lanes(0, 0, 1);
  Instruction i = make(Opcode::kIsetp, kRegisterZero, reg(0), imm(16));
  i.mod.compare = Compare::kLt;
  i.source_predicate0 = pred(2);
  i.dest_predicate0 = 0;
  i.dest_predicate1 = 1;
  m.run(i);
  EXPECT_EQ(m.warp.p[0], 0x00000f0fu);
  EXPECT_EQ(m.warp.p[1], 0x0f0f0000u);
}

TEST(Plop3, BothTables) {
  Machine m;
  m.warp.p[0] = 0xf0f0f0f0, m.warp.p[1] = 0xcccccccc, m.warp.p[2] = 0xaaaaaaaa;
  Instruction i = make(Opcode::kPlop3);
  i.source_predicate0 = pred(0), i.source_predicate1 = pred(1), i.source_predicate2 = pred(2, true);
  i.mod.lut = 0x80;   // a & b & c
  i.mod.lut1 = 0xfe;  // a | b | c
  i.dest_predicate0 = 3, i.dest_predicate1 = 4;
  m.run(i);
  EXPECT_EQ(m.warp.p[3], 0xf0f0f0f0u & 0xccccccccu & 0x55555555u);
  EXPECT_EQ(m.warp.p[4], 0xf0f0f0f0u | 0xccccccccu | 0x55555555u);
}

TEST(PredicateRegisters, ToAndFromAByte) {
  Machine m;
  for (unsigned p = 0; p < 7; ++p) m.warp.p[p] = p % 2 == 0 ? 0xffffffff : 0;
  Instruction p2r = make(Opcode::kP2r, 4, reg(0), imm(0x7f));
  p2r.mod.byte_select = 1;
  EXPECT_EQ(m.eval(p2r, 0x11223344), 0x11225544u);  // 1010101 in bits 14:8; bit 15 stays
  p2r.b = imm(0x0f);
  EXPECT_EQ(m.eval(p2r, 0x1122ff44), 0x1122f544u);
  Instruction r2p = make(Opcode::kR2p, kRegisterZero, reg(0), imm(0x05));
  r2p.mod.byte_select = 2;
  m.set(0, 0x00040000);
  m.run(r2p);
  EXPECT_FALSE(m.predicate(0));
  EXPECT_FALSE(m.predicate(1));  // not in the mask: as before
  EXPECT_TRUE(m.predicate(2));
  EXPECT_TRUE(m.predicate(4));
}

TEST(TruePredicate, IsNeverWritten) {
  Machine m;
  Instruction i = make(Opcode::kIsetp, kRegisterZero, reg(0), imm(1));
  i.mod.compare = Compare::kTrueOrNum;
  i.source_predicate0 = pred(kPredicateTrue, true);
  m.run(i);
  EXPECT_EQ(m.warp.p[7], 0xffffffffu);
}

}  // namespace
}  // namespace stc::isa
