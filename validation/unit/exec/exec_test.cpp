// SPDX-License-Identifier: Apache-2.0
// Programs under `stcsim exec`: what they see, how they end, what is told of them.
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

/// `stcsim exec OPTIONS -- program SCENARIO` on an A100 of two SMs.
ProgramResult exec(const std::string& scenario, std::vector<std::string> options = {}) {
  std::vector<std::string> words = {"exec", "--set", "sms=2"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", EXEC_PROGRAM, scenario});
  return run_stcsim(words);
}

class Passes : public testing::TestWithParam<const char*> {};
TEST_P(Passes, ItsOwnChecks) {
  const ProgramResult result = exec(GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_EQ(result.output, "");
}
TEST_P(Passes, ItsOwnChecksWithTheRuntimeOfCuda12) {
  const ProgramResult result = run_stcsim({"exec", "--set", "sms=2", "--", EXEC_PROGRAM_12, GetParam()});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
}
TEST_P(Passes, ItsOwnChecksWithValuesAlone) {
  const ProgramResult result = exec(GetParam(), {"--launch", "1000"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  EXPECT_THAT(result.error, HasSubstr(" launches, 0 timed"));
}
INSTANTIATE_TEST_SUITE_P(Exec, Passes,
                         testing::Values("copies", "pitched", "shared_with_host", "variables", "too_much", "registered",
                                         "questions", "refused_launches", "out_of_bounds", "misaligned",
                                         "waits_for_ever", "never_synchronises", "forks_after", "forks_before",
                                         "two_threads", "calls_what_is_missing", "other_device", "driver_launches",
                                         "driver_questions", "driver_and_runtime", "driver_lookups", "captured_graph",
                                         "capture_errors", "built_graph", "pools", "registered_memory",
                                         "driver_pitched", "driver_tables", "driver_contexts", "nodes_left_out",
                                         "graph_questions", "captured_parameters", "memory_is_gone",
                                         "reset_starts_anew", "tensor_maps"),
                         [](const auto& scenario) { return std::string(scenario.param); });

TEST(Exec, AllocationsTakeWhatIsWrittenOfThem) {
  const ProgramResult result = exec("mostly_untouched");
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error;
  rusage children{};
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &children), 0);
  EXPECT_LT(children.ru_maxrss, 1 << 20) << "KiB of the largest process";
}

TEST(Exec, KeepsTheExitCode) {
  EXPECT_EQ(exec("own_code").exit_code, 42);
  const ProgramResult ended = exec("crashes");
  EXPECT_EQ(ended.exit_code, 128 + 6);
  EXPECT_THAT(ended.error, HasSubstr("the program was ended by signal 6"));
  EXPECT_THAT(ended.error, HasSubstr("total: 1 launches, 1 timed"));
  EXPECT_EQ(exec("follows_device_pointer").exit_code, 128 + 11);
}

TEST(Exec, TellsOfFaultsAndRefusals) {
  EXPECT_THAT(exec("out_of_bounds").error, HasSubstr("launch 1, read_at: kernel 'read_at', instruction LDG.E"));
  EXPECT_THAT(exec("waits_for_ever").error, HasSubstr("failed, error 702"));
  EXPECT_THAT(exec("refused_launches").error, HasSubstr("a grid of 1 x 65536 x 1 CTAs"));
  EXPECT_THAT(exec("not_modelled").error, HasSubstr("uses %gridid (2 instructions), which is not modelled"));
  EXPECT_THAT(exec("ptx_alone").error, HasSubstr("only compute_75, sm_90; compile it with -arch=sm_80"));
  EXPECT_THAT(exec("damaged").error, HasSubstr("a damaged fat binary"));
  EXPECT_THAT(exec("calls_what_is_missing").error,
              HasSubstr("cudaCreateTextureObject was called, which is not there: it returned cudaErrorNotSupported"));
  EXPECT_THAT(exec("never_uses_gpu").error, HasSubstr("nvcc -cudart shared"));
  EXPECT_THAT(exec("forks_after").error, HasSubstr("a fork of a process that uses the GPU has none itself"));
}

TEST(Exec, EmptyArgumentsArePassedOn) {
  const ProgramResult result =
      run_stcsim({"exec", "--set", "sms=2", "--", "/bin/sh", "-c", "printf '[%s]' \"$@\"", "sh", "a", "", "b"});
  EXPECT_EQ(result.output, "[a][][b]") << result.error;
  EXPECT_THAT(run_stcsim({"exec", "--", "", "a"}).error, HasSubstr("PROGRAM: is empty"));
}

TEST(Exec, ARuntimeInsideTheProgramIsNamed) {
  const ProgramResult result = exec("asks_for_tables");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("relink with -cudart shared"));
}

TEST(Exec, OutputOfThreadsComesInOrderAndAlone) {
  const ProgramResult result = exec("prints");
  EXPECT_EQ(result.output.find("before\n[0]    1.500|"), 0U) << result.output;
  EXPECT_EQ(result.output.rfind("after\n"), result.output.size() - 6) << result.output;
}

TEST(Exec, WritesAPageOfItsLaunches) {
  const TemporaryFolder folder;
  EXPECT_EQ(exec("registered", {"--html", folder.path("page.html")}).exit_code, 0);
  EXPECT_THAT(contents(folder.path("page.html")),
              testing::AllOf(testing::HasSubstr("<h2>Which kernels take the time?</h2>"),
                             testing::HasSubstr("<h2>Launch by launch</h2>"), testing::Not(testing::HasSubstr("nan"))));
  for (const std::string option : {"--html", "--json", "--profile"}) {
    const ProgramResult dash = exec("registered", {option, "-"});
    EXPECT_EQ(dash.exit_code, 2);
    EXPECT_THAT(dash.error, testing::HasSubstr(option + " -: standard output is the program's own"));
  }
}

TEST(Exec, ItsPageSaysWhatFailedAndHowALaunchIsLookedInto) {
  const TemporaryFolder folder;
  const std::string page = folder.path("page.html");
  EXPECT_EQ(exec("driver_launches", {"--html", page}).exit_code, 0);
  EXPECT_THAT(contents(page),
              testing::AllOf(HasSubstr("launch 4, write_at: a grid of 0 x 1 x 1 CTAs (error 9)"),
                             HasSubstr("--launch 1 --capture kept -- " EXEC_PROGRAM " driver_launches</code>"),
                             HasSubstr("Keys that --set changed must stand in a GPU file"),
                             HasSubstr("<code>stcsim run kept/001/run.yaml --why --html launch.html</code>")));
  EXPECT_EQ(exec("registered", {"--html", page}).exit_code, 0);
  EXPECT_THAT(contents(page), Not(HasSubstr("What failed?")));
}

TEST(Exec, WhatIsOfOneLaunchIsRefusedWithTheWayToIt) {
  for (const char* option : {"--why", "--timeline"}) {
    const ProgramResult result = exec("registered", {option});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.error, testing::AllOf(HasSubstr(option), HasSubstr("stcsim exec --launch N --capture DIR"),
                                             HasSubstr(std::string("stcsim run DIR/00N/run.yaml ") + option)));
  }
}

TEST(Exec, TimesAreTheSameInEveryRunAndInJson) {
  const TemporaryFolder folder;
  const ProgramResult first = exec("times", {"--json", folder.path("a.json")}), second = exec("times");
  EXPECT_EQ(first.exit_code, 0) << first.output;
  EXPECT_EQ(first.output, second.output);
  const auto json = nlohmann::json::parse(read_text(folder.path("a.json")));
  EXPECT_EQ(json["schema"], "stcsim.exec/1");
  EXPECT_EQ(json["exit_code"], 0);
  ASSERT_EQ(json["launches"].size(), 1U);
  const auto& launch = json["launches"][0];
  EXPECT_EQ(launch["kernel"], "write_at");
  EXPECT_EQ(launch["block"], (nlohmann::json{32, 1, 1}));
  EXPECT_NEAR(launch["time_us"].get<double>(), std::stod(first.output), 1e-3);
  EXPECT_EQ(launch["cycles"], launch["result"]["cycles_elapsed"]);
  EXPECT_EQ(json["total"]["cycles"], launch["cycles"]);
}

TEST(Exec, LaunchesAreTimedAsAsked) {
  const TemporaryFolder folder;
  EXPECT_EQ(exec("registered", {"--launch", "2-3", "--json", folder.path("a.json")}).exit_code, 0);
  EXPECT_THAT(exec("registered", {"--launch", "2-3,77"}).error, HasSubstr("--launch 77: the program made "));
  const auto json = nlohmann::json::parse(read_text(folder.path("a.json")));
  EXPECT_EQ(json["launches"][0]["timed"], false);
  EXPECT_EQ(json["launches"][0].count("cycles"), 0U);
  EXPECT_EQ(json["launches"][1]["timed"], true);
  EXPECT_EQ(json["total"]["timed"], 2);
  for (const char* wrong : {"0", "3-2", "1,", "a", "1-2-3", "-1"}) {
    const ProgramResult result = exec("registered", {"--launch", wrong});
    EXPECT_EQ(result.exit_code, 2) << wrong;
    EXPECT_THAT(result.error, HasSubstr("must be a launch's number, from 1, or a range such as 3-5")) << wrong;
  }
}

/// A captured launch is the same launch to `stcsim run`: variables that were set, buffers, arguments, cycles.
// Launches of a kernel are added up; launches that are not timed are not seen.
TEST(Exec, AProfileAddsUpToTheTimedLaunches) {
  const TemporaryFolder folder;
  const ProgramResult result =
      exec("registered", {"--launch", "2-3", "--json", folder.path("a.json"), "--profile", folder.path("p.json")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  const auto json = nlohmann::json::parse(read_text(folder.path("a.json")));
  const auto profile = nlohmann::json::parse(read_text(folder.path("p.json")));
  std::uint64_t launches = 0, executed = 0, timed = 0;
  for (const auto& kernel : profile["launches"]) {
    EXPECT_EQ(kernel["role"], "program");
    launches += kernel["launches"].get<std::uint64_t>();
    executed += kernel["totals"]["warp_executions"].get<std::uint64_t>();
  }
  for (const auto& launch : json["launches"]) {
    if (launch["timed"]) timed += launch["result"]["instructions"]["warp"].get<std::uint64_t>();
  }
  EXPECT_EQ(launches, 2U);
  EXPECT_GT(executed, 0U);
  EXPECT_EQ(executed, timed);
}

TEST(Exec, CapturedLaunchesRunAgain) {
  const TemporaryFolder folder;
  const ProgramResult program = run_stcsim({"exec", "--cold", "--capture", folder.path("kept"), "--json",
                                            folder.path("exec.json"), "--", EXEC_PROGRAM, "variables"});
  ASSERT_EQ(program.exit_code, 0) << program.output << program.error;
  const auto launches = nlohmann::json::parse(read_text(folder.path("exec.json")))["launches"];
  ASSERT_EQ(launches.size(), 2U);
  for (const std::string number : {"001", "002"}) {
    const ProgramResult again = run_stcsim({"run", folder.path("kept/" + number + "/run.yaml"), "--json", "-"});
    ASSERT_EQ(again.exit_code, 0) << again.error;
    const auto& launch = launches[number == "001" ? 0 : 1];
    const auto result = nlohmann::json::parse(again.output);
    EXPECT_EQ(result["cycles_elapsed"], launch["cycles"]) << number;
    ASSERT_FALSE(result["expectations"].empty()) << number;
    for (const auto& expected : result["expectations"]) EXPECT_EQ(expected["passed"], true) << expected;
  }
  // The second launch reads what the host and the first launch have written; its result stands in the third buffer.
  const std::string second = read_text(folder.path("kept/002/run.yaml"));
  EXPECT_THAT(second, HasSubstr("coefficients: {fill: {file: "));
  EXPECT_THAT(second, HasSubstr("table: {address: "));
  // Data that were cut off on their way are no data.
  const std::size_t begin = second.find("data/", second.find("coefficients: {fill: {file: "));
  const std::string file = "kept/" + second.substr(begin, second.find('}', begin) - begin);
  folder.write(file, contents(folder.path(file)).substr(1));
  const ProgramResult cut = run_stcsim({"run", folder.path("kept/002/run.yaml")});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.error, HasSubstr(" bytes, but "));
  EXPECT_EQ(
      run_stcsim({"exec", "--set", "sms=2", "--capture", folder.path("b"), "--", EXEC_PROGRAM, "copies"}).exit_code, 2);
}

/// What `stcgpu capture` kept on an H200: the same instructions, as its profiler counted them, and the same memory.
TEST(Exec, LaunchesThatAnH200MadeRunHere) {
  const int instructions[] = {3321, 5676, 924, 5527, 5527, 2866, 4399};
  for (int i = 0; i < 7; ++i) {
    const std::string folder = "validation/unit/exec/data/h200_launches/00" + std::to_string(i + 1);
    const ProgramResult result = run_stcsim({"run", folder + "/run.yaml", "--json", "-"});
    ASSERT_EQ(result.exit_code, 0) << folder << result.output << result.error;
    const auto launch = nlohmann::json::parse(result.output);
    EXPECT_EQ(launch["instructions"]["warp"], instructions[i]) << folder;
    ASSERT_FALSE(launch["expectations"].empty()) << folder;
    for (const auto& one : launch["expectations"]) EXPECT_EQ(one["passed"], true) << folder << one;
  }
}

/// Variables that only kernels know are kept, too: their addresses decide how long the replay takes.
TEST(Exec, CapturesKeepVariablesThatTheHostNeverAskedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_stcsim({"exec", "--cold", "--capture", folder.path("kept"), "--", EXEC_PROGRAM, "unasked_variables"})
                .exit_code,
            0);
  EXPECT_THAT(read_text(folder.path("kept/001/run.yaml")),
              testing::AllOf(HasSubstr("    table: {address: 0x"), HasSubstr("    - {buffer: table, file: ")));
  EXPECT_EQ(run_stcsim({"run", folder.path("kept/001/run.yaml")}).exit_code, 0);
}

/// Launches of an earlier capture would be taken for some of this one.
TEST(Exec, CapturesMixWithNoEarlierOnes) {
  const TemporaryFolder folder;
  const auto capture = [&](const std::string& place) {
    return run_stcsim({"exec", "--capture", folder.path(place), "--", EXEC_PROGRAM, "own_code"});
  };
  EXPECT_EQ(capture("kept").exit_code, 42);
  const ProgramResult again = capture("kept");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.error, HasSubstr("kept: holds launches of an earlier capture (001); remove them or name another "
                                     "folder"));
  folder.write("several/process2/001/run.yaml", "");
  EXPECT_EQ(capture("several").exit_code, 2);
  folder.write("others/data/a.bin", "");
  EXPECT_EQ(capture("others").exit_code, 42);
}

/// The same of launches of the driver's interface and of a graph's kernels: they leave the bytes that the GPU left.
TEST(Exec, LaunchesOfTheDriverAndOfGraphsThatAnH200MadeRunHere) {
  const std::string data = "validation/unit/exec/data/";
  for (const char* folder : {"h200_driver/001", "h200_driver/002", "h200_driver/003", "h200_graph/001",
                             "h200_graph/002", "h200_graph/003", "h200_graph/004"}) {
    const ProgramResult result = run_stcsim({"run", data + folder + "/run.yaml", "--json", "-"});
    ASSERT_EQ(result.exit_code, 0) << folder << result.output << result.error;
    const auto expectations = nlohmann::json::parse(result.output)["expectations"];
    ASSERT_FALSE(expectations.empty()) << folder;
    for (const auto& one : expectations) EXPECT_EQ(one["passed"], true) << folder << one;
  }
}

TEST(Exec, CachesAreAsLeftUnlessCold) {
  const auto cycles = [](const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    std::vector<std::string> all = {"--json", folder.path("a.json")};
    all.insert(all.end(), options.begin(), options.end());
    EXPECT_EQ(exec("registered", all).exit_code, 0);
    const auto json = nlohmann::json::parse(read_text(folder.path("a.json")));
    return std::pair{json["launches"][0]["cycles"].get<int>(), json["launches"][1]["cycles"].get<int>()};
  };
  const auto [first, second] = cycles({});
  const auto [cold_first, cold_second] = cycles({"--cold"});
  EXPECT_EQ(first, cold_first);
  EXPECT_LT(second, cold_second);
}

TEST(Exec, NothingIsStartedOrWrittenAfterAMistake) {
  const TemporaryFolder folder;
  const std::string json = folder.path("a.json");
  const ProgramResult absent = run_stcsim({"exec", "--json", json, "--", "./no-such-program"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_EQ(absent.error, "stcsim: ./no-such-program: cannot be started: No such file or directory\n");
  EXPECT_EQ(exec("own_code", {"--json", "-"}).exit_code, 2);
  EXPECT_THAT(exec("own_code", {"--gpu", "no.yaml"}).error, HasSubstr("no.yaml"));
  EXPECT_THAT(exec("own_code", {"--json", "/dev/null/a.json"}).error, Not(HasSubstr("total")));
  const ProgramResult unwritable = run_stcsim({"exec", "--capture", "/dev/null/kept", "--", EXEC_PROGRAM, "own_code"});
  EXPECT_EQ(unwritable.exit_code, 2);
  EXPECT_THAT(unwritable.error, HasSubstr("/dev/null/kept"));
  EXPECT_THAT(unwritable.error, Not(HasSubstr("total")));
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace stc::sim
