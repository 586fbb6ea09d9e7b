// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/isa/machine.h"

#include <algorithm>
#include <random>

namespace stc::isa {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::vector<u32> edge_values() {
  std::vector<u32> v = {0, 1, 2, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe};
  std::mt19937 random(1);
  for (int i = 0; i < 6; ++i) v.push_back(static_cast<u32>(random()));
  return v;
}

TEST(Iadd3, SubtractionOfZeroCarries) {
  Machine m;
  Instruction i = make(Opcode::kIadd3, 4, reg(0), negated(reg(1)), rz());
  i.dest_predicate0 = 0;
  for (const u32 a : edge_values()) {
    for (const u32 b : edge_values()) {
      EXPECT_EQ(m.eval(i, a, b), a - b);
      EXPECT_EQ(m.predicate(0), a >= b) << a << " - " << b;
    }
  }
}

TEST(Iadd3, CountsUpToTwoCarries) {
  Machine m;
  Instruction i = make(Opcode::kIadd3, 4, reg(0), reg(1), reg(2));
  i.dest_predicate0 = 0;
  i.dest_predicate1 = 1;
  EXPECT_EQ(m.eval(i, ~0u, ~0u, ~0u), 0xfffffffdu);
  EXPECT_TRUE(m.predicate(0));
  EXPECT_TRUE(m.predicate(1));
  EXPECT_EQ(m.eval(i, ~0u, 1, 5), 5u);
  EXPECT_TRUE(m.predicate(0));
  EXPECT_FALSE(m.predicate(1));
  m.eval(i, 5, 6, 7);
  EXPECT_FALSE(m.predicate(0));
}

TEST(Iadd3, ExtendedAddsBothCarriesAndInverts) {
  Machine m;
  Instruction i = make(Opcode::kIadd3, 4, reg(0), negated(reg(1)), rz());
  i.mod.extended = true;
  i.source_predicate0 = pred(2);
  i.source_predicate1 = pred(3);
  m.warp.p[2] = 0xffffffff;
  m.warp.p[3] = 0x1;
  m.eval(i, 10, 3);
  EXPECT_EQ(m.get(4, 0), 10u + ~3u + 2u);
  EXPECT_EQ(m.get(4, 1), 10u + ~3u + 1u);
}

TEST(Iadd3, PredicatedLanesKeepTheirValue) {
  Machine m;
  m.set(4, 77);
  m.warp.p[1] = 0x0000ff00;
  Instruction i = make(Opcode::kIadd3, 4, imm(1), imm(2), imm(3));
  i.guard = pred(1);
  m.run(i);
  EXPECT_EQ(m.result.lanes, 0x0000ff00u);
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(4, lane), lane >= 8 && lane < 16 ? 6u : 77u);
  i.guard = pred(1, true);
  m.run(i);
  EXPECT_EQ(m.get(4, 0), 6u);
}

TEST(Imad, LowWideAndHigh) {
  Machine m;
  for (const u32 a : edge_values()) {
    for (const u32 b : edge_values()) {
      const u64 c = 0x1234567890abcdefull;
      m.set64(6, c);
      EXPECT_EQ(m.eval(make(Opcode::kImad, 4, reg(0), reg(1), reg(6)), a, b), a * b + static_cast<u32>(c));
      for (const bool is_signed : {false, true}) {
        const u64 product = is_signed ? static_cast<u64>(static_cast<std::int64_t>(static_cast<std::int32_t>(a)) *
                                                         static_cast<std::int32_t>(b))
                                      : u64{a} * b;
        Instruction wide = make(Opcode::kImadWide, 4, reg(0), reg(1), reg(6));
        wide.mod.is_signed = is_signed;
        wide.dest_predicate0 = 0;
        m.eval(wide, a, b);
        EXPECT_EQ(m.get64(4), product + c);
        EXPECT_EQ(m.predicate(0), product + c < c);
        Instruction high = make(Opcode::kImadHi, 4, reg(0), reg(1), reg(6));
        high.mod.is_signed = is_signed;
        EXPECT_EQ(m.eval(high, a, b), static_cast<u32>((product + c) >> 32));
      }
    }
  }
}

TEST(Imad, MoveAddAndCarry) {
  Machine m;
  EXPECT_EQ(m.eval(make(Opcode::kImad, 4, rz(), rz(), constant(0x0)), 0), 64u);
  EXPECT_EQ(m.eval(make(Opcode::kImad, 4, reg(0), imm(1), negated(reg(1))), 9, 4), 5u);
  Instruction x = make(Opcode::kImad, 4, reg(0), imm(1), negated(reg(1)));
  x.mod.extended = true;
  x.source_predicate0 = pred(0);
  m.warp.p[0] = 0xffffffff;
  EXPECT_EQ(m.eval(x, 9, 4), 9u + ~4u + 1u);
}

TEST(Lea, LowAndHighOfAScaledIndex) {
  Machine m;
  for (const u32 index : edge_values()) {
    const u64 base = 0x00007f00fffffff0ull;
    for (const unsigned shift : {0u, 2u, 4u, 31u}) {
      const u64 wide = static_cast<u64>(static_cast<std::int64_t>(static_cast<std::int32_t>(index)));
      m.set64(6, base);
      Instruction low = make(Opcode::kLea, 8, reg(0), reg(6));
      low.mod.shift = static_cast<std::uint8_t>(shift);
      low.dest_predicate0 = 0;
      m.eval(low, index);
      Instruction high = make(Opcode::kLea, 9, reg(0), reg(7), reg(1));
      high.mod.high = high.mod.extended = true;
      high.mod.shift = low.mod.shift;
      high.source_predicate0 = pred(0);
      m.eval(high, index, static_cast<u32>(wide >> 32));
      EXPECT_EQ(m.get64(8), base + (wide << shift)) << index << " << " << shift;
      Instruction sx = high;
      sx.mod.sx32 = true;
      sx.c = {};
      m.eval(sx, index);
      EXPECT_EQ(m.get64(8), base + (wide << shift));
    }
  }
}

TEST(Lea, SubtractsAScaledIndexFrom64Bits) {
  Machine m;
  for (const u32 index : edge_values()) {
    const u64 base = 0x0000000100000010ull;
    m.set64(6, base);
    Instruction low = make(Opcode::kLea, 8, negated(reg(0)), reg(6));
    low.mod.shift = 3;
    low.dest_predicate0 = 0;
    m.eval(low, index);
    Instruction high = make(Opcode::kLea, 9, negated(reg(0)), reg(7), rz());
    high.mod.high = high.mod.extended = true;
    high.mod.shift = 3;
    high.source_predicate0 = pred(0);
    m.eval(high, index);
    EXPECT_EQ(m.get64(8), base - (u64{index} << 3)) << index;
  }
}

TEST(Lop3, AllTables) {
  Machine m;
  const u32 a = 0xf0f0a5c3, b = 0xcc3c5a96, c = 0xaa0ff096;
  for (unsigned lut = 0; lut < 256; ++lut) {
    Instruction i = make(Opcode::kLop3, 4, reg(0), reg(1), reg(2));
    i.mod.lut = static_cast<std::uint8_t>(lut);
    i.dest_predicate0 = 0;
    i.source_predicate0 = pred(kPredicateTrue, true);
    u32 expected = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      const unsigned index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
      expected |= (lut >> index & 1) << bit;
    }
    EXPECT_EQ(m.eval(i, a, b, c), expected) << lut;
    EXPECT_EQ(m.predicate(0), expected != 0);
  }
}

TEST(Shf, FunnelShiftsOfAllKinds) {
  Machine m;
  const u64 value = 0x89abcdef01234567ull;
  const auto low = static_cast<u32>(value), high = static_cast<u32>(value >> 32);
  for (int kind = 0; kind < 32; ++kind) {
    Instruction i = make(Opcode::kShf, 4, reg(0), reg(1), reg(2));
    i.mod.right = (kind & 1) != 0;
    i.mod.high = (kind & 2) != 0;
    i.mod.wrap = (kind & 4) != 0;
    i.mod.is_64bit = (kind & 8) != 0;
    i.mod.is_signed = (kind & 16) != 0;
    for (const u32 count : {0u, 1u, 7u, 31u, 32u, 33u, 63u, 64u, 200u}) {
      const u32 width = i.mod.is_64bit ? 64 : 32;
      const u32 n = i.mod.wrap ? count % width : std::min(count, width);
      u64 shifted = value;
      for (u32 k = 0; k < n; ++k) {  // bit by bit
        const u64 top = i.mod.is_signed ? shifted & 0x8000000000000000ull : 0;
        shifted = i.mod.right ? (shifted >> 1) | top : shifted << 1;
      }
      EXPECT_EQ(m.eval(i, low, count, high), static_cast<u32>(i.mod.high ? shifted >> 32 : shifted))
          << "kind " << kind << " by " << count;
      Instruction immediate = i;
      immediate.b = imm(count);
      EXPECT_EQ(m.eval(immediate, low, 0, high), static_cast<u32>(i.mod.high ? shifted >> 32 : shifted));
    }
  }
}

TEST(Prmt, IndexModeWithSignReplication) {
  Machine m;
  const Instruction i = make(Opcode::kPrmt, 4, reg(0), reg(1), reg(2));
  EXPECT_EQ(m.eval(i, 0x33221100, 0x5410, 0x77665544), 0x55441100u);
  EXPECT_EQ(m.eval(i, 0x33221100, 0x7632, 0x77665544), 0x77663322u);
  EXPECT_EQ(m.eval(i, 0x00008011, 0x9180, 0), 0xff800011u);  // nibbles 0, 8 (sign of 0x11), 1, 9 (sign of 0x80)
  EXPECT_EQ(m.eval(make(Opcode::kPrmt, 4, reg(0), imm(0x0123), reg(2)), 0x33221100, 0, 0), 0x00112233u);
}

TEST(Prmt, OtherModes) {
  Machine m;
  const u32 a = 0x33221100, c = 0x77665544;
  const auto mode = [&](int number, u32 selector) {
    Instruction i = make(Opcode::kPrmt, 4, reg(0), imm(selector), reg(2));
    i.mod.prmt_mode = static_cast<std::uint8_t>(number);
    return m.eval(i, a, 0, c);
  };
  EXPECT_EQ(mode(1, 1), 0x44332211u);  // F4E: forward extract from byte 1
  EXPECT_EQ(mode(2, 1), 0x66770011u);  // B4E: backward from byte 1
  EXPECT_EQ(mode(3, 2), 0x22222222u);  // RC8
  EXPECT_EQ(mode(4, 1), 0x33221111u);  // ECL: edge clamp left
  EXPECT_EQ(mode(5, 2), 0x22221100u);  // ECR
  EXPECT_EQ(mode(6, 1), 0x33223322u);  // RC16
}

TEST(BitOperations, EdgeValues) {
  Machine m;
  const auto flo = [&](u32 v, bool is_signed, int variant) {
    Instruction i = make(Opcode::kFlo, 4, {}, reg(0));
    i.mod.is_signed = is_signed;
    i.mod.variant = static_cast<std::uint16_t>(variant);
    return m.eval(i, v);
  };
  EXPECT_EQ(flo(0, false, 0), ~0u);
  EXPECT_EQ(flo(1, false, 0), 0u);
  EXPECT_EQ(flo(0x80000000, false, 0), 31u);
  EXPECT_EQ(flo(0x00010000, false, 1), 15u);
  EXPECT_EQ(flo(0xffffffff, true, 0), ~0u);
  EXPECT_EQ(flo(0xfffffffd, true, 0), 1u);
  EXPECT_EQ(m.eval(make(Opcode::kPopc, 4, {}, reg(0)), 0xf00f0001), 9u);
  EXPECT_EQ(m.eval(make(Opcode::kBrev, 4, {}, reg(0)), 0x80000001 ^ 0x2), 0xc0000001u);
  EXPECT_EQ(m.eval(make(Opcode::kIabs, 4, {}, reg(0)), 0x80000000), 0x80000000u);
  EXPECT_EQ(m.eval(make(Opcode::kIabs, 4, {}, reg(0)), static_cast<u32>(-5)), 5u);
  Instruction sgxt = make(Opcode::kSgxt, 4, reg(0), reg(1));
  sgxt.mod.is_signed = true;
  EXPECT_EQ(m.eval(sgxt, 0x1234f0, 8), 0xfffffff0u);
  EXPECT_EQ(m.eval(sgxt, 0x12347f, 8), 0x7fu);
  EXPECT_EQ(m.eval(sgxt, 0x89abcdef, 32), 0x89abcdefu);
  EXPECT_EQ(m.eval(sgxt, 0x89abcdef, 0), 0u);
  EXPECT_EQ(m.eval(make(Opcode::kBmsk, 4, reg(0), reg(1)), 4, 8), 0xff0u);
  EXPECT_EQ(m.eval(make(Opcode::kBmsk, 4, reg(0), reg(1)), 32, 8), 0u);
  EXPECT_EQ(m.eval(make(Opcode::kBmsk, 4, reg(0), reg(1)), 8, 40), 0xffffff00u);
}

TEST(MinMax, SignedUnsignedAndThreeOperands) {
  Machine m;
  const auto pick = [&](Opcode opcode, bool is_signed, bool minimum, u32 a, u32 b, u32 c = 0) {
    Instruction i = make(opcode, 4, reg(0), reg(1), reg(2));
    i.mod.is_signed = is_signed;
    i.source_predicate0 = pred(kPredicateTrue, !minimum);
    return m.eval(i, a, b, c);
  };
  for (const Opcode opcode : {Opcode::kImnmx, Opcode::kVimnmx}) {
    EXPECT_EQ(pick(opcode, true, true, ~0u, 1), ~0u);
    EXPECT_EQ(pick(opcode, true, false, ~0u, 1), 1u);
    EXPECT_EQ(pick(opcode, false, true, ~0u, 1), 1u);
    EXPECT_EQ(pick(opcode, false, false, ~0u, 1), ~0u);
  }
  EXPECT_EQ(pick(Opcode::kViaddmnmx, true, false, 3, 4, 10), 10u);
  EXPECT_EQ(pick(Opcode::kViaddmnmx, true, true, 0x7fffffff, 1, 0), 0x80000000u);  // the sum wraps
  EXPECT_EQ(pick(Opcode::kVimnmx3, true, true, 5, static_cast<u32>(-7), 2), static_cast<u32>(-7));
}

TEST(MinMax, PairsSayWhichSourceEachHalfIsFrom) {
  Machine m;
  Instruction i = make(Opcode::kVimnmx, 4, reg(0), reg(1));
  i.mod.variant = 1;
  i.mod.is_signed = true;
  i.dest_predicate0 = 0, i.dest_predicate1 = 1;
  i.source_predicate0 = pred(kPredicateTrue, true);  // the larger
  EXPECT_EQ(m.eval(i, 0x0003ffff, 0x00030001), 0x00030001u);
  EXPECT_FALSE(m.predicate(0));  // the low half
  EXPECT_TRUE(m.predicate(1));   // equal ones count as the first
}

TEST(PackedSums, EachHalfIsNegatedOnItsOwn) {
  Machine m;
  Instruction subtract = make(Opcode::kViadd, 4, reg(0), negated(reg(1)));
  subtract.mod.variant = 1;
  EXPECT_EQ(m.eval(subtract, 0x00050005, 0x00030001), 0x00020004u);
  EXPECT_EQ(m.eval(subtract, 0x00000000, 0x00018000), 0xffff8000u);
  Instruction bounded = make(Opcode::kViaddmnmx, 4, reg(0), negated(reg(1)), reg(2));
  bounded.mod.variant = 1;
  bounded.mod.is_signed = true;
  bounded.source_predicate0 = pred(kPredicateTrue, true);  // the larger
  EXPECT_EQ(m.eval(bounded, 0x00050005, 0x00030001, 0x00030003), 0x00030004u);
}

TEST(DotProducts, BytesWithMixedSigns) {
  Machine m;
  Instruction i = make(Opcode::kIdp, 4, reg(0), reg(1), reg(2));
  i.mod.source_type = ScalarType::kS8;
  i.mod.dest_type = ScalarType::kU8;
  // (-1)*255 + 2*3 + 127*1 + (-128)*2, plus 1000
  EXPECT_EQ(m.eval(i, 0x807f02ff, 0x020103ff, 1000), static_cast<u32>(1000 - 255 + 6 + 127 - 256));
  i.mod.variant = 2;  // .2A.HI: halves of a with the upper bytes of b
  i.mod.source_type = ScalarType::kS16;
  EXPECT_EQ(m.eval(i, 0xffff0100, 0x0203ffff, 0), static_cast<u32>(256 * 3 - 2));
}

TEST(AbsoluteDifferences, WordsAndBytes) {
  Machine m;
  Instruction i = make(Opcode::kVabsdiff, 4, reg(0), reg(1), reg(2));
  EXPECT_EQ(m.eval(i, 3, 10, 5), 12u);
  i.mod.is_signed = true;
  EXPECT_EQ(m.eval(i, static_cast<u32>(-3), 4, 0), 7u);
  i = make(Opcode::kVabsdiff4, 4, reg(0), reg(1), reg(2));
  EXPECT_EQ(m.eval(i, 0x01ff1020, 0xff011121, 1), 0xfefe0101u);  // a difference in each byte, c ignored
  i.mod.variant = 1;                                             // .ACC
  EXPECT_EQ(m.eval(i, 0x01ff1020, 0xff011121, 1), 1u + 254 + 254 + 1 + 1);
  i.mod.is_signed = true;
  EXPECT_EQ(m.eval(i, 0x01ff1020, 0xff011121, 1), 1u + 2 + 2 + 1 + 1);
}

}  // namespace
}  // namespace stc::isa
