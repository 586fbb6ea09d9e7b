// SPDX-License-Identifier: Apache-2.0
// The fast tile equals the definition, bit for bit, on operands of every kind.
#include "models/arith/fused_tile.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/arith/convert.h"
#include "validation/gpus.h"
#include "validation/unit/arith/operand_source.h"

namespace stc::arith {
namespace {

struct RuleSet {
  const char* name;
  FusedDotRules rules;
};
const RuleSet kRuleSets[] = {
    {"a100 f16", validation::a100().numerics.f16()}, {"a100 tf32", validation::a100().numerics.tf32()},
    {"h200 f16", validation::h200().numerics.f16()}, {"native fp8", {32, 13, -133, -21, 13}},
    {"one by one", {1, 23, -127, -15, 23}},          {"too wide for 32-bit sums", {16, 31, -132, -20, 23}}};

/// A difference that a random test would need luck to hit is found by many tiles of many kinds.
TEST(FusedTile, EqualsTheDefinition) {
  OperandSource source(7);
  long compared = 0, finite_nonzero = 0;
  for (const NamedFormat& format : kFormats) {
    for (const RuleSet& set : kRuleSets) {
      for (const Accumulator accumulator : {Accumulator::f32, Accumulator::f16}) {
        const FloatFormat& c_format = accumulator == Accumulator::f32 ? kF32 : kF16;
        for (int k = 0; k < static_cast<int>(OperandKind::kCount) * 6; ++k) {
          const OperandKind kind = static_cast<OperandKind>(k % static_cast<int>(OperandKind::kCount));
          const OperandKind c_kind =
              k % 5 == 4 ? OperandKind::kRawBits
                         : static_cast<OperandKind>(source.below(static_cast<unsigned>(OperandKind::kCount)));
          const bool sparse = source.below(2) != 0;
          TileShape shape;
          shape.depth = 4 << source.below(4);
          shape.b_rows = sparse ? 2 * shape.depth : shape.depth;
          std::vector<std::uint32_t> a, b, c;
          std::vector<std::uint16_t> select;
          for (int i = 0; i < shape.rows * shape.depth; ++i) {
            a.push_back(source.element(format.format, kind));
            select.push_back(static_cast<std::uint16_t>(source.below(static_cast<unsigned>(shape.b_rows))));
          }
          for (int i = 0; i < shape.b_rows * kTileColumns; ++i) b.push_back(source.element(format.format, kind));
          for (int i = 0; i < shape.rows * kTileColumns; ++i) c.push_back(source.element(c_format, c_kind));
          std::vector<std::uint32_t> fast(c.size()), slow(c.size());
          const std::uint16_t* rows = sparse ? select.data() : nullptr;
          fused_tile(set.rules, format.format, format.format, accumulator, shape, a.data(), b.data(), rows, c.data(),
                     fast.data());
          fused_tile_reference(set.rules, format.format, format.format, accumulator, shape, a.data(), b.data(), rows,
                               c.data(), slow.data());
          for (std::size_t i = 0; i < c.size(); ++i) {
            ASSERT_EQ(fast[i], slow[i]) << format.name << ", rules " << set.name << ", output " << i << ", kind " << k;
            const Decoded result = decode(c_format, fast[i]);
            finite_nonzero += result.kind == FloatClass::kFinite ? 1 : 0;
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(finite_nonzero, compared / 3) << "too few outputs say anything";
}

TEST(FusedTile, OverflowBetweenBlocksMeetsTheOppositeInfinity) {
  // First block overflows to +Inf, the second supplies -Inf: the pair is a NaN although no block alone sees both.
  TileShape shape;
  shape.depth = shape.b_rows = 16;
  std::vector<std::uint32_t> a(16 * 16, 0), b(16 * 8, from_float(kBf16, 0x1p127f)), c(16 * 8, 0), d(16 * 8);
  for (std::size_t row = 0; row < 16; ++row) {
    a[row * 16] = from_float(kBf16, 4.0f);
    a[row * 16 + 8] = 0xff80;
  }
  fused_tile(validation::a100().numerics.f16(), kBf16, kBf16, Accumulator::f32, shape, a.data(), b.data(), nullptr,
             c.data(), d.data());
  for (const std::uint32_t bits : d) EXPECT_EQ(bits, kNanF32);
}

}  // namespace
}  // namespace stc::arith
