// SPDX-License-Identifier: Apache-2.0
// A quick subset of the measured GEMMs, none of which any parameter was set from: every kernel of the library at one
// small shape. The limits are those of validation/known_gaps.yaml. Every metric of the report has one, so that none is
// left out.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "validation/silicon/known_gaps.h"
#include "validation/unit/sim/program.h"

namespace stc::silicon {
namespace {

using nlohmann::json;

json report(const std::string& filter) {
  const std::string folder = testing::TempDir() + "gemm_accuracy";
  std::filesystem::remove_all(folder);  // or results of an earlier program would be taken
  const sim::ProgramResult run =
      sim::run_stcsim({"compare", STC_MEASURED "/gemm.csv", "--gpu", STC_CONFIGS "/gpus/h200.yaml", "--filter", filter,
                       "--jobs", "1", "--out", folder});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  std::ifstream file(folder + "/compare.json");
  return json::parse(file);
}

TEST(GemmAccuracy, EveryKernelAt512) {
  std::map<std::string, KnownGap> gaps;
  for (const KnownGap& gap : known_gaps("gemm")) gaps[gap.metric] = gap;
  const json all = report("m=512,n=512,l2=cold");
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
