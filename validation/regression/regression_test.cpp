// SPDX-License-Identifier: Apache-2.0
// Every run file of runs/ must give exactly the numbers of baselines.json, which scripts/update_baselines writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

const char* const kFolder = "validation/regression";

std::vector<std::string> run_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(STC_REGRESSION_RUNS)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Json baselines() { return Json::parse(read_text(std::string(kFolder) + "/baselines.json")); }

class Regression : public testing::TestWithParam<std::string> {};

TEST_P(Regression, NumbersAreThoseOfTheBaseline) {
  const Json all = baselines();
  ASSERT_TRUE(all["runs"].contains(GetParam())) << "no baseline: scripts/update_baselines --reason \"...\"";
  const ProgramResult run = run_stcsim({"run", std::string(kFolder) + "/runs/" + GetParam() + ".yaml", "--set",
                                        "options.check_dependences=true", "--json", "-"});
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const Json result = Json::parse(run.output);
  for (const auto& [path, expected] : all["runs"][GetParam()]["numbers"].items()) {
    const Json::json_pointer pointer("/" + path);
    ASSERT_TRUE(result.contains(pointer)) << path;
    EXPECT_EQ(result[pointer], expected) << path << " changed; if it should: scripts/update_baselines --reason \"...\"";
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Regression, testing::ValuesIn(run_names()),
                         [](const testing::TestParamInfo<std::string>& test) { return test.param; });

TEST(RegressionBaselines, EveryBaselineHasARunAndAReason) {
  const std::vector<std::string> names = run_names();
  const std::set<std::string> known(names.begin(), names.end());
  const Json all = baselines();
  EXPECT_EQ(all["runs"].size(), known.size());
  for (const auto& [name, run] : all["runs"].items()) {
    EXPECT_EQ(known.count(name), 1U) << name;
    EXPECT_FALSE(run["reason"].get<std::string>().empty()) << name;
    EXPECT_GT(run["numbers"].size(), 10U) << name;
  }
}

}  // namespace
}  // namespace stc::sim
