// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sim/formats/weight_matrix.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

struct Moments {
  double mean = 0, absolute = 0, square = 0;
};

Moments moments(const std::string& distribution) {
  const WeightMatrix weights = draw_weights(distribution, 5, 512, 512);
  Moments m;
  for (const float x : weights.values) {
    m.mean += x;
    m.absolute += std::fabs(x);
    m.square += static_cast<double>(x) * x;
  }
  const auto count = static_cast<double>(weights.values.size());
  return {m.mean / count, m.absolute / count, m.square / count};
}

// Of 262144 draws a mean has a standard error of 0.002 deviations; 0.01 is five of them.
TEST(DrawWeights, NormalHasVarianceOne) {
  const Moments m = moments("normal");
  EXPECT_NEAR(m.mean, 0.0, 0.01);
  EXPECT_NEAR(m.absolute, std::sqrt(2.0 / 3.14159265358979), 0.01);
  EXPECT_NEAR(m.square, 1.0, 0.015);
}

TEST(DrawWeights, LaplaceHasMeanMagnitudeOneAndVarianceTwo) {
  const Moments m = moments("laplace");
  EXPECT_NEAR(m.mean, 0.0, 0.015);
  EXPECT_NEAR(m.absolute, 1.0, 0.01);
  EXPECT_NEAR(m.square, 2.0, 0.05);
}

TEST(DrawWeights, UniformFillsMinusOneToOne) {
  const Moments m = moments("uniform");
  EXPECT_NEAR(m.absolute, 0.5, 0.005);
  EXPECT_NEAR(m.square, 1.0 / 3.0, 0.005);
}

TEST(DrawWeights, StudentHasTheMeanMagnitudeOfThreeDegreesOfFreedom) {
  EXPECT_NEAR(moments("student").absolute, 2.0 * std::sqrt(3.0) / 3.14159265358979, 0.02);
}

TEST(DrawWeights, SeedDecidesEveryElement) {
  EXPECT_EQ(draw_weights("normal", 1, 4, 8).values, draw_weights("normal", 1, 4, 8).values);
  EXPECT_NE(draw_weights("normal", 1, 4, 8).values, draw_weights("normal", 2, 4, 8).values);
  EXPECT_EQ(draw_weights("laplace", 1, 4, 8).values, draw_weights("laplace", 1, 8, 4).values);
}

TEST(DrawWeights, MisspeltDistributionIsNamed) {
  EXPECT_THAT(user_error([] { draw_weights("laplas", 1, 4, 4); }), ::testing::HasSubstr("did you mean 'laplace'?"));
}

}  // namespace
}  // namespace stc::sim
