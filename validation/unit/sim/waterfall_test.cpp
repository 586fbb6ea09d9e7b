// SPDX-License-Identifier: Apache-2.0
// Why not 2x: limits that are lifted, and the parts that they make of the gap.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/config/gpu_config.h"
#include "sim/config/ideal_limits.h"
#include "sim/launch/run_file.h"
#include "sim/result/waterfall.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

const std::vector<std::string> kGpuFiles = {"configs/gpus/a100.yaml", "configs/gpus/h200.yaml"};

WaterfallStep step(const std::string& lifted, std::uint64_t sparse, std::uint64_t dense) {
  return {lifted, lifted, "", "", {sparse, 400}, WaterfallRun{dense, 800}};
}

TEST(Waterfall, PartsSumToTheGap) {
  const Waterfall waterfall{{step("", 200, 300), step("launch", 160, 250), step("feed", 110, 205)}, 4};
  EXPECT_DOUBLE_EQ(waterfall.ideal(), 2);
  EXPECT_DOUBLE_EQ(waterfall.speedup(0), 1.5);
  const auto parts = waterfall.parts();
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].key, "kernel");
  EXPECT_DOUBLE_EQ(parts[0].speedup, 2 - 205.0 / 110);
  EXPECT_DOUBLE_EQ(parts[0].cycles, 10);
  EXPECT_EQ(parts[1].key, "feed");
  EXPECT_DOUBLE_EQ(parts[1].speedup, 205.0 / 110 - 250.0 / 160);
  EXPECT_DOUBLE_EQ(parts[1].dense_cycles, 45);
  EXPECT_EQ(parts[2].key, "launch");
  EXPECT_DOUBLE_EQ(parts[2].cycles, 40);
  double sum = 0;
  for (const Waterfall::Part& part : parts) sum += part.speedup;
  EXPECT_DOUBLE_EQ(sum, 0.5);
}

TEST(Waterfall, OfOneKernelIsOneOfCycles) {
  Waterfall waterfall{{step("", 200, 0), step("launch", 160, 0)}, 4};
  for (WaterfallStep& one : waterfall.steps) one.dense.reset();
  EXPECT_FALSE(waterfall.compares());
  EXPECT_DOUBLE_EQ(waterfall.least_cycles(false), 100);
  EXPECT_DOUBLE_EQ(waterfall.parts()[0].cycles, 60);
  EXPECT_DOUBLE_EQ(waterfall.parts()[1].cycles, 40);
}

// Every key changes some GPU, none is out of range, and no key belongs to two limits.
TEST(IdealLimits, KeysAreThoseOfGpus) {
  const GpuConfig a100 = read_gpu_config(kGpuFiles[0]), h200 = read_gpu_config(kGpuFiles[1]);
  std::set<std::string> seen;
  for (const IdealLimit& limit : ideal_limits()) {
    for (const Override& key : limit.keys) {
      EXPECT_TRUE(seen.insert(key.path).second) << key.path;
      if (key.path == "memory.hbm.far_extra_latency") continue;  // 0 on both
      const bool changes = read_gpu_config(kGpuFiles[0], {key}).hash != a100.hash ||
                           read_gpu_config(kGpuFiles[1], {key}).hash != h200.hash;
      EXPECT_TRUE(changes) << key.path;
    }
  }
  EXPECT_GT(seen.size(), 50u);
}

TEST(IdealLimits, TheManualHasEachWithItsKeys) {
  const std::string manual = read_text("configs/workloads/README.md");
  for (const IdealLimit& limit : ideal_limits()) {
    std::string keys;
    for (const Override& key : limit.keys)
      keys += fmt::format("{}`{}={}`", keys.empty() ? "" : ", ", key.path, key.value);
    if (keys.empty()) keys = "none";
    EXPECT_THAT(manual, HasSubstr(fmt::format("| `{}` | {} | {} |\n", limit.key, limit.meaning, keys)));
  }
}

RunOptions options(const std::string& text) { return read_run_options(ConfigNode::parse(text, "run.yaml"), true); }

TEST(IdealLimits, AreReadAsListOrText) {
  EXPECT_THAT(options("values: full\n").ideal, IsEmpty());
  EXPECT_THAT(options("ideal: none\n").ideal, IsEmpty());
  EXPECT_THAT(options("ideal: [dram, launch]\n").ideal, ElementsAre("launch", "dram"));
  EXPECT_THAT(options("ideal: feed, l2\n").ideal, ElementsAre("l2", "feed"));
  EXPECT_THAT(user_error([] { options("ideal: feed, l2,l2\n"); }), HasSubstr("l2"));
  EXPECT_THAT(user_error([] { options("ideal: cache\n"); }), HasSubstr("must be none or some of launch, tail"));
  EXPECT_THAT(user_error([] { options("ideal: [l2, cache]\n"); }), HasSubstr("cache"));
  EXPECT_THAT(user_error([] { options("ideal: l2\ntensor_core: steps\n"); }), HasSubstr("does not go with"));
}

constexpr const char* kAll = "launch,tail,latency,dram,l2,shared_memory,instructions,feed";

/// A small GEMM of the library beside its dense twin.
std::string small_gemm(const std::string& gpu, const std::string& kernel, const std::string& values) {
  return fmt::format(
      "gpu: {}\nworkload:\n  gemm: {{kernel: {}, m: 256, n: 256, k: 256, input: integers}}\n"
      "options: {{values: {}, compare_dense: true}}\n",
      std::filesystem::absolute(gpu).string(), kernel, values);
}

Json result_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--json", "-"});
  const ProgramResult ran = run_stcsim(arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.error;
  return parse_json(ran.output);
}

class Lifted : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  TemporaryFolder folder_;
};

// What is computed is that of the real GPU; only time is another.
TEST_P(Lifted, SameBitsAndInstructions) {
  const auto& [gpu, kernel] = GetParam();
  const std::string file = folder_.write("run.yaml", small_gemm(gpu, kernel, "full, check: true"));
  const Json real = result_of({file});
  const Json ideal = result_of({file, "--set", std::string("options.ideal=") + kAll});
  for (const char* key : {"buffers", "bytes", "check"}) EXPECT_EQ(ideal.at(key), real.at(key));
  for (const char* key : {"warp", "thread"})
    EXPECT_EQ(ideal.at("instructions").at(key), real.at("instructions").at(key));
  for (const char* key : {"instructions", "stored_macs"})
    EXPECT_EQ(ideal.at("tensor").at(key), real.at("tensor").at(key));
  EXPECT_LT(ideal.at("cycles").get<double>(), 0.6 * real.at("cycles").get<double>());
}

// Each part is the difference of two commands' speedups; together they are the gap.
TEST_P(Lifted, PartsAreThoseOfTheirCommands) {
  const auto& [gpu, kernel] = GetParam();
  const std::string file = folder_.write("run.yaml", small_gemm(gpu, kernel, "addresses"));
  const Json result = result_of({file, "--why"});
  const Json waterfall = result.at("waterfall");
  EXPECT_DOUBLE_EQ(waterfall.at("ideal_speedup").get<double>(), 2);
  EXPECT_DOUBLE_EQ(waterfall.at("speedup").get<double>(), result.at("comparison").at("speedup_elapsed").get<double>());
  const Json& parts = waterfall.at("parts");
  ASSERT_EQ(parts.size(), ideal_limits().size() + 1);
  double sum = 0;
  for (const Json& part : parts) sum += part.at("speedup_part").get<double>();
  const double gap = 2 - waterfall.at("speedup").get<double>();
  EXPECT_NEAR(sum, gap, 1e-9);
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}, parts.size() - 2}) {
    SCOPED_TRACE(parts[i].at("limit").get<std::string>());
    std::vector<std::string> words = split(parts[i].at("command").get<std::string>(), ' ');
    ASSERT_EQ(words.size(), 5u);  // stcsim run FILE --set options.ideal=...
    const Json again = result_of({words[2], words[3], words[4]});
    EXPECT_EQ(again.at("cycles_elapsed"), parts[i].at("cycles_elapsed"));
    EXPECT_EQ(again.at("dense").at("cycles_elapsed"), parts[i].at("dense_cycles_elapsed"));
    EXPECT_DOUBLE_EQ(again.at("comparison").at("speedup_elapsed").get<double>(), parts[i].at("speedup").get<double>());
  }
}

INSTANTIATE_TEST_SUITE_P(Gemms, Lifted,
                         testing::Values(std::make_tuple(kGpuFiles[0], "f16_sp24_64x64x64_w32x32_s4"),
                                         std::make_tuple(kGpuFiles[1], "f16_sp24_64x64x64_w32x32_s4"),
                                         std::make_tuple(kGpuFiles[0], "s8_sp24_128x128x128_w64x64_s3"),
                                         std::make_tuple(kGpuFiles[1], "tf32_sp12_128x128x32_w64x64_s3")));

TEST(Why, NeedsLimitsThatNobodyHasLifted) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("run.yaml", small_gemm(kGpuFiles[0], "f16_sp24_64x64x64_w32x32_s4", "addresses"));
  const ProgramResult lifted = run_stcsim({"run", file, "--why", "--set", "options.ideal=l2"});
  EXPECT_EQ(lifted.exit_code, 2);
  EXPECT_THAT(lifted.error, HasSubstr("options.ideal does not go with --why"));
  const ProgramResult twice = run_stcsim({"run", file, "--dense", file});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.error, HasSubstr("options.compare_dense does not go with --dense"));
}

// A dense kernel of the user's own: here a run file of the library's.
TEST(Why, TakesADenseKernelFromAnotherRunFile) {
  const TemporaryFolder folder;
  const std::string text =
      replaced(small_gemm(kGpuFiles[0], "f16_sp24_64x64x64_w32x32_s4", "addresses"), "true", "false");
  const std::string sparse = folder.write("sparse.yaml", text);
  const std::string dense = folder.write("dense.yaml", replaced(text, "sp24", "dense"));
  const Json own = result_of({sparse, "--dense", dense, "--why"});
  const Json twin = result_of({sparse, "--why", "--set", "options.compare_dense=true"});
  EXPECT_EQ(own.at("dense").at("cycles_elapsed"), twin.at("dense").at("cycles_elapsed"));
  for (std::size_t i = 0; i < own.at("waterfall").at("parts").size(); ++i) {
    EXPECT_EQ(own.at("waterfall").at("parts")[i].at("speedup_part"),
              twin.at("waterfall").at("parts")[i].at("speedup_part"));
  }
}

TEST(Why, RefusesADenseKernelOfOtherWork) {
  const TemporaryFolder folder;
  const std::string text =
      replaced(small_gemm(kGpuFiles[1], "f16_sp24_64x64x64_w32x32_s4", "addresses"), "true", "false");
  const std::string sparse = folder.write("sparse.yaml", text);
  const std::string larger = folder.write("larger.yaml", replaced(replaced(text, "sp24", "dense"), "k: 256", "k: 512"));
  const ProgramResult more = run_stcsim({"run", sparse, "--dense", larger, "--why"});
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_THAT(more.error,
              HasSubstr("--why compares kernels of the same product, but f16_sp24_64x64x64_w32x32_s4 has "));
  const std::string without =
      std::filesystem::absolute("validation/timing/runs/transpose.yaml").string();  // of the same GPU
  const ProgramResult other = run_stcsim({"run", sparse, "--dense", without, "--why"});
  EXPECT_EQ(other.exit_code, 2) << other.output;
  EXPECT_THAT(other.error, HasSubstr("executes no matrix instruction"));
}

}  // namespace
}  // namespace stc::sim
