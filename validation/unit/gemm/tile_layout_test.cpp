// SPDX-License-Identifier: Apache-2.0
// Layouts in shared memory for every row length: nothing overlaps, nothing conflicts, every chunk is copied once.
#include "traces/gemm/tile_layout.h"

#include <gtest/gtest.h>

#include <set>

namespace stc::gemm {
namespace {

constexpr int kTileRows = 64;
constexpr int kBankGroups = 8;

int address(const TileLayout& layout, int row, int chunk) {
  const bool moved = layout.swizzled() || layout.paired();
  const int place = moved ? chunk ^ ((row >> layout.swizzle_shift()) & layout.swizzle_mask()) : chunk;
  return row * layout.row_stride() + place * kChunkBytes;
}

class Rows : public testing::TestWithParam<int> {
 protected:
  TileLayout layout_{kTileRows, GetParam() * kChunkBytes, GetParam() * kChunkBytes, 128};
};

TEST_P(Rows, EveryChunkHasItsOwnPlace) {
  std::set<int> places;
  for (int row = 0; row < kTileRows; ++row) {
    for (int chunk = 0; chunk < GetParam(); ++chunk) {
      EXPECT_LT(address(layout_, row, chunk), layout_.bytes());
      EXPECT_TRUE(places.insert(address(layout_, row, chunk)).second) << row << " " << chunk;
    }
  }
}

TEST_P(Rows, EightRowsOfAColumnLieInEightBankGroups) {
  for (int row = 0; row < kTileRows; row += 8) {
    for (int chunk = 0; chunk < GetParam(); ++chunk) {
      std::set<int> groups;
      for (int i = 0; i < 8; ++i) groups.insert(address(layout_, row + i, chunk) / kChunkBytes % kBankGroups);
      EXPECT_EQ(groups.size(), 8u) << row << " " << chunk;
    }
  }
}

TEST_P(Rows, PairsOfChunksShareASector) {
  for (int row = 0; row < kTileRows && GetParam() % 2 == 0; ++row) {
    for (int chunk = 0; chunk < GetParam(); chunk += 2) {
      EXPECT_EQ(address(layout_, row, chunk) / 32, address(layout_, row, chunk + 1) / 32) << row << " " << chunk;
    }
  }
}

TEST_P(Rows, SegmentsCoverTheRowOnce) {
  std::set<int> covered;
  for (const CopySegment& segment : layout_.segments()) {
    EXPECT_EQ((segment.passes - 1) * segment.rows_per_pass + segment.last_rows, kTileRows);
    EXPECT_LE(segment.last_rows, segment.rows_per_pass);
    for (int i = 0; i < segment.repeats * segment.width; ++i) {
      EXPECT_TRUE(covered.insert(segment.first_chunk + i).second);
    }
  }
  EXPECT_EQ(static_cast<int>(covered.size()), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Chunks, Rows, testing::Range(1, 41));

}  // namespace
}  // namespace stc::gemm
