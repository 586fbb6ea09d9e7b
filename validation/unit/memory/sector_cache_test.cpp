// SPDX-License-Identifier: Apache-2.0
// Which line of a set goes: the empty place first, then the one used last the longest ago; with as many ways as tags
// are compared at a time, and with fewer and more.
#include "models/memory/sector_cache.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace stc::memory {
namespace {

class SectorCacheOfWays : public testing::TestWithParam<int> {
 protected:
  /// One set.
  const std::uint64_t ways_ = static_cast<std::uint64_t>(GetParam());
  SectorCache cache_{ways_ * kLineBytes, GetParam(), Placement::kEven};

  /// The line that goes for `line`; ~0: none.
  std::uint64_t thrown_out_by(std::uint64_t line) {
    CacheLine victim;
    cache_.allocate(line, victim);
    return victim.line - 1;
  }
};

constexpr std::uint64_t kNone = ~std::uint64_t{0};

TEST_P(SectorCacheOfWays, ThrowsOutWhatWasUsedLastTheLongestAgo) {
  EXPECT_EQ(cache_.capacity(), ways_);
  for (std::uint64_t line = 0; line < ways_; ++line) EXPECT_EQ(thrown_out_by(line), kNone);
  ASSERT_NE(cache_.find(0), nullptr);
  for (std::uint64_t line = 1; line < ways_; ++line) EXPECT_EQ(thrown_out_by(100 + line), line);
  EXPECT_EQ(thrown_out_by(200), 0U);
  EXPECT_EQ(cache_.find(0), nullptr);
  EXPECT_NE(cache_.peek(200), nullptr);
}

TEST_P(SectorCacheOfWays, FillsEmptyPlacesFirst) {
  for (std::uint64_t line = 0; line < ways_; ++line) thrown_out_by(line);
  cache_.invalidate(ways_ - 1);
  EXPECT_EQ(thrown_out_by(100), kNone);
  EXPECT_EQ(thrown_out_by(101), ways_ > 1 ? 0 : 100U);
  cache_.clear();
  EXPECT_EQ(cache_.peek(101), nullptr);
  for (std::uint64_t line = 0; line < ways_; ++line) EXPECT_EQ(thrown_out_by(line), kNone);
  EXPECT_EQ(thrown_out_by(300), 0U);
}

TEST_P(SectorCacheOfWays, SparesDirtyLinesWhileThereAreCleanOnes) {
  cache_.spare_dirty(1);
  for (std::uint64_t line = 0; line < ways_; ++line) thrown_out_by(line);
  for (std::uint64_t line = 0; line < ways_; ++line) cache_.peek(line)->dirty = line != ways_ / 2 ? kAllSectors : 0;
  EXPECT_EQ(thrown_out_by(100), ways_ / 2);
  cache_.peek(100)->dirty = kAllSectors;
  EXPECT_EQ(thrown_out_by(101), ways_ > 1 ? 0 : 100U) << "all are dirty";
}

TEST(SectorCache, SparesDirtyLinesItsShareOfTheTimes) {
  constexpr int kTimes = 4000;
  SectorCache cache(2 * kLineBytes, 2, Placement::kEven);
  cache.spare_dirty(0.25);
  int spared = 0;
  for (int i = 0; i < kTimes; ++i) {
    CacheLine victim;
    cache.allocate(0, victim).dirty = kAllSectors;
    cache.allocate(1, victim);
    cache.allocate(2, victim);
    spared += static_cast<int>(victim.line == 1 + 1);
    for (std::uint64_t line = 0; line < 3; ++line) cache.invalidate(line);
  }
  EXPECT_NEAR(spared, kTimes / 4, kTimes / 40);
}

INSTANTIATE_TEST_SUITE_P(Ways, SectorCacheOfWays, testing::Values(1, 4, 5, 8, 12, 16, 20));

}  // namespace
}  // namespace stc::memory
