// SPDX-License-Identifier: Apache-2.0
// Every convolution kernel of the library at one small layer against an H200; no parameter was set from any of them.
// The limits are those of validation/known_gaps.yaml, and every metric of the report has one.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "validation/silicon/known_gaps.h"
#include "validation/unit/sim/program.h"

namespace stc::silicon {
namespace {

using nlohmann::json;

TEST(ConvolutionAccuracy, EveryKernelAtOneLayer) {
  std::map<std::string, KnownGap> gaps;
  for (const KnownGap& gap : known_gaps("convolution")) gaps[gap.metric] = gap;
  ASSERT_FALSE(gaps.empty());
  const std::string folder = testing::TempDir() + "convolution_accuracy", filter = gaps.begin()->second.filter;
  std::filesystem::remove_all(folder);  // or results of an earlier program would be taken
  const sim::ProgramResult run =
      sim::run_stcsim({"compare", STC_MEASURED "/convolution.csv", "--gpu", STC_CONFIGS "/gpus/h200.yaml", "--filter",
                       filter, "--jobs", "1", "--out", folder});
  ASSERT_EQ(run.exit_code, 0) << run.error;
  std::ifstream file(folder + "/compare.json");
  const json all = json::parse(file);
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
