// SPDX-License-Identifier: Apache-2.0
// A register that is known as a number and a pattern holds the same 32 numbers as one whose lanes were written.
#include "models/isa/state/registers.h"

#include <gtest/gtest.h>

#include <utility>

namespace stc::isa {
namespace {

/// Rows of 64 bytes of a tile, four chunks of 16 bytes each, swizzled.
Vector swizzled(std::uint32_t first) {
  Vector lanes;
  for (std::uint32_t i = 0; i < kWarpSize; ++i) lanes[i] = first + i / 8 * 128 + ((i % 8) ^ (i / 8)) * 16;
  return lanes;
}

TEST(Registers, SpreadsWhatIsKnown) {
  Registers r(4);
  const Vector lanes = swizzled(0xfffffff0u);  // lanes wrap
  const LanePattern* const pattern = pattern_of(lanes);
  ASSERT_NE(pattern, nullptr);
  EXPECT_EQ(pattern_of(swizzled(512)), pattern);
  EXPECT_FALSE(pattern->within_word(lanes[0]));
  EXPECT_TRUE(pattern->within_word(512));
  r.know(2, pattern, lanes[0]);
  EXPECT_EQ(static_cast<const Registers&>(r)[2], lanes);
  EXPECT_EQ(r.known(2).pattern, pattern);
  r[2][5] = 7;
  EXPECT_EQ(r.known(2).pattern, nullptr);
  EXPECT_EQ(r.all()[2][4], lanes[4]);
  EXPECT_EQ(r.all()[2][5], 7u);
}

TEST(Registers, RowsHaveTheLanesOfAll) {
  Registers r(256);
  for (std::size_t i = 0; i < r.size(); ++i) r.know(i, &kUniformPattern, static_cast<std::uint32_t>(i));
  for (const std::size_t first : {0u, 60u, 62u, 63u, 127u, 130u, 254u}) {  // across words of the sets, too
    const Vector* const row = std::as_const(r).row(first, 2);
    EXPECT_EQ(row[0][31], first);
    EXPECT_EQ(row[1][0], first + 1);
    EXPECT_EQ(r.known(first + 1).pattern, &kUniformPattern);
    r.row(first, 2)[1][0] = 7;
    EXPECT_EQ(r.known(first).pattern, nullptr);
    EXPECT_EQ(r.known(first + 1).pattern, nullptr);
  }
  EXPECT_EQ(std::as_const(r).row(0, 256)[200][9], 200u);
}

TEST(Registers, ThatComeBackKnowNothing) {
  Registers r(8);
  r.know(6, &kUniformPattern, 5);
  r.resize(4);
  r.resize(8);
  EXPECT_EQ(r.known(6).pattern, nullptr);
  EXPECT_EQ(std::as_const(r)[6], Vector{});
}

TEST(Registers, KnowOnePatternForOneNumber) {
  Vector same;
  same.fill(41);
  EXPECT_EQ(pattern_of(same), &kUniformPattern);
  ++same[31];
  EXPECT_NE(pattern_of(same), &kUniformPattern);
}

TEST(LanePattern, TellsLinesByWhereTheyBegin) {
  const LanePattern& rows = *pattern_of(swizzled(0));
  EXPECT_TRUE(rows.rows_apart);
  EXPECT_EQ(rows.fills_lines, 1u);  // from the beginning of a line alone
  EXPECT_EQ(rows.whole_lines, 0u);  // their order is another
  EXPECT_EQ(rows.least, 0);
  EXPECT_EQ(rows.most, 3 * 128 + 7 * 16);
  Vector ordered;
  for (std::uint32_t i = 0; i < kWarpSize; ++i) ordered[i] = 16 * i;
  EXPECT_EQ(pattern_of(ordered)->whole_lines, 1u);
  EXPECT_EQ(pattern_of(ordered)->keeps_lines, 1u);
  for (std::uint32_t i = 0; i < kWarpSize; ++i) ordered[i] = 128 * i;
  EXPECT_FALSE(pattern_of(ordered)->rows_apart);
  EXPECT_EQ(pattern_of(ordered)->keeps_lines, 0u);
}

}  // namespace
}  // namespace stc::isa
