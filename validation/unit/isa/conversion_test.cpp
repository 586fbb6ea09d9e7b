// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "models/isa/values/float_bits.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u64 convert(Machine& m, Opcode opcode, ScalarType from, ScalarType to, u64 value, Rounding rounding, int variant = 0) {
  Instruction i = make(opcode, 4, {}, reg(0));
  i.mod.source_type = from;
  i.mod.dest_type = to;
  i.mod.rounding = rounding;
  i.mod.variant = static_cast<std::uint16_t>(variant);
  m.set64(0, value);
  m.set64(4, 0);
  m.run(i);
  return m.get64(4);
}

TEST(FloatToInteger, ClampsAndTreatsNanByType) {
  Machine m;
  const auto f2i = [&](float v, ScalarType to, Rounding r = Rounding::kZero, int variant = 0) {
    return convert(m, Opcode::kF2i, ScalarType::kF32, to, as_bits(v), r, variant);
  };
  EXPECT_EQ(f2i(-3.7f, ScalarType::kS32), static_cast<u32>(-3));
  EXPECT_EQ(f2i(-3.7f, ScalarType::kS32, Rounding::kDown), static_cast<u32>(-4));
  EXPECT_EQ(f2i(2.5f, ScalarType::kS32, Rounding::kNearestEven), 2u);
  EXPECT_EQ(f2i(3e9f, ScalarType::kS32), 0x7fffffffu);
  EXPECT_EQ(f2i(-3e9f, ScalarType::kS32), 0x80000000u);
  EXPECT_EQ(f2i(-1.0f, ScalarType::kU32), 0u);
  EXPECT_EQ(f2i(5e9f, ScalarType::kU32), 0xffffffffu);
  EXPECT_EQ(f2i(NAN, ScalarType::kS32), 0x80000000u);
  EXPECT_EQ(f2i(NAN, ScalarType::kS32, Rounding::kZero, 1), 0u);
  EXPECT_EQ(f2i(NAN, ScalarType::kU64), 0x8000000000000000u);
  EXPECT_EQ(f2i(1e19f, ScalarType::kS64), 0x7fffffffffffffffu);
  EXPECT_EQ(f2i(1e19f, ScalarType::kU64), static_cast<u64>(1e19f));
  EXPECT_EQ(f2i(300.0f, ScalarType::kU8), 255u);
  EXPECT_EQ(f2i(-300.0f, ScalarType::kS8) & 0xff, 0x80u);
  EXPECT_EQ(convert(m, Opcode::kF2i, ScalarType::kF64, ScalarType::kS64, as_bits64(-1e15 - 0.5), Rounding::kUp),
            static_cast<u64>(-1000000000000000));
}

TEST(IntegerToFloat, RoundsOnceInEveryMode) {
  Machine m;
  const auto i2f = [&](u64 v, ScalarType from, Rounding r, ScalarType to = ScalarType::kF32) {
    return convert(m, Opcode::kI2f, from, to, v, r);
  };
  const u64 odd = 0x100000080000001;  // just above the middle between two floats
  EXPECT_EQ(i2f(odd, ScalarType::kU64, Rounding::kZero), as_bits(0x1.000000p56f));
  EXPECT_EQ(i2f(odd, ScalarType::kU64, Rounding::kUp), as_bits(0x1.000002p56f));
  EXPECT_EQ(i2f(0x100000080000000 | 0x8000000000, ScalarType::kU64, Rounding::kNearestEven),
            as_bits(static_cast<float>(0x100008080000000)));
  EXPECT_EQ(i2f(static_cast<u32>(-16777217), ScalarType::kS32, Rounding::kNearestEven), as_bits(-16777216.0f));
  EXPECT_EQ(i2f(static_cast<u32>(-16777217), ScalarType::kS32, Rounding::kDown), as_bits(-16777218.0f));
  EXPECT_EQ(i2f(0, ScalarType::kS32, Rounding::kDown), 0u);
  EXPECT_EQ(i2f(0xffffffff, ScalarType::kU32, Rounding::kUp), as_bits(4294967296.0f));
  EXPECT_EQ(i2f(0x8000000000000000, ScalarType::kS64, Rounding::kNearestEven, ScalarType::kF64), as_bits64(-0x1p63));
  EXPECT_EQ(i2f(2049, ScalarType::kU32, Rounding::kNearestEven, ScalarType::kF16), 0x6800u);
  Instruction bytes = make(Opcode::kI2f, 4, {}, reg(0));
  bytes.mod.source_type = ScalarType::kS8;
  bytes.mod.dest_type = ScalarType::kF32;
  bytes.mod.byte_select = 2;
  EXPECT_EQ(m.eval(bytes, 0x00fd1234), as_bits(-3.0f));
}

TEST(FloatToFloat, NarrowsWithOneRounding) {
  Machine m;
  const auto f2f = [&](double v, ScalarType to, Rounding r) {
    return convert(m, Opcode::kF2f, ScalarType::kF64, to, as_bits64(v), r);
  };
  const double above = 1.0 + 0x1p-24 + 0x1p-52;  // a little more than half way between two floats
  EXPECT_EQ(f2f(above, ScalarType::kF32, Rounding::kNearestEven), as_bits(1.0f + 0x1p-23f));
  EXPECT_EQ(f2f(above, ScalarType::kF32, Rounding::kZero), as_bits(1.0f));
  EXPECT_EQ(f2f(-above, ScalarType::kF32, Rounding::kDown), as_bits(-1.0f - 0x1p-23f));
  EXPECT_EQ(f2f(1e300, ScalarType::kF32, Rounding::kZero), as_bits(3.40282347e38f));
  EXPECT_EQ(f2f(1e300, ScalarType::kF32, Rounding::kNearestEven), 0x7f800000u);
  EXPECT_EQ(f2f(0x1p-150, ScalarType::kF32, Rounding::kNearestEven), 0u);  // tie with zero: even
  EXPECT_EQ(f2f(0x1.8p-149, ScalarType::kF32, Rounding::kNearestEven), 2u);
  EXPECT_EQ(f2f(NAN, ScalarType::kF16, Rounding::kNearestEven), 0x7e00u);  // not the one that f16 results are
  EXPECT_EQ(convert(m, Opcode::kF2f, ScalarType::kF32, ScalarType::kF64, as_bits(1e-40f), Rounding::kNearestEven),
            as_bits64(static_cast<double>(1e-40f)));
}

TEST(Rounding, ToIntegralValues) {
  Machine m;
  const auto round = [&](float v, Rounding r) {
    return as_float(static_cast<u32>(convert(m, Opcode::kFrnd, ScalarType::kF32, ScalarType::kF32, as_bits(v), r)));
  };
  EXPECT_EQ(round(2.5f, Rounding::kNearestEven), 2.0f);
  EXPECT_EQ(round(-2.5f, Rounding::kDown), -3.0f);
  EXPECT_EQ(round(2.1f, Rounding::kUp), 3.0f);
  EXPECT_TRUE(std::signbit(round(-0.9f, Rounding::kZero)));
}

TEST(Packing, TwoHalvesOfAllFloatsNearRoundingBoundaries) {
  Machine m;
  Instruction f16 = make(Opcode::kF2fp, 4, reg(0), reg(1));
  Instruction bf16 = f16, zero = f16;
  bf16.mod.pack_bf16 = true;
  zero.mod.rounding = Rounding::kZero;
  for (u32 exponent = 0; exponent < 256; ++exponent) {
    for (const u32 fraction :
         {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x2fffu, 0x3000u, 0x7fffu, 0x8000u, 0x18000u, 0x7fffffu}) {
      const u32 bits = exponent << 23 | fraction;
      if (is_nan(bits)) continue;
      const double v = as_float(bits);
      const auto expected = static_cast<u32>(round_double(v, kF16, Rounding::kNearestEven));
      ASSERT_EQ(m.eval(f16, bits, bits ^ 0x80000000u), expected << 16 | (expected ^ 0x8000u)) << std::hex << bits;
      const auto brain = static_cast<u32>(round_double(v, kBf16, Rounding::kNearestEven));
      ASSERT_EQ(m.eval(bf16, bits, bits ^ 0x80000000u), brain << 16 | (brain ^ 0x8000u)) << std::hex << bits;
      const auto truncated = static_cast<u32>(round_double(v, kF16, Rounding::kZero));
      ASSERT_EQ(m.eval(zero, bits, bits), truncated << 16 | truncated) << std::hex << bits;
    }
  }
  EXPECT_EQ(m.eval(f16, 0x7f800001, 0xffc00000), 0x7fff7fffu);
  f16.mod.relu = true;
  EXPECT_EQ(m.eval(f16, as_bits(-1.0f), as_bits(1.0f)), 0x00003c00u);
}

/// As an H200: what is too large, infinities included, becomes the largest number of 16 bits.
TEST(Packing, FiniteHalves) {
  Machine m;
  Instruction i = make(Opcode::kF2fp, 4, reg(0), reg(1));
  i.mod.saturate = true;
  EXPECT_EQ(m.eval(i, 0x7f800000, 0xff800000), 0x7bfffbffu);
  EXPECT_EQ(m.eval(i, as_bits(65519.0f), as_bits(-1e9f)), 0x7bfffbffu);
  EXPECT_EQ(m.eval(i, 0xffc00000, as_bits(1.0f)), 0x7fff3c00u);
  i.mod.relu = true;
  EXPECT_EQ(m.eval(i, 0xff800000, 0x7f800000), 0x00007bffu);
  i.mod.relu = false, i.mod.pack_bf16 = true;
  EXPECT_EQ(m.eval(i, 0x7f7fffff, 0xff800000), 0x7f7fff7fu);
  i.mod.rounding = Rounding::kZero;
  EXPECT_EQ(m.eval(i, 0x7f800000, 0x7f810000), 0x7f7f7fffu);
}

TEST(Packing, SaturatedIntegers) {
  Machine m;
  Instruction i = make(Opcode::kI2ip, 4, reg(0), reg(1), reg(2));
  i.mod.dest_type = ScalarType::kS8;
  EXPECT_EQ(m.eval(i, 1000, static_cast<u32>(-1000), 0xabcd), 0xabcd7f80u);
  i.mod.byte_select = 2;  // as an H200
  EXPECT_EQ(m.eval(i, 5, 100000, 0xabcd1234), 0xabcd057fu);
  i.mod.byte_select = 0;
  i.mod.dest_type = ScalarType::kU8;
  EXPECT_EQ(m.eval(i, 7, static_cast<u32>(-1), 0), 0x00000700u);
}

TEST(WideningHalves, AllBitPatterns) {
  for (u32 h = 0; h < 0x10000; ++h) {
    const u32 exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31) {
      EXPECT_EQ(f16_to_f32(h) & 0x7fffffff, fraction == 0 ? 0x7f800000u : kNan32);
      continue;
    }
    const double v =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
    ASSERT_EQ(as_float(f16_to_f32(h)), static_cast<float>((h >> 15) != 0 ? -v : v)) << h;
    ASSERT_EQ(f32_to_f16(f16_to_f32(h)), h);
  }
}

TEST(Conversions, NansToAndFromDoublesKeepSignAndPayload) {
  Machine m;
  Instruction i = make(Opcode::kF2f, 8, {}, negated(reg(0)));
  i.mod.source_type = ScalarType::kF64;
  i.mod.dest_type = ScalarType::kF32;
  m.set(0, 0xf1234567), m.set(1, 0x7ffabcde);
  m.run(i);
  EXPECT_EQ(m.get(8), 0x7fd5e6f7u);
  i.mod.dest_type = ScalarType::kF16;
  m.run(i);
  EXPECT_EQ(m.get(8), 0x7eafu);
  i.mod.dest_type = ScalarType::kBf16;
  m.run(i);
  EXPECT_EQ(m.get(8), 0x7fd5u);
  m.set(1, 0xffffffff);
  m.run(i);
  EXPECT_EQ(m.get(8), 0xffffu);
  i.mod.source_type = ScalarType::kF16;
  i.mod.dest_type = ScalarType::kF64;
  m.set(0, 0xfff4);
  m.run(i);
  EXPECT_EQ(m.get64(8), 0xffffd00000000000u);
  i = make(Opcode::kFrnd, 8, {}, reg(0));
  i.mod.source_type = i.mod.dest_type = ScalarType::kF64;
  m.set(0, 1), m.set(1, 0x7ff00000);
  m.run(i);
  EXPECT_EQ(m.get64(8), 0x7ff8000000000001u);
}

}  // namespace
}  // namespace stc::isa
