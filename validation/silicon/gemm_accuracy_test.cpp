// SPDX-License-Identifier: Apache-2.0
// A quick subset of the measured GEMMs, none of which any parameter was set from: every kernel of the library at one
// small shape. The limits are the errors that the model has, rounded up: whoever makes it worse notices.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
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

double mean_percent(const json& all, const std::string& metric) {
  for (const json& row : all.at("summaries")) {
    if (row.at("metric") == metric) return 100 * row.at("mape").get<double>();
  }
  ADD_FAILURE() << metric << " is not in the report";
  return 0;
}

TEST(GemmAccuracy, EveryKernelAt512) {
  const json all = report();
  EXPECT_EQ(mean_percent(all, "warp_instructions"), 0);
  EXPECT_EQ(mean_percent(all, "tensor_instructions"), 0);
  EXPECT_LE(mean_percent(all, "cycles_elapsed"), 4.0);
  EXPECT_LE(mean_percent(all, "shared_wavefronts"), 1.5);
  EXPECT_LE(mean_percent(all, "dram_read_bytes"), 2.5);
  EXPECT_LE(100 * all.at("speedup").at("mape").get<double>(), 6.0);
}

}  // namespace
}  // namespace stc::silicon
