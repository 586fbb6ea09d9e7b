// SPDX-License-Identifier: Apache-2.0
#include "models/arith/integer_dot.h"

#include <gtest/gtest.h>

#include <vector>

namespace stc::arith {
namespace {

/// All outputs: 32 products of a x b, plus c.
std::uint32_t all(bool saturate, std::int32_t a, std::int32_t b, std::uint32_t c) {
  const TileShape shape{16, 32, 32};
  const std::vector<std::int32_t> as(16 * 32, a), bs(32 * 8, b);
  const std::vector<std::uint32_t> cs(128, c);
  std::vector<std::uint32_t> d(128);
  integer_tile(shape, saturate, as.data(), bs.data(), nullptr, cs.data(), d.data());
  for (const std::uint32_t bits : d) EXPECT_EQ(bits, d[0]);
  return d[0];
}

TEST(IntegerDot, WrapsOrClamps) {
  EXPECT_EQ(all(false, -128, 127, 5), static_cast<std::uint32_t>(-128 * 127 * 32 + 5));
  EXPECT_EQ(all(false, 255, 255, 0x7fffffff), 0x7fffffffu + 255u * 255u * 32u);
  EXPECT_EQ(all(true, 255, 255, 0x7fffffff), 0x7fffffffu);
  EXPECT_EQ(all(true, 255, -128, 0x80000000), 0x80000000u);
  EXPECT_EQ(all(true, 1, -1, 0x7fffffff), 0x7fffffffu - 32u);
}

TEST(IntegerDot, SaturatesOnceAfterTheWholeSum) {
  // Positive products first, negative ones after: clamping in between would lose the first half.
  const TileShape shape{16, 32, 32};
  std::vector<std::int32_t> a(16 * 32, 100), b(32 * 8, 100);
  for (std::size_t i = 16 * 8; i < b.size(); ++i) b[i] = -100;
  const std::vector<std::uint32_t> c(128, 0x7fffffff);
  std::vector<std::uint32_t> d(128);
  integer_tile(shape, true, a.data(), b.data(), nullptr, c.data(), d.data());
  for (const std::uint32_t bits : d) EXPECT_EQ(bits, 0x7fffffffu);
}

TEST(IntegerDot, SelectPicksTheRowOfB) {
  const TileShape shape{16, 4, 8};
  const std::vector<std::int32_t> a(16 * 4, 1);
  std::vector<std::int32_t> b(8 * 8);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 1 << (i / 8);
  std::vector<std::uint16_t> select;
  for (std::uint16_t row = 0; row < 16; ++row) {
    for (std::uint16_t p = 0; p < 4; ++p) select.push_back(static_cast<std::uint16_t>((row + 2 * p) % 8));
  }
  const std::vector<std::uint32_t> c(128, 0);
  std::vector<std::uint32_t> d(128);
  integer_tile(shape, false, a.data(), b.data(), select.data(), c.data(), d.data());
  for (std::size_t row = 0; row < 16; ++row) EXPECT_EQ(d[row * 8], row % 2 == 0 ? 0x55u : 0xaau);
}

}  // namespace
}  // namespace stc::arith
