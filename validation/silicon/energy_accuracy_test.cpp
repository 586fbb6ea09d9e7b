// SPDX-License-Identifier: Apache-2.0
// Joules and watts of GEMMs against an H200, as `stcsim compare` gives them; no key of the GPU file was set from any of
// them. Each point is within 12 %, and the means are those of validation/known_gaps.yaml.
#include <gtest/gtest.h>

#include <cmath>
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
constexpr double kMostError = 0.12;

TEST(EnergyAccuracy, GemmsThatTheFitDoesNotUse) {
  std::map<std::string, KnownGap> gaps;
  for (const KnownGap& gap : known_gaps("energy")) gaps[gap.metric] = gap;
  ASSERT_FALSE(gaps.empty());
  const std::string folder = testing::TempDir() + "energy_accuracy", filter = gaps.begin()->second.filter;
  std::filesystem::remove_all(folder);  // or results of an earlier program would be taken
  const sim::ProgramResult run =
      sim::run_stcsim({"compare", STC_MEASURED "/energy.csv", "--gpu", STC_CONFIGS "/gpus/h200.yaml", "--filter",
                       filter, "--jobs", "1", "--out", folder});
  ASSERT_EQ(run.exit_code, 0) << run.error;
  std::ifstream file(folder + "/compare.json");
  const json all = json::parse(file);
  EXPECT_EQ(all.at("points").size(), 5U);
  for (const json& point : all.at("points")) {
    for (const char* metric : {"joules", "watts"}) {
      EXPECT_LE(std::fabs(point.at("metrics").at(metric).at("error").get<double>()), kMostError)
          << metric << ' ' << point;
    }
  }
  ASSERT_EQ(all.at("summaries").size(), gaps.size());
  for (const json& row : all.at("summaries")) {
    const std::string metric = row.at("metric");
    ASSERT_EQ(gaps.count(metric), 1U) << metric << " has no limit";
    SCOPED_TRACE(metric);
    expect_gap(gaps[metric], 100 * row.at("mape").get<double>());
  }
}

}  // namespace
}  // namespace stc::silicon
