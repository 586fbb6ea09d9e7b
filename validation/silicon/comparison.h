// SPDX-License-Identifier: Apache-2.0
// `stcsim compare` over a table that was measured on an H200, for tests that hold its errors against known gaps.
#pragma once

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

/// compare.json of the points of `table` (a file of validation/measured/h200, without .csv) that `filter` lets through.
inline nlohmann::json comparison(const std::string& table, const std::string& filter) {
  const std::string folder = testing::TempDir() + table + "_accuracy";
  std::filesystem::remove_all(folder);  // or results of an earlier program would be taken
  const sim::ProgramResult run =
      sim::run_stcsim({"compare", STC_MEASURED "/" + table + ".csv", "--gpu", STC_CONFIGS "/gpus/h200.yaml", "--filter",
                       filter, "--jobs", "1", "--out", folder});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  std::ifstream file(folder + "/compare.json");
  return nlohmann::json::parse(file);
}

inline std::map<std::string, KnownGap> gaps_by_metric(const std::string& kind) {
  std::map<std::string, KnownGap> gaps;
  for (const KnownGap& gap : known_gaps(kind)) gaps[gap.metric] = gap;
  return gaps;
}

/// Expects one summary of `all` for each of the gaps, with as many points and a mean error that the gap has; a gap of
/// the filter that was compared, and none without a limit. `group`: summaries of that group alone.
inline void expect_gaps(const nlohmann::json& all, const std::map<std::string, KnownGap>& gaps, std::size_t points,
                        const std::string& group = "") {
  std::set<std::string> seen;
  for (const nlohmann::json& row : all.at("summaries")) {
    if (!group.empty() && row.at("group") != group) continue;
    const std::string metric = row.at("metric");
    SCOPED_TRACE(metric);
    EXPECT_TRUE(seen.insert(metric).second) << "of " << row.at("group");
    ASSERT_EQ(gaps.count(metric), 1U) << "has no limit";
    EXPECT_EQ(row.at("points"), points);
    expect_gap(gaps.at(metric), 100 * row.at("mape").get<double>());
  }
  EXPECT_EQ(seen.size(), gaps.size());
}

}  // namespace stc::silicon
