// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/error_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stc::sim {
namespace {

TEST(ErrorStatistics, AgreesWithValuesByHand) {
  // errors: +10 %, -20 %, 0, +50 %
  const ErrorStatistics s = error_statistics({{"a", 110, 100}, {"b", 160, 200}, {"c", 300, 300}, {"d", 600, 400}});
  EXPECT_EQ(s.points, 4U);
  EXPECT_NEAR(s.mape, 0.2, 1e-12);
  EXPECT_NEAR(s.bias, 0.1, 1e-12);
  EXPECT_NEAR(s.median, 0.15, 1e-12);  // of 0, 10, 20 and 50 %
  EXPECT_NEAR(s.worst, 0.5, 1e-12);
  EXPECT_EQ(s.worst_name, "d");
  // measured deviations -150 -50 50 150, simulated -182.5 -132.5 7.5 307.5: 80500 / sqrt(50000 x 145475)
  EXPECT_NEAR(s.pearson, 80500 / std::sqrt(50000.0 * 145475.0), 1e-12);
}

TEST(ErrorStatistics, MedianOfAnOddNumberIsTheMiddleOne) {
  EXPECT_NEAR(error_statistics({{"a", 101, 100}, {"b", 107, 100}, {"c", 150, 100}}).median, 0.07, 1e-12);
}

TEST(ErrorStatistics, PearsonIsOneForAScaleAndMinusOneForAMirror) {
  EXPECT_NEAR(error_statistics({{"a", 2, 1}, {"b", 4, 2}, {"c", 10, 5}}).pearson, 1.0, 1e-12);
  EXPECT_NEAR(error_statistics({{"a", 3, 1}, {"b", 2, 2}, {"c", 1, 3}}).pearson, -1.0, 1e-12);
}

TEST(ErrorStatistics, HasNoCorrelationWithoutSpread) {
  EXPECT_EQ(error_statistics({{"a", 2, 1}}).pearson, 0.0);
  EXPECT_EQ(error_statistics({{"a", 2, 1}, {"b", 3, 1}}).pearson, 0.0);
  EXPECT_EQ(error_statistics({}).points, 0U);
}

TEST(ErrorStatistics, NothingMeasuredIsExactOnlyForNothing) {
  EXPECT_EQ(relative_error(0, 0), 0.0);
  EXPECT_TRUE(std::isinf(relative_error(1, 0)));
  EXPECT_NEAR(relative_error(97, 100), -0.03, 1e-12);
}

}  // namespace
}  // namespace stc::sim
