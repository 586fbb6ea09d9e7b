// SPDX-License-Identifier: Apache-2.0
// Wavefronts, bank conflicts and sectors of single accesses, by hand.
#include "models/sm/coalescer.h"

#include <gtest/gtest.h>

namespace stc::sm {
namespace {

using Addresses = std::array<std::uint64_t, isa::kWarpSize>;
constexpr isa::LaneMask kAll = 0xffffffffu;

Addresses strided(std::uint64_t stride) {
  Addresses a{};
  for (std::size_t lane = 0; lane < a.size(); ++lane) a[lane] = lane * stride;
  return a;
}

TEST(SharedWavefronts, ConsecutiveWordsTakeOne) { EXPECT_EQ(shared_wavefronts(strided(4).data(), kAll, 4).total, 1); }

TEST(SharedWavefronts, StrideMakesConflicts) {
  for (const int ways : {1, 2, 4, 8, 16, 32}) {
    const Wavefronts w = shared_wavefronts(strided(4 * static_cast<std::uint64_t>(ways)).data(), kAll, 4);
    EXPECT_EQ(w.total, ways);
    EXPECT_EQ(w.conflicts, ways - 1);
  }
}

TEST(SharedWavefronts, TheSameWordIsBroadcast) { EXPECT_EQ(shared_wavefronts(strided(0).data(), kAll, 4).total, 1); }

TEST(SharedWavefronts, WideAccessesGoInParts) {
  EXPECT_EQ(shared_wavefronts(strided(8).data(), kAll, 8).total, 2);
  EXPECT_EQ(shared_wavefronts(strided(16).data(), kAll, 16).total, 4);
  EXPECT_EQ(shared_wavefronts(strided(16).data(), kAll, 16).conflicts, 0);
  // Rows of 128 bytes: the eight lanes of a quarter-warp all start in bank 0.
  EXPECT_EQ(shared_wavefronts(strided(128).data(), kAll, 16).total, 32);
}

TEST(SharedWavefronts, IdleLanesDoNotCount) {
  EXPECT_EQ(shared_wavefronts(strided(128).data(), 0x3, 4).total, 2);
  EXPECT_EQ(shared_wavefronts(strided(128).data(), 0, 4).total, 0);
}

TEST(MatrixWavefronts, OneRowGroupPerMatrix) {
  EXPECT_EQ(matrix_wavefronts(strided(16).data(), 1).total, 1);
  EXPECT_EQ(matrix_wavefronts(strided(16).data(), 4).total, 4);
  EXPECT_EQ(matrix_wavefronts(strided(128).data(), 4).total, 32);
  EXPECT_EQ(matrix_wavefronts(strided(64).data(), 4).total, 16);
  EXPECT_EQ(matrix_wavefronts(strided(64).data(), 4).conflicts, 12);
}

TEST(AtomicPasses, EqualAddressesAreServedInTurn) {
  EXPECT_EQ(atomic_passes(strided(4).data(), kAll), 1);
  EXPECT_EQ(atomic_passes(strided(0).data(), kAll), 32);
}

TEST(Coalesce, LinesAndSectors) {
  LineList list;
  coalesce(strided(4).data(), kAll, 4, list);
  ASSERT_EQ(list.count, 1);
  EXPECT_EQ(list.lines[0].sectors, 0xf);
  coalesce(strided(16).data(), kAll, 16, list);
  EXPECT_EQ(list.count, 4);
  EXPECT_EQ(list.sectors(), 16);
  coalesce(strided(128).data(), kAll, 4, list);
  EXPECT_EQ(list.count, 32);
  EXPECT_EQ(list.sectors(), 32);
  coalesce(strided(32).data(), 0x5, 8, list);
  ASSERT_EQ(list.count, 1);
  EXPECT_EQ(list.lines[0].sectors, 0b0101);
  EXPECT_EQ(list.lines[0].words, 0x00030003u);
  coalesce(strided(2).data(), 0x80000001, 2, list);
  EXPECT_EQ(list.lines[0].words, 0x00008001u) << "a word counts when one of its bytes is touched";
}

}  // namespace
}  // namespace stc::sm
