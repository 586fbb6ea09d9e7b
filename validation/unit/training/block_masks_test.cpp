// SPDX-License-Identifier: Apache-2.0
// Masks of 4x4 blocks: legal, in the order of what they can keep, greedy near exact.
#include <gtest/gtest.h>

#include "sim/training/block_masks.h"

namespace stc::sim {
namespace {

/// Ones of four elements from (row, column) on, along the row or the column.
int ones(const Mask& mask, int columns, int row, int column, bool along_column) {
  int count = 0;
  for (int i = 0; i < 4; ++i) {
    const int at = along_column ? (row + i) * columns + column : row * columns + column + i;
    count += mask[static_cast<std::size_t>(at)];
  }
  return count;
}

double share(const std::string& choice, const WeightMatrix& weights) {
  return kept_share(weights, block_mask(choice, weights)).magnitude;
}

TEST(BlockMasks, AreTwoOfFourAlongTheirDirections) {
  const WeightMatrix weights = draw_weights("student", 3, 32, 64);
  for (const char* choice : {"exact", "greedy", "row"}) {
    const Mask mask = block_mask(choice, weights);
    for (int r = 0; r < 32; ++r) {
      for (int c = 0; c < 64; c += 4) {
        const int row = ones(mask, 64, r, c, false);
        EXPECT_LE(row, 2) << choice;
        if (std::string(choice) != "greedy") {
          EXPECT_EQ(row, 2) << choice;
        }
      }
    }
    for (int r = 0; r < 32 && std::string(choice) != "row"; r += 4) {
      for (int c = 0; c < 64; ++c) EXPECT_LE(ones(mask, 64, r, c, true), 2) << choice;
    }
  }
}

TEST(BlockMasks, GreedyKeepsNearlyWhatExactKeepsAndRowsMore) {
  for (const std::string& distribution : distribution_names()) {
    const WeightMatrix weights = draw_weights(distribution, 1, 256, 256);
    EXPECT_GT(share("exact", weights), share("greedy", weights)) << distribution;
    EXPECT_GE(share("greedy", weights), 0.95 * share("exact", weights)) << distribution;
    EXPECT_GT(share("row", weights), share("exact", weights)) << distribution;
  }
}

TEST(BlockMasks, GreedyTakesTheLargestFirstAndOfEqualOnesTheEarlier) {
  WeightMatrix block{"", 4, 4, std::vector<float>(16, 1.0F)};
  EXPECT_EQ(block_mask("greedy", block), (Mask{1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1}));
  block.values[3] = -9;  // a large one in the corner
  EXPECT_EQ(block_mask("greedy", block)[3], 1);
  EXPECT_EQ(block_mask("greedy", block)[1], 0);
}

}  // namespace
}  // namespace stc::sim
