// SPDX-License-Identifier: Apache-2.0
// Conversions to and minima of 16-bit floats that have a mode of their own: the words of an H200 for 16384 operands,
// most of them near what the mode is about, as one number.
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;
constexpr u32 kOperands = 16384;

u32 mixed(u32 x) {
  x ^= x >> 16, x *= 0x7feb352d;
  x ^= x >> 15, x *= 0x846ca68b;
  return x ^ x >> 16;
}
u32 operand(u32 i) {
  const u32 m = mixed(i);
  switch (i % 8) {
    case 0: return (m & 0x807fffff) | 0x47000000;
    case 1: return (m & 0x80ffffff) | 0x7f000000;
    case 2: return m | 0x7f800000;
    case 3: return (m & 0x80000000) | 0x7f800000;
    case 4: return (m & 0x800fffff) | 0x47700000;
    case 5: return (m & 0x8000ffff) | 0x7f7f0000;
    default: return m;
  }
}

/// `second`: of the operand's number.
template <class Second>
std::uint64_t hash_of(const Instruction& i, u32 result_bits, Second second) {
  Machine m;
  std::uint64_t hash = 1469598103934665603;
  for (u32 first = 0; first < kOperands; first += kWarpSize) {
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
      m.warp.r[0][lane] = operand(first + lane);
      m.warp.r[1][lane] = second(first + lane);
    }
    m.run(i);
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
      hash = (hash ^ (m.warp.r[4][lane] & result_bits)) * 0x100000001b3;
    }
  }
  return hash;
}

TEST(HalvesOfSilicon, AreFinite) {
  const auto hash = [](bool bf16, bool relu, Rounding rounding) {
    Instruction i = make(Opcode::kF2fp, 4, reg(0), reg(1));
    i.mod.pack_bf16 = bf16;
    i.mod.relu = relu;
    i.mod.rounding = rounding;
    i.mod.saturate = true;
    return hash_of(i, 0xffffffff, [](u32 n) { return operand(n + 1); });
  };
  EXPECT_EQ(hash(false, false, Rounding::kNearestEven), 0xd7051912c69e8687U);
  EXPECT_EQ(hash(true, false, Rounding::kNearestEven), 0xc038a24f87d0c506U);
  EXPECT_EQ(hash(false, false, Rounding::kZero), 0xba54fa72d36947d7U);
  EXPECT_EQ(hash(true, false, Rounding::kZero), 0x2c37f8509ae37e9cU);
  EXPECT_EQ(hash(false, true, Rounding::kNearestEven), 0xdfc53d79ecbba424U);
  EXPECT_EQ(hash(true, true, Rounding::kNearestEven), 0xae954713134e5794U);
  EXPECT_EQ(hash(true, true, Rounding::kZero), 0x77efec591c406257U);
}

TEST(HalvesOfSilicon, MultiplyTheSignsOfExtremes) {
  const auto hash = [](ScalarType type, bool minimum, bool nan) {
    Instruction i = make(Opcode::kHmnmx2, 4, magnitude(reg(0)), magnitude(reg(1)));
    i.source_predicate0 = pred(kPredicateTrue, !minimum);
    i.mod.swizzle_a = i.mod.swizzle_b = 2;
    i.mod.dest_type = type;
    i.mod.variant = nan ? 3 : 2;
    return hash_of(i, 0xffff, [](u32 n) { return operand(n % 16 == 3 ? n : n + 1); });
  };
  EXPECT_EQ(hash(ScalarType::kF16x2, true, false), 0xe5e0017c72e43d09U);
  EXPECT_EQ(hash(ScalarType::kF16x2, false, false), 0x696207805141e360U);
  EXPECT_EQ(hash(ScalarType::kF16x2, true, true), 0x87a002e80fd6bd5dU);
  EXPECT_EQ(hash(ScalarType::kF16x2, false, true), 0x60dea30c8abb3f48U);
  EXPECT_EQ(hash(ScalarType::kBf16x2, false, false), 0x5a4fce2412bb1658U);
  EXPECT_EQ(hash(ScalarType::kBf16x2, true, true), 0xf20707323392e507U);
}

}  // namespace
}  // namespace stc::isa
