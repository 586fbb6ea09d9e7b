// SPDX-License-Identifier: Apache-2.0
// `stcsim run --profile` and `stcsim inspect --profile`, as a user calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/json_schema.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kGemm = "configs/workloads/gemm_512_integers.yaml";
constexpr const char* kCubin = "traces/kernels/sm_80/f16_sp24_128x128x64_w64x32_s3.cubin";
constexpr const char* kOther = "traces/kernels/sm_80/f16_sp24_64x64x64_w32x32_s4.cubin";
constexpr const char* kKernel = "workload.gemm.kernel=f16_sp24_128x128x64_w64x32_s3";

/// Profile of a small run, in `folder`.
std::string profiled(const TemporaryFolder& folder, std::vector<std::string> more = {},
                     const std::string& options = "values: addresses") {
  std::vector<std::string> arguments = {"run",       kGemm,
                                        "--set",     kKernel,
                                        "--set",     "workload.gemm.k=128",
                                        "--set",     "options={" + options + "}",
                                        "--profile", folder.path("p.json")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramResult result = run_stcsim(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  return folder.path("p.json");
}

TEST(ProfileProgram, WritesWhatItsSchemaSaysAndTheResultCounts) {
  const TemporaryFolder folder;
  const json profile = json::parse(read_text(profiled(folder, {"--json", folder.path("r.json"), "--threads", "3"})));
  const ProgramResult printed = run_stcsim({"inspect", "--profile-schema"});
  ASSERT_EQ(printed.exit_code, 0) << printed.error;
  EXPECT_THAT(JsonSchema(json::parse(printed.output)).violations(profile), IsEmpty());
  const json result = json::parse(read_text(folder.path("r.json")));
  const json& launch = profile["launches"][0];
  EXPECT_EQ(launch["kernel_hash"], result["provenance"]["kernel_hash"]);
  EXPECT_EQ(launch["cycles"], result["cycles"]);
  EXPECT_EQ(launch["totals"]["warp_executions"], result["instructions"]["warp"]);
  for (const auto& [reason, cycles] : launch["totals"]["stalls"].items()) EXPECT_EQ(cycles, result["stalls"][reason]);
  EXPECT_EQ(profile["stall_reasons"]["async_copy"]["nsight"], json({"long_scoreboard"}));
}

TEST(ProfileProgram, SeesTheDenseLaunchToo) {
  const TemporaryFolder folder;
  const json profile = json::parse(read_text(profiled(folder, {}, "values: addresses, compare_dense: true")));
  ASSERT_EQ(profile["launches"].size(), 2u);
  EXPECT_EQ(profile["launches"][0]["role"], "launch");
  EXPECT_EQ(profile["launches"][1]["role"], "dense");
}

TEST(ProfileProgram, InspectShowsAListing) {
  const TemporaryFolder folder;
  const ProgramResult shown = run_stcsim({"inspect", "--profile", profiled(folder), kCubin});
  EXPECT_EQ(shown.exit_code, 0) << shown.error;
  EXPECT_THAT(shown.output, AllOf(StartsWith("kernel f16_sp24_128x128x64_w64x32_s3\n"), HasSubstr("(long_scoreboard)"),
                                  HasSubstr("HMMA.SP"), HasSubstr("####"), Not(HasSubstr("\033"))));
}

TEST(ProfileProgram, AProfileOfAnotherCubinIsRefused) {
  const TemporaryFolder folder;
  const ProgramResult shown = run_stcsim({"inspect", "--profile", profiled(folder), kOther});
  EXPECT_EQ(shown.exit_code, 2);
  EXPECT_EQ(shown.output, "");
  EXPECT_THAT(shown.error,
              AllOf(HasSubstr("p.json: is no profile of traces/kernels/sm_80/f16_sp24_64x64x64_w32x32_s4.cubin"),
                    HasSubstr("it has f16_sp24_128x128x64_w64x32_s3 of a cubin with the hash")));
}

TEST(ProfileProgram, OtherJsonIsNoProfile) {
  const TemporaryFolder folder;
  const std::string file = folder.path("other.json");
  for (const char* text :
       {"", "[1, 2]", "{}", "{\"schema\": 3}", "{\"schema\": \"stcsim.profile/1\", \"launches\": [{}]}"}) {
    std::ofstream(file) << text;
    const ProgramResult shown = run_stcsim({"inspect", "--profile", file, kCubin});
    EXPECT_EQ(shown.exit_code, 2) << text;
    EXPECT_THAT(shown.error, AllOf(HasSubstr("other.json: is"), Not(HasSubstr("json.exception")))) << text;
  }
}

TEST(ProfileProgram, AListingTakesNoOtherForm) {
  const TemporaryFolder folder;
  const std::string file = profiled(folder);
  for (const std::string other : {"--json", "--listing"}) {
    const ProgramResult shown = run_stcsim({"inspect", "--profile", file, kCubin, other});
    EXPECT_EQ(shown.exit_code, 2);
    EXPECT_THAT(shown.error, HasSubstr(other + ": does not go with --profile"));
  }
}

TEST(ProfileProgram, WhatIsNoProfileIsRefused) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& text) {
    const ProgramResult shown = run_stcsim({"inspect", "--profile", folder.write("bad.json", text), kCubin});
    EXPECT_EQ(shown.exit_code, 2) << text;
    EXPECT_EQ(shown.output, "");
    return shown.error;
  };
  EXPECT_THAT(error_of("{"), HasSubstr("bad.json: is no profile"));
  EXPECT_THAT(error_of("[1]"), HasSubstr("bad.json: is no profile"));
  EXPECT_THAT(error_of(R"({"schema": "stcsim.result/1"})"), HasSubstr("is stcsim.result/1, not a profile"));
  EXPECT_THAT(error_of(R"({"schema": "stcsim.profile/1", "launches": [{"role": 3}]})"), HasSubstr("is no profile"));
  json profile = json::parse(read_text(profiled(folder)));
  json& instructions = profile["launches"][0]["instructions"];
  const json sound = instructions;
  const std::string sums = "is damaged: its instructions of f16_sp24_128x128x64_w64x32_s3 do not add up to its totals";
  for (const json& count : {json(-5), json(1.5), json(7)}) {
    instructions[3]["warp_executions"] = count;
    EXPECT_THAT(error_of(profile.dump()), HasSubstr(sums));
  }
  instructions = sound;
  instructions.erase(3);
  EXPECT_THAT(error_of(profile.dump()), HasSubstr(sums));
  instructions = sound;
  instructions[3]["address"] = 8;
  EXPECT_THAT(error_of(profile.dump()),
              HasSubstr("is damaged: its instructions of f16_sp24_128x128x64_w64x32_s3 are not"));
}

TEST(ProfileProgram, IsWrittenWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& profile, const std::string& option = "values: addresses") {
    return run_stcsim({"run", kGemm, "--set", "workload.gemm.k=128", "--set", "options={" + option + "}", "--json",
                       folder.path("r.json"), "--profile", profile});
  };
  const ProgramResult nowhere = run("/proc/nothing/p.json");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.error, HasSubstr("/proc/nothing"));
  const ProgramResult full = run("/dev/full");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.error, HasSubstr("/dev/full"));
  EXPECT_THAT(folder.files(), IsEmpty());  // nor the result
  const ProgramResult same = run(folder.path("r.json"));
  EXPECT_EQ(same.exit_code, 2);
  const ProgramResult sampled = run(folder.path("p.json"), "values: addresses, sampling: auto");
  EXPECT_EQ(sampled.exit_code, 2);
  EXPECT_THAT(sampled.error, HasSubstr("--profile: does not go with 'options.sampling'"));
  EXPECT_THAT(folder.files(), Not(testing::Contains("p.json")));
}

TEST(TimelineProgram, IsWrittenBesideTheResult) {
  const TemporaryFolder folder;
  profiled(folder, {"--timeline", folder.path("t.json"), "--timeline-sms", "0-2", "--timeline-window", "0-99999"});
  const json timeline = json::parse(read_text(folder.path("t.json")));
  EXPECT_GT(timeline["traceEvents"].size(), 1000u);
}

// What is left out of a file is said; launches share the room in it.
TEST(TimelineProgram, StaysSmallWithManyLaunches) {
  const TemporaryFolder folder;
  const ProgramResult result = run_stcsim({"run", kGemm, "--set", "workload.gemm.k=1024", "--set",
                                           "options={values: addresses, compare_dense: true}", "--timeline",
                                           folder.path("t.json"), "--timeline-sms", "0-107"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.error, AllOf(HasSubstr("timeline of f16_sp24_64x64x64_w32x32_s4: warps of SM "),
                                  HasSubstr(" more such lines\n")));
  const std::string text = read_text(folder.path("t.json"));
  std::size_t spans = 0;
  for (std::size_t at = text.find("\"at\""); at != std::string::npos; at = text.find("\"at\"", at + 1)) ++spans;
  EXPECT_GT(spans, 100'000u);
  EXPECT_LE(spans, 400'000u);
}

TEST(TimelineProgram, WhatCannotBeShownIsRefused) {
  const TemporaryFolder folder;
  const auto error_of = [&](std::vector<std::string> more, const std::string& options = "values: addresses") {
    std::vector<std::string> arguments = {
        "run", kGemm, "--set", "workload.gemm.k=128", "--set", "options={" + options + "}"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.output;
    return result.error;
  };
  const std::string file = folder.path("t.json");
  EXPECT_THAT(error_of({"--timeline", file, "--timeline-window", "900000-900001"}),
              HasSubstr("--timeline-window: begins at cycle 900000, but "));
  EXPECT_THAT(error_of({"--timeline", file, "--timeline-window", "9-8"}), HasSubstr("--timeline-window 9-8: must be"));
  EXPECT_THAT(error_of({"--timeline", file, "--timeline-window", "9"}), HasSubstr("--timeline-window 9: must be"));
  EXPECT_THAT(error_of({"--timeline", file, "--timeline-sms", "1,108"}),
              HasSubstr("--timeline-sms 1,108: '108' must be an SM from 0 to 107"));
  EXPECT_THAT(error_of({"--timeline-sms", "1"}), HasSubstr("--timeline-sms: needs --timeline"));
  EXPECT_THAT(error_of({"--timeline", file}, "values: addresses, sampling: auto"),
              HasSubstr("--timeline: does not go with 'options.sampling'"));
  EXPECT_THAT(error_of({"--profile", file}, "values: addresses, ideal: tail"),
              HasSubstr("--profile: does not go with 'tail' in options.ideal"));
  EXPECT_THAT(error_of({"--timeline", "/dev/full"}), HasSubstr("/dev/full"));
  EXPECT_THAT(folder.files(), IsEmpty());
}

}  // namespace
}  // namespace stc::sim
