// SPDX-License-Identifier: Apache-2.0
// printf, assert, malloc, cooperative launches and refusals by feature, through the program.
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class DriverFunctions : public ::testing::TestWithParam<const char*> {  // parameter: sm_80 or sm_90
 protected:
  /// A run of a kernel of validation/functional/cubins with the buffers "in" and "out".
  ProgramResult run(const std::string& module, const std::string& kernel, const std::string& launch,
                    const std::vector<std::string>& more = {}) {
    const std::string root = std::filesystem::current_path().string();
    const std::string gpu = std::string(GetParam()) == "sm_80" ? "a100" : "h200";
    const std::string file = folder_.write(
        "run.yaml", "gpu: " + root + "/configs/gpus/" + gpu + ".yaml\nlaunch:\n  module: " + root +
                        "/validation/functional/cubins/" + GetParam() + "/sample_" + module +
                        ".cubin\n  kernel: " + kernel +
                        "\n  buffers:\n    in: {bytes: 65536, fill: {sequence: {type: i32, start: 0, step: 3}}}\n"
                        "    out: {bytes: 65536, fill: zero}\n" +
                        launch);
    std::vector<std::string> arguments{"run", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_stcsim(arguments);
  }
  std::vector<std::uint32_t> saved(const std::string& file) const {
    const std::vector<std::uint8_t> bytes = read_bytes(folder_.path(file));
    std::vector<std::uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return words;
  }

  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Sm, DriverFunctions, ::testing::Values("sm_80", "sm_90"));

constexpr char kPointers[] = "  grid: [1]\n  block: [32]\n  args: [out, {i32: 5}]\n";

TEST_P(DriverFunctions, PrintfComesBeforeTheReport) {
  const ProgramResult result = run("linked", "linked_pointers", kPointers);
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.output, StartsWith("loud 7\nloud 10\nloud 13\n"));
  EXPECT_THAT(result.output, HasSubstr("loud 34\n"));
}

TEST_P(DriverFunctions, PrintfLeavesJsonAlone) {
  const ProgramResult result = run("linked", "linked_pointers", kPointers, {"--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_THAT(result.error, HasSubstr("loud 7\nloud 10\n"));
  // One call by ten lanes: its time is that of the GPU file.
  const ProgramResult slower =
      run("linked", "linked_pointers", kPointers, {"--json", "-", "--set", "gpu.sm.driver.printf_cycles=100000"});
  const auto more = nlohmann::json::parse(slower.output);
  EXPECT_EQ(more["cycles"].get<int>() - json["cycles"].get<int>(), 100000 - 39400);
}

TEST_P(DriverFunctions, AFailedAssertionIsAFault) {
  const std::string launch = "  grid: [2]\n  block: [64]\n  args: [in, out, {i32: 300}]\n";
  const ProgramResult result = run("driver", "driver_assert", launch);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, AllOf(HasSubstr("assertion `values[i] < limit` failed"), HasSubstr("sample_driver.cu:22"),
                                  HasSubstr("CTA (1, 0, 0)"), HasSubstr("thread (36, 0, 0)")));
  EXPECT_EQ(run("driver", "driver_assert", launch, {"--set", "launch.args.2={i32: 400}"}).exit_code, 0);
}

TEST_P(DriverFunctions, TheHeapHasTheSizeThatTheRunFileSays) {
  const std::string launch = "  grid: [1]\n  block: [32]\n  args: [out, {i32: 1048576}]\n  save: {out: out.bin}\n";
  for (const int mib : {8, 3}) {
    const std::string key = "options.malloc_heap_bytes=" + std::to_string(mib << 20);
    const ProgramResult result = run("driver", "driver_heap_full", launch, {"--set", key});
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const auto out = saved("out.bin");
    EXPECT_EQ(std::count(out.begin(), out.end(), 1u), mib);
  }
}

/// What stack_depth of sample_special.cu computes.
std::uint32_t descend(std::uint32_t depth, const std::uint32_t* values) {
  std::uint32_t kept[12];
  for (std::uint32_t i = 0; i < 12; ++i) kept[i] = values[(depth + i) % 12];
  return (depth == 0 ? 0 : descend(depth - 1, kept)) + kept[depth % 12];
}

TEST_P(DriverFunctions, TheStackHasTheSizeThatTheRunFileSays) {
  const auto run_to = [&](int depth, const std::string& stack) {
    const std::string launch =
        "  grid: [1]\n  block: [32]\n  args: [out, {u32: " + std::to_string(depth) + "}]\n  save: {out: out.bin}\n";
    return run("special", "stack_depth", launch, {"--set", "options.stack_bytes=" + stack});
  };
  EXPECT_EQ(run_to(6, "1024").exit_code, 0);
  const ProgramResult beyond = run_to(40, "1024");
  EXPECT_EQ(beyond.exit_code, 3);
  EXPECT_THAT(beyond.error, HasSubstr("a thread has 1024 bytes of local memory (options.stack_bytes, "
                                      "cudaLimitStackSize, gives more to calls)"));
  EXPECT_EQ(run_to(40, "8192").exit_code, 0);
  std::uint32_t values[12];
  for (std::uint32_t i = 0; i < 12; ++i) values[i] = i * i;
  EXPECT_EQ(saved("out.bin")[31], descend(40, values));
  EXPECT_THAT(run_to(1, "0").error, HasSubstr("options.stack_bytes"));
}

TEST_P(DriverFunctions, CopiesOfCodeForADebuggerLand) {
  const ProgramResult result =
      run("debug", "debug_copies", "  grid: [1]\n  block: [64]\n  args: [in, out]\n  save: {out: out.bin}\n");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const auto out = saved("out.bin");
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], 3 * (63 - (i ^ 1)));
}

constexpr char kReduce[] =
    "  cooperative: true\n  grid: [16]\n  block: [128]\n  args: [in, {i32: 16384}, out]\n  save: {in: in.bin, out: "
    "out.bin}\n";

TEST_P(DriverFunctions, CtasOfACooperativeLaunchMeet) {
  const ProgramResult result = run("grid", "grid_reduce", kReduce);
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(saved("in.bin")[0], 3u * (16383u * 16384u / 2));
  EXPECT_EQ(saved("out.bin")[0], 14u);
}

TEST_P(DriverFunctions, ACooperativeLaunchMustFit) {
  const bool a100 = std::string(GetParam()) == "sm_80";
  const ProgramResult result = run("grid", "grid_reduce", kReduce, {"--set", "launch.grid=[4096]"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error,
              AllOf(HasSubstr("launch.grid"), HasSubstr("a cooperative launch needs all of its 4096 CTAs at once"),
                    HasSubstr(a100 ? "on each of 108 SMs" : "on each of 132 SMs")));
  const ProgramResult alone = run("grid", "grid_reduce", kReduce, {"--set", "launch.cooperative=false"});
  EXPECT_EQ(alone.exit_code, 3);  // grid.sync() traps
}

TEST_P(DriverFunctions, RefusalsNameTheFeature) {
  const ProgramResult result = run("linked", "linked_launches", "  grid: [1]\n  block: [1]\n  args: [out]\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error,
              AllOf(HasSubstr("kernel linked_launches uses dynamic parallelism"), Not(HasSubstr("opcode"))));
}

}  // namespace
}  // namespace stc::sim
