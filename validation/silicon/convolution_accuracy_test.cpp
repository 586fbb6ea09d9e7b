// SPDX-License-Identifier: Apache-2.0
// Every convolution kernel of the library at one small layer against an H200; no parameter was set from any of them.
// The limits are those of validation/known_gaps.yaml, and every metric of the report has one.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "validation/silicon/comparison.h"

namespace stc::silicon {
namespace {

using nlohmann::json;

TEST(ConvolutionAccuracy, EveryKernelAtOneLayer) {
  std::map<std::string, KnownGap> gaps = gaps_by_metric("convolution");
  ASSERT_FALSE(gaps.empty());
  const json all = comparison("convolution", gaps.begin()->second.filter);
  std::size_t metrics = 0;
  for (const json& row : all.at("summaries")) {
    const std::string metric = row.at("metric");
    ASSERT_EQ(gaps.count(metric), 1U) << metric << " has no limit";
    EXPECT_EQ(row.at("points"), 18) << metric;  // the kernels of the library
    SCOPED_TRACE(metric);
    expect_gap(gaps[metric], 100 * row.at("mape").get<double>());
    ++metrics;
  }
  EXPECT_EQ(metrics, gaps.size());
}

}  // namespace
}  // namespace stc::silicon
