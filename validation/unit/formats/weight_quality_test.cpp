// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/weight_quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace stc::sim {
namespace {

using sparsity::Pattern;
using ::testing::ElementsAre;

const WeightMatrix kTwoRows = {"test", 2, 4, {1, -4, 3, 2, 0, 6, 0, -5}};

TEST(KeptShare, OfTwoOfFour) {
  const Mask mask = pattern_mask(Pattern{2, 4}, kTwoRows);
  EXPECT_THAT(mask, ElementsAre(0, 1, 1, 0, 0, 1, 0, 1));
  const KeptShare kept = kept_share(kTwoRows, mask);
  EXPECT_DOUBLE_EQ(kept.magnitude, 18.0 / 21.0);
  EXPECT_DOUBLE_EQ(kept.energy, 86.0 / 91.0);
}

TEST(KeptShare, OneOfTwoCannotChooseTwoNeighbours) {
  const Mask mask = pattern_mask(Pattern{1, 2}, kTwoRows);
  EXPECT_THAT(mask, ElementsAre(0, 1, 1, 0, 0, 1, 0, 1));
  const Mask quarter = pattern_mask(Pattern{1, 4}, kTwoRows);
  EXPECT_THAT(quarter, ElementsAre(0, 1, 0, 0, 0, 1, 0, 0));
}

TEST(KeptShare, PairsAreKeptTogether) {
  const Mask mask = pattern_mask(Pattern{1, 2, 2}, kTwoRows);  // 2:4 in pairs
  EXPECT_THAT(mask, ElementsAre(1, 1, 0, 0, 1, 1, 0, 0));
}

TEST(KeptShare, DenseKeepsEverything) {
  const KeptShare kept = kept_share(kTwoRows, pattern_mask(Pattern{}, kTwoRows));
  EXPECT_EQ(kept.magnitude, 1.0);
  EXPECT_EQ(kept.energy, 1.0);
}

TEST(KeptShare, ZerosCountAsKept) {
  const WeightMatrix zeros = {"zeros", 1, 4, {0, 0, 0, 0}};
  EXPECT_EQ(kept_share(zeros, pattern_mask(Pattern{2, 4}, zeros)).magnitude, 1.0);
}

TEST(Unstructured, TakesTheLargestWherever) {
  EXPECT_THAT(unstructured_mask(kTwoRows, 3), ElementsAre(0, 1, 0, 0, 0, 1, 0, 1));
  EXPECT_THAT(unstructured_mask(kTwoRows, 5), ElementsAre(0, 1, 1, 1, 0, 1, 0, 1));
  EXPECT_THAT(unstructured_mask(kTwoRows, 0), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(unstructured_mask(kTwoRows, 8), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1));
}

TEST(Unstructured, OfEqualWeightsTheEarlierAreKept) {
  const WeightMatrix equal = {"equal", 1, 4, {2, -1, 1, 1}};
  EXPECT_THAT(unstructured_mask(equal, 3), ElementsAre(1, 1, 1, 0));
}

TEST(Unstructured, NoPatternKeepsMore) {
  const WeightMatrix weights = draw_weights("laplace", 3, 32, 64);
  for (const Pattern& pattern : {Pattern{1, 2}, Pattern{2, 4}, Pattern{4, 8}, Pattern{16, 32}}) {
    const double bound = kept_share(weights, unstructured_mask(weights, 32 * 64 / 2)).magnitude;
    EXPECT_LT(kept_share(weights, pattern_mask(pattern, weights)).magnitude, bound) << pattern.name();
  }
}

// For independent normal weights the larger of two holds 1/sqrt(2) of the magnitude of both.
TEST(KeptShare, OneOfTwoOfNormalWeights) {
  const WeightMatrix weights = draw_weights("normal", 1, 1024, 1024);
  EXPECT_NEAR(kept_share(weights, pattern_mask(Pattern{1, 2}, weights)).magnitude, std::sqrt(0.5), 0.001);
}

TEST(Transposable, ABlockHasNinetyMasks) { EXPECT_EQ(transposable_masks(), 90); }

TEST(Transposable, BestMaskOfABlockByHand) {
  // Row-wise 2:4 would take columns 0 and 1 everywhere; two in each column forces two rows to the right, and the two in
  // the middle lose least by it.
  const WeightMatrix block = {"block", 4, 4, {9, 8, 2, 2, 9, 8, 4, 4, 9, 8, 4, 4, 9, 8, 1, 1}};
  EXPECT_THAT(transposable_mask(block), ElementsAre(1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0));
}

TEST(Transposable, IsTwoOfFourBothWays) {
  const WeightMatrix weights = draw_weights("normal", 9, 16, 24);
  const Mask mask = transposable_mask(weights);
  for (int row = 0; row < 16; ++row) {
    for (int group = 0; group < 6; ++group) {
      const auto begin = mask.begin() + row * 24 + group * 4;
      EXPECT_EQ(std::count(begin, begin + 4, 1), 2) << row << " " << group;
    }
  }
  for (int column = 0; column < 24; ++column) {
    for (int group = 0; group < 4; ++group) {
      int kept = 0;
      for (int i = 0; i < 4; ++i) kept += mask[static_cast<std::size_t>((group * 4 + i) * 24 + column)];
      EXPECT_EQ(kept, 2) << column << " " << group;
    }
  }
}

TEST(Transposable, KeepsNoMoreThanTwoOfFour) {
  const WeightMatrix weights = draw_weights("normal", 9, 64, 64);
  const double both = kept_share(weights, transposable_mask(weights)).magnitude;
  EXPECT_LT(both, kept_share(weights, pattern_mask(Pattern{2, 4}, weights)).magnitude);
  EXPECT_GT(both, 0.68);  // the mask of a fixed checkerboard would keep 0.5
}

TEST(Transposable, NeedsWholeBlocks) {
  EXPECT_THROW(transposable_mask(draw_weights("normal", 1, 6, 8)), std::invalid_argument);
  EXPECT_THROW(transposable_mask(draw_weights("normal", 1, 8, 6)), std::invalid_argument);
}

}  // namespace
}  // namespace stc::sim
