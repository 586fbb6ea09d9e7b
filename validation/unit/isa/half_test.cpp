// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include "models/isa/values/float_bits.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

double value(u32 h, bool bfloat) { return as_float(bfloat ? bf16_to_f32(h) : f16_to_f32(h)); }

TEST(HalfPrecision, FusedMultiplyAddRoundsOnce) {
  Machine m;
  std::mt19937 random(4);
  for (const bool bfloat : {false, true}) {
    Instruction i = make(Opcode::kHfma2, 4, reg(0), reg(1), reg(2));
    i.mod.dest_type = bfloat ? ScalarType::kBf16x2 : ScalarType::kF16x2;
    const FloatLayout layout = bfloat ? kBf16 : kF16;
    for (int n = 0; n < 20000; ++n) {
      u32 a = static_cast<u32>(random()), b = static_cast<u32>(random()), c = static_cast<u32>(random());
      if (bfloat)
        a = (a & 0x83ff83ff) | 0x3c003c00, b = (b & 0x83ff83ff) | 0x3c003c00, c = (c & 0x8fff8fff) | 0x30003000;
      const u32 got = m.eval(i, a, b, c);
      for (const unsigned shift : {0u, 16u}) {
        const double x = value(a >> shift & 0xffff, bfloat), y = value(b >> shift & 0xffff, bfloat),
                     z = value(c >> shift & 0xffff, bfloat);
        // The product is exact in a double; one more exact addition in a long double or an inexact tail decides.
        const long double exact = static_cast<long double>(x) * y + static_cast<long double>(z);
        auto expected = static_cast<u32>(round_double(static_cast<double>(exact), layout, Rounding::kNearestEven));
        if (std::isnan(static_cast<double>(exact))) expected = kNan16;
        if (exact == 0) expected = got >> shift & 0x8000;  // either zero
        ASSERT_EQ(got >> shift & 0xffff, expected) << std::hex << a << " " << b << " " << c << " shift " << shift;
      }
    }
  }
}

TEST(HalfPrecision, FusedTieIsBrokenByTheSmallestAddend) {
  Machine m;
  Instruction i = make(Opcode::kHfma2, 4, reg(0), reg(1), reg(2));
  i.mod.dest_type = ScalarType::kF16x2;
  // 1.5 * (1 + 2^-10) = 1.5 + 1.5 * 2^-10: half way between two halves; the addend is 2^-24 or its negative.
  const u32 got = m.eval(i, 0x3e003e00, 0x3c013c01, 0x80010001);
  EXPECT_EQ(got & 0xffff, 0x3e02u);
  EXPECT_EQ(got >> 16, 0x3e01u);
}

TEST(HalfPrecision, ZeroingIdiomAndConstants) {
  Machine m;
  Instruction i = make(Opcode::kHfma2Mma, 4, negated(rz()), rz(), imm(0));
  i.mod.dest_type = ScalarType::kF16x2;
  EXPECT_EQ(m.eval(i, 0), 0u);
  i.c = imm(0x00013c00);
  EXPECT_EQ(m.eval(i, 0), 0x00013c00u);
}

TEST(HalfPrecision, SwizzlesAndSinglePrecisionResult) {
  Machine m;
  Instruction i = make(Opcode::kHadd2, 4, reg(0), reg(1));
  i.mod.dest_type = ScalarType::kF16x2;
  i.mod.swizzle_a = 2;                                        // H0_H0
  i.mod.swizzle_b = 3;                                        // H1_H1
  EXPECT_EQ(m.eval(i, 0x40003c00, 0x44000000), 0x45004500u);  // 1 + 4
  i.a = negated(rz());
  i.mod.dest_type = ScalarType::kF32;
  EXPECT_EQ(m.eval(i, 0, 0xc2000000), as_bits(-3.0f));
}

TEST(HalfPrecision, AnExchangedPairMultipliesComplexNumbers) {
  Machine m;
  Instruction i = make(Opcode::kHfma2, 4, reg(0), reg(1), reg(2));
  i.mod.dest_type = ScalarType::kF16x2;
  i.mod.swizzle_a = 3;                                                    // H1_H1
  i.mod.swizzle_b = 4;                                                    // H0_NH1
  EXPECT_EQ(m.eval(i, 0x40003c00, 0x44003c00, 0x3c003c00), 0x4200c700u);  // (1 - 2 * 4, 1 + 2 * 1)
  i.b = negated(reg(1));
  EXPECT_EQ(m.eval(i, 0x40003c00, 0x44003c00, 0x3c003c00), 0xbc004880u);  // (1 + 2 * 4, 1 - 2 * 1)
}

TEST(HalfPrecision, SaturateReluAndFlush) {
  Machine m;
  Instruction i = make(Opcode::kHmul2, 4, reg(0), reg(1));
  i.mod.dest_type = ScalarType::kF16x2;
  i.mod.saturate = true;
  EXPECT_EQ(m.eval(i, 0xbc004000, 0x40004000), 0x00003c00u);
  i.mod.saturate = false;
  i.mod.ftz = true;
  EXPECT_EQ(m.eval(i, 0x00018001, 0x3c003c00), 0x00008000u);
  EXPECT_EQ(m.eval(i, 0x04008400, 0x3bff3c00), 0x00008400u);  // 2^-14 (1 - 2^-11): subnormal, though it rounds up
  i = make(Opcode::kHfma2, 4, reg(0), reg(1), rz());
  i.mod.dest_type = ScalarType::kF16x2;
  i.mod.relu = true;
  EXPECT_EQ(m.eval(i, 0xbc003c00, 0x3c003c00), 0x00003c00u);
}

TEST(HalfPrecision, ComparisonsOfBothHalves) {
  Machine m;
  Instruction i = make(Opcode::kHsetp2, kRegisterZero, reg(0), reg(1));
  i.mod.dest_type = ScalarType::kF16x2;
  i.mod.compare = Compare::kLt;
  i.dest_predicate0 = 0, i.dest_predicate1 = 1;
  m.set(0, 0x3c004000), m.set(1, 0x40003c00);
  m.run(i);
  EXPECT_FALSE(m.predicate(0));
  EXPECT_TRUE(m.predicate(1));
  i.mod.variant = 1;
  m.run(i);
  EXPECT_FALSE(m.predicate(0));
  EXPECT_TRUE(m.predicate(1));  // the complement of "both"
  Instruction set = make(Opcode::kHset2, 4, reg(0), reg(1));
  set.mod.dest_type = ScalarType::kF16x2;
  set.mod.compare = Compare::kLt;
  EXPECT_EQ(m.eval(set, 0x3c004000, 0x40003c00), 0xffff0000u);
  set.mod.variant = 1;
  EXPECT_EQ(m.eval(set, 0x3c004000, 0x40003c00), 0x3c000000u);
}

}  // namespace
}  // namespace stc::isa
