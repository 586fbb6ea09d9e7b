// SPDX-License-Identifier: Apache-2.0
// Joules and watts of GEMMs against an H200, as `stcsim compare` gives them; no key of the GPU file was set from any of
// them. Each point is within 12 %, and the means are those of validation/known_gaps.yaml.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "validation/silicon/comparison.h"

namespace stc::silicon {
namespace {

using nlohmann::json;
constexpr double kMostError = 0.12;

TEST(EnergyAccuracy, GemmsThatTheFitDoesNotUse) {
  std::map<std::string, KnownGap> gaps = gaps_by_metric("energy");
  ASSERT_FALSE(gaps.empty());
  const json all = comparison("energy", gaps.begin()->second.filter);
  EXPECT_EQ(all.at("points").size(), 5U);
  for (const json& point : all.at("points")) {
    for (const char* metric : {"joules", "watts"}) {
      EXPECT_LE(std::fabs(point.at("metrics").at(metric).at("error").get<double>()), kMostError)
          << metric << ' ' << point;
    }
  }
  expect_gaps(all, gaps, 5);
}

}  // namespace
}  // namespace stc::silicon
