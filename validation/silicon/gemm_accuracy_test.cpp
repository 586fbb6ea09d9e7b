// SPDX-License-Identifier: Apache-2.0
// A quick subset of the measured GEMMs, none of which any parameter was set from: every kernel of the library at one
// small shape. The limits are those of validation/known_gaps.yaml. Every metric of the report has one, so that none is
// left out.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "validation/silicon/comparison.h"

namespace stc::silicon {
namespace {

using nlohmann::json;

TEST(GemmAccuracy, EveryKernelAt512) {
  std::map<std::string, KnownGap> gaps = gaps_by_metric("gemm");
  const json all = comparison("gemm", "m=512,n=512,l2=cold");
  std::set<std::string> seen = {"speedup"};
  for (const json& row : all.at("summaries")) {
    const std::string metric = row.at("metric");
    EXPECT_TRUE(seen.insert(metric).second) << metric << " of " << row.at("group");
    ASSERT_EQ(gaps.count(metric), 1u) << metric << " has no limit";
    EXPECT_EQ(gaps[metric].filter, "m=512,n=512,l2=cold");
    EXPECT_EQ(row.at("points"), 32) << metric;
    SCOPED_TRACE(metric);
    expect_gap(gaps[metric], 100 * row.at("mape").get<double>());
  }
  EXPECT_EQ(seen.size(), gaps.size());
  EXPECT_EQ(all.at("speedup").at("pairs").size(), 16u);
  SCOPED_TRACE("speedup");
  expect_gap(gaps.at("speedup"), 100 * all.at("speedup").at("mape").get<double>());
}

}  // namespace
}  // namespace stc::silicon
