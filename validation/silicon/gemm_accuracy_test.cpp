// SPDX-License-Identifier: Apache-2.0
// A quick subset of the measured GEMMs, none of which any parameter was set from: every kernel of the library at one
// small shape. The limits are the errors that the model has, rounded up to the next half of a percent: whoever makes it
// worse notices. Every metric of the report has one, so that none is left out.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "validation/unit/sim/program.h"

namespace stc::silicon {
namespace {

using nlohmann::json;

json report() {
  const std::string folder = testing::TempDir() + "gemm_accuracy";
  std::filesystem::remove_all(folder);  // or results of an earlier program would be taken
  const sim::ProgramResult run =
      sim::run_stcsim({"compare", STC_MEASURED "/gemm.csv", "--gpu", STC_CONFIGS "/gpus/h200.yaml", "--filter",
                       "m=512,n=512,l2=cold", "--jobs", "1", "--out", folder});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  std::ifstream file(folder + "/compare.json");
  return json::parse(file);
}

TEST(GemmAccuracy, EveryKernelAt512) {
  const std::map<std::string, double> limits = {
      {"cycles", 5.0},          {"cycles_elapsed", 3.5},    {"time_us", 11.5},
      {"warp_instructions", 0}, {"tensor_instructions", 0}, {"shared_wavefronts", 0.5},
      {"l2_sectors", 2.5},      {"dram_read_bytes", 2.0},   {"dram_write_bytes", 6.5}};
  const json all = report();
  std::set<std::string> seen;
  for (const json& row : all.at("summaries")) {
    const std::string metric = row.at("metric");
    EXPECT_TRUE(seen.insert(metric).second) << metric << " of " << row.at("group");
    ASSERT_EQ(limits.count(metric), 1u) << metric << " has no limit";
    EXPECT_EQ(row.at("points"), 32) << metric;
    EXPECT_LE(100 * row.at("mape").get<double>(), limits.at(metric)) << metric;
  }
  EXPECT_EQ(seen.size(), limits.size());
  EXPECT_EQ(all.at("speedup").at("pairs").size(), 16u);
  EXPECT_LE(100 * all.at("speedup").at("mape").get<double>(), 5.0);
}

}  // namespace
}  // namespace stc::silicon
