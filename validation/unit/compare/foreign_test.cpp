// SPDX-License-Identifier: Apache-2.0
// Launches of foreign programs: simulated again as they were recorded, and only if their program found them right.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ForeignTable : public testing::Test {
 protected:
  ForeignTable() {
    ::setenv("STC_FOREIGN", folder_.path("launches").c_str(), 1);
    const std::string root = std::filesystem::current_path().string();
    folder_.write("launches/h200/plain/a/copy/000/run.yaml",
                  "gpu: " + root + "/configs/gpus/h200.yaml\nlaunch:\n  module: " + root +
                      "/traces/kernels/sm_90/f16_dense_64x64x64_w32x32_s4.cubin\n"
                      "  grid: [1]\n  block: [128]\n  dynamic_shared_bytes: 65536\n"
                      "  buffers:\n    A: {bytes: 8192, fill: {random_f16: {seed: 1}}}\n"
                      "    B: {bytes: 8192, fill: {random_f16: {seed: 2}}}\n    D: {bytes: 16384}\n"
                      "  args: [A, B, D, {i32: 64}, {i32: 64}, {i32: 64}]\n");
    const std::string launch = folder_.path("launches/h200/plain/a/copy/000");
    const ProgramResult recorded = run_stcsim({"run", launch + "/run.yaml", "--out", launch});
    EXPECT_EQ(recorded.exit_code, 0) << recorded.error;
    say("right");
  }
  ~ForeignTable() override { ::unsetenv("STC_FOREIGN"); }

  void say(const std::string& status) {
    folder_.write("launches/h200/plain/a/copy/case.json", json{{"status", status}, {"words", "uses wgmma"}}.dump());
  }
  json compare(const std::string& rows, const std::string& more_columns = "") {
    folder_.write("h200/foreign.csv",
                  "case,launch,kernel,grid,races,warp_instructions,cycles_elapsed" + more_columns + "\n" + rows);
    std::filesystem::remove_all(folder_.path("out"));
    result_ = run_stcsim({"compare", folder_.path("h200/foreign.csv"), "--jobs", "1", "--out", folder_.path("out")});
    const std::string report = folder_.path("out/compare.json");
    return std::filesystem::exists(report) ? json::parse(read_text(report)) : json();
  }

  TemporaryFolder folder_;
  ProgramResult result_;
};

const std::string kRow = "plain/a/copy,0,copy,1x1x1,0,1000,8000\n";

TEST_F(ForeignTable, ALaunchIsSimulatedAsItWasRecorded) {
  const json report = compare(kRow);
  const json recorded = json::parse(read_text(folder_.path("launches/h200/plain/a/copy/000/result.json")));
  ASSERT_EQ(report["points"].size(), 1U) << result_.error;
  const json& point = report["points"][0];
  EXPECT_EQ(point["group"], "foreign");
  EXPECT_EQ(point["metrics"]["cycles_elapsed"]["simulated"], recorded["cycles_elapsed"]);
  EXPECT_EQ(point["metrics"]["warp_instructions"]["simulated"], recorded["instructions"]["warp"]);
  EXPECT_EQ(point["metrics"]["cycles_elapsed"]["measured"], 8000);
}

TEST_F(ForeignTable, RacingLaunchesAreAGroupOfTheirOwn) {
  EXPECT_EQ(compare("plain/a/copy,0,copy,1x1x1,1,1000,8000\n")["points"][0]["group"], "foreign, races");
}

TEST_F(ForeignTable, ARaceWithinTheSpanOfItsRunsIsNoMiss) {
  const json recorded = json::parse(read_text(folder_.path("launches/h200/plain/a/copy/000/result.json")));
  const int cycles = recorded["cycles_elapsed"].get<int>();
  const auto table = [&](int races, int least, int most) {
    const std::string row = fmt::format("plain/a/copy,0,copy,1x1x1,{},1000,{},{},{}\n", races, 2 * cycles, least, most);
    compare(row, ",cycles_elapsed_min,cycles_elapsed_max");
    return result_.output;
  };
  const std::string within = table(1, cycles, 3 * cycles);
  EXPECT_THAT(within, AllOf(HasSubstr("Races within the span of their own runs"), Not(HasSubstr("Worst points"))));
  EXPECT_THAT(within, HasSubstr(fmt::format("-50.00 %  cycles_elapsed {} simulated, {} to {} measured", cycles, cycles,
                                            3 * cycles)));
  for (const std::string& miss :
       {table(1, cycles + 1, 3 * cycles), table(1, cycles - 2, cycles - 1), table(0, cycles, 3 * cycles)}) {
    EXPECT_THAT(miss, AllOf(HasSubstr("Worst points"), Not(HasSubstr("Races within the span"))));
  }
}

TEST_F(ForeignTable, APointFailsWhenItsProgramDidNotPass) {
  say("refused");
  std::filesystem::remove_all(folder_.path("launches/h200/plain/a/copy/000"));  // before its first launch
  EXPECT_THAT(compare(kRow)["points"][0]["failure"].get<std::string>(), HasSubstr("refused: uses wgmma"));
}

TEST_F(ForeignTable, APointFailsWhenMemoryIsNoLongerWhatWasRight) {
  const std::string file = "launches/h200/plain/a/copy/000/result.json";
  json recorded = json::parse(read_text(folder_.path(file)));
  recorded["buffers"]["D"]["hash"] = "0123456789abcdef";
  folder_.write(file, recorded.dump());
  EXPECT_THAT(compare(kRow)["points"][0]["failure"].get<std::string>(), HasSubstr("buffer D differs"));
}

TEST_F(ForeignTable, WhatIsNotRecordedIsSaid) {
  compare("plain/b/other,0,copy,1x1x1,0,1000,8000\n");
  EXPECT_EQ(result_.exit_code, 2);
  EXPECT_THAT(result_.error, HasSubstr("'scripts/foreign run --gpu h200' records them"));
  EXPECT_EQ(compare(kRow + "plain/b/other,0,copy,1x1x1,0,1000,8000\n")["points"].size(), 1U);
}

}  // namespace
}  // namespace stc::sim
