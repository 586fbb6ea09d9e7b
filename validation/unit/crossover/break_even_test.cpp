// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/crossover/crossover_report.h"

namespace stc::sim {
namespace {

TEST(BreakEven, LiesWhereTheLogarithmOfTheSpeedupIsZero) {
  const BreakEven at = break_even({{0.5, 0.25}, {0.7, 0.5}, {0.9, 2}, {0.95, 8}});
  EXPECT_EQ(at.where, BreakEven::Where::kAt);
  EXPECT_NEAR(at.sparsity, 0.8, 1e-12);
  EXPECT_EQ(at.text(), "80.0 %");
}

TEST(BreakEven, OfThePublishedMediansIsEightyPercent) {
  EXPECT_NEAR(break_even({{0.5, 0.49}, {0.625, 0.61}, {0.75, 0.83}, {0.875, 1.47}}).sparsity, 0.79, 0.005);
}

TEST(BreakEven, AtAPointThatWasRun) { EXPECT_NEAR(break_even({{0.5, 0.5}, {0.75, 1}}).sparsity, 0.75, 1e-12); }

TEST(BreakEven, BeyondWhatWasRunIsSaidSo) {
  EXPECT_EQ(break_even({{0.5, 1.5}, {0.9, 4}}).text(), "< 50 %");
  EXPECT_EQ(break_even({{0.5, 0.1}, {0.95, 0.9}}).text(), "> 95 %");
  EXPECT_EQ(break_even({}).text(), "-");
}

}  // namespace
}  // namespace stc::sim
