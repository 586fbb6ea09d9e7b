// SPDX-License-Identifier: Apache-2.0
// Products with unstructured matrices against the same binaries, with the same matrices, on an H200: those points of
// spmm.csv that take seconds here. Instructions are equal, each point is within 20 %, and the means are those of
// validation/known_gaps.yaml; no parameter was set from any of them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "validation/silicon/comparison.h"

namespace stc::silicon {
namespace {

using nlohmann::json;
constexpr double kMostMiss = 0.2;

TEST(SpmmAccuracy, RowsOfAlmostNothing) {
  std::map<std::string, KnownGap> gaps = gaps_by_metric("spmm");
  ASSERT_FALSE(gaps.empty());
  const json all = comparison("spmm", gaps.begin()->second.filter);
  EXPECT_EQ(all.at("points").size(), 8U);
  for (const json& point : all.at("points")) {
    EXPECT_EQ(point.at("metrics").at("warp_instructions").at("error").get<double>(), 0) << point;
    EXPECT_LE(std::fabs(point.at("metrics").at("cycles_elapsed").at("error").get<double>()), kMostMiss) << point;
  }
  expect_gaps(all, gaps, 8, "all unstructured products");
}

}  // namespace
}  // namespace stc::silicon
