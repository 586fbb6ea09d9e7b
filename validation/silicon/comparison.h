// SPDX-License-Identifier: Apache-2.0
// `stcsim compare` over a table that was measured on an H200, for tests that hold its errors against known gaps.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
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

}  // namespace stc::silicon
