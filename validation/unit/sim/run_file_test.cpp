// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/run_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/files.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/gemm_workload.h"
#include "sim/launch/prepared_launch.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kLaunch =
    "gpu: g.yaml\n"
    "launch:\n"
    "  module: k.cubin\n"
    "  grid: [32, 2]\n"
    "  block: [256]\n"
    "  dynamic_shared_bytes: 1024\n"
    "  buffers:\n"
    "    A: {bytes: 64, role: weight, fill: {random_f16: {seed: 1}}}\n"
    "    D: {bytes: 128}\n"
    "  args: [A, {i32: 4}, D]\n"
    "  save: {D: d.bin}\n"
    "options: {l2: warm}\n";

constexpr const char* kGemm =
    "gpu: g.yaml\n"
    "workload:\n"
    "  gemm: {kernel: f16_sp24_64x64x64, m: 128, n: 64, k: 64}\n"
    "options: {check: true}\n";

class RunFileTest : public testing::Test {
 protected:
  RunFile read(const std::string& text, const std::vector<Override>& sets = {}) {
    return read_run_file(folder_.write("run.yaml", text), sets);
  }
  std::string error(const std::string& text, const std::vector<Override>& sets = {}) {
    return user_error([&] { read(text, sets); });
  }
  /// `text` with one piece replaced.
  static std::string edit(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  TemporaryFolder folder_;
};

TEST_F(RunFileTest, ANamedKernelMustBeOfTheKindThatBestWasAskedFor) {
  const std::string best = edit(kGemm, "kernel: f16_sp24_64x64x64", "kernel: best, type: f16, pattern: '2:4'");
  EXPECT_TRUE(std::get<GemmPlan>(read(best).work).best);
  const auto resolved = [&](const std::string& kernel) {
    const GemmPlan plan = std::get<GemmPlan>(read(best, {{"workload.gemm.kernel", kernel}}).work);
    EXPECT_FALSE(plan.best);
    return resolve_gemm(plan, Manifest::load(plan.kernels_folder)).kernel.name;
  };
  EXPECT_EQ(resolved("f16_sp24_64x64x64"), Manifest::load(default_kernels_folder()).find("f16_sp24_64x64x64")->name);
  EXPECT_THAT(user_error([&] { resolved("f16_dense_64x64x64"); }),
              AllOf(HasSubstr("has type f16 and pattern dense, but f16 2:4 is asked for"),
                    HasSubstr("--set workload.gemm.kernel=f16_dense_64x64x64")));
  EXPECT_THAT(user_error([&] { resolved("bf16_sp24_128x128x64"); }), HasSubstr("has type bf16 and pattern 2:4"));
  EXPECT_THAT(error(edit(kGemm, "kernel: f16_sp24_64x64x64", "kernel: f16_sp24_64x64x64, tile: [64, 64, 64]")),
              HasSubstr("unknown key of workload.gemm: 'tile'"));
}

TEST_F(RunFileTest, LowLevelForm) {
  const RunFile run = read(kLaunch);
  const auto& plan = std::get<LaunchPlan>(run.work);
  EXPECT_EQ(run.gpu_file, folder_.path("g.yaml"));
  EXPECT_EQ(plan.module, folder_.path("k.cubin"));
  EXPECT_EQ(plan.kernel, "");
  EXPECT_EQ(plan.grid.x, 32u);
  EXPECT_EQ(plan.grid.y, 2u);
  EXPECT_EQ(plan.grid.z, 1u);
  EXPECT_EQ(plan.buffers[0].role, DataRole::kWeight);
  EXPECT_EQ(plan.arguments.size(), 3u);
  EXPECT_EQ(run.saves[0].file, "d.bin");
  EXPECT_TRUE(run.options.full_values);
  EXPECT_TRUE(run.options.warm_l2);
}

TEST_F(RunFileTest, GemmForm) {
  const RunFile run = read(kGemm, {{"workload.gemm.m", "256"}, {"gpu.sms", "4"}});
  const auto& plan = std::get<GemmPlan>(run.work);
  EXPECT_EQ(plan.m, 256);
  EXPECT_EQ(plan.n, 64);
  EXPECT_EQ(plan.seed, 1u);
  EXPECT_TRUE(run.options.check);
  ASSERT_EQ(run.gpu_overrides.size(), 1u);
  EXPECT_EQ(run.gpu_overrides[0].path, "sms");
}

TEST_F(RunFileTest, MisspeltKeysAreNamedWithPlace) {
  EXPECT_THAT(error(edit(kLaunch, "args:", "arg:")),
              HasSubstr("run.yaml:10:3: unknown key of launch: 'arg'; did you mean 'args'?"));
  EXPECT_THAT(error(edit(kGemm, "kernel:", "kernal:")),
              HasSubstr("run.yaml:3:10: unknown key of workload.gemm: 'kernal'; did you mean 'kernel'?"));
  EXPECT_THAT(error(edit(kGemm, "check", "chek")), HasSubstr("did you mean 'check'?"));
  EXPECT_THAT(error(kGemm, {{"workload.gemm.mm", "1"}}), HasSubstr("--set workload.gemm.mm=1: unknown key"));
}

TEST_F(RunFileTest, WrongTypesAndRanges) {
  EXPECT_THAT(error(edit(kGemm, "m: 128", "m: wide")),
              HasSubstr("workload.gemm.m must be a whole number, but is 'wide'"));
  EXPECT_THAT(error(edit(kGemm, "k: 64", "k: 0")),
              HasSubstr("run.yaml:3:52: workload.gemm.k is 0, but must lie in 1 .."));
  EXPECT_THAT(error(edit(kGemm, "k: 64", "k: -64")), HasSubstr("workload.gemm.k is -64"));
  EXPECT_THAT(error(edit(kLaunch, "[32, 2]", "32")), HasSubstr("launch.grid must be a list"));
  EXPECT_THAT(error(edit(kLaunch, "[32, 2]", "[0]")), HasSubstr("must lie in 1 .."));
  EXPECT_THAT(error(edit(kLaunch, "[32, 2]", "[1, 1, 1, 1]")), HasSubstr("1 to 3 sizes"));
  EXPECT_THAT(error(edit(kLaunch, "warm", "hot")), HasSubstr("unknown value 'hot'. Allowed: cold, warm"));
  EXPECT_THAT(error(edit(kLaunch, "bytes: 64", "bytes: 63")), HasSubstr("no multiple of the 2 of an f16"));
  EXPECT_THAT(error(edit(kLaunch, "{bytes: 128}", "{role: output}")),
              HasSubstr("key 'bytes' of launch.buffers.D is missing"));
}

TEST_F(RunFileTest, AnEmptyKernelNameIsNoMissingOne) {
  EXPECT_THAT(error(kLaunch, {{"launch.kernel", "\"\""}}), HasSubstr("launch.kernel is empty"));
}

TEST_F(RunFileTest, UnknownBuffersAreNamed) {
  EXPECT_THAT(error(edit(kLaunch, "[A, {i32: 4}, D]", "[A, {i32: 4}, C]")),
              HasSubstr("launch.args.2 unknown buffer 'C'"));
  EXPECT_THAT(error(edit(kLaunch, "{i32: 4}, D]", "{hex: '0011223344556677', at: {0: C}}]")),
              HasSubstr("launch.args.1.at.0 unknown buffer 'C'"));
  EXPECT_THAT(error(edit(kLaunch, "{D: d.bin}", "{Q: d.bin}")), HasSubstr("unknown buffer 'Q'"));
  EXPECT_THAT(error(edit(kLaunch, "    D: {bytes: 128}", "    A: {bytes: 128}")), HasSubstr("key 'A' is given twice"));
}

TEST_F(RunFileTest, ImpossibleOptionsAreRefused) {
  EXPECT_THAT(error(kGemm, {{"options.values", "addresses"}}), HasSubstr("check needs 'values: full'"));
  EXPECT_THAT(error(kLaunch, {{"options.check", "true"}}), HasSubstr("for a workload of the library only"));
  EXPECT_THAT(error("gpu: g.yaml\n"), HasSubstr("either 'launch'"));
}

class GemmPlanTest : public RunFileTest {
 protected:
  std::string resolve_error(const std::vector<Override>& sets) {
    return user_error([&] {
      const RunFile run = read(kGemm, sets);
      const auto& plan = std::get<GemmPlan>(run.work);
      resolve_gemm(plan, Manifest::load(plan.kernels_folder));
    });
  }
};

TEST_F(GemmPlanTest, SizesMustBeMultiplesOfTheTile) {
  EXPECT_THAT(
      resolve_error({{"workload.gemm.m", "100"}}),
      AllOf(HasSubstr("--set workload.gemm.m=100: workload.gemm.m is 100, but must be a multiple of the tile size 64"),
            HasSubstr("(64 or 128)")));
  EXPECT_THAT(resolve_error({{"workload.gemm.k", "32"}}), HasSubstr("(64)"));
}

TEST_F(GemmPlanTest, UnknownKernelNamesTheNearest) {
  EXPECT_THAT(
      resolve_error({{"workload.gemm.kernel", "f16_sp24_128x128x64_w64x32_s9"}}),
      HasSubstr("unknown kernel 'f16_sp24_128x128x64_w64x32_s9'; did you mean 'f16_sp24_128x128x64_w64x32_s3'?"));
}

TEST_F(GemmPlanTest, InputsMustBeExactWhenWhole) {
  EXPECT_THAT(resolve_error({{"workload.gemm.input", "integers"}, {"workload.gemm.high", "4096"}}),
              HasSubstr("only up to 2048"));
  EXPECT_THAT(resolve_error({{"workload.gemm.input", "integers"}, {"workload.gemm.high", "2000"}}), HasSubstr("2^24"));
  EXPECT_THAT(resolve_error({{"workload.gemm.input", "integers"}, {"workload.gemm.low", "0.5"}}),
              HasSubstr("whole numbers"));
}

TEST(Configs, EveryRunFileLoadsAndItsLaunchCanBeMade) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("configs/workloads")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    const RunFile run = read_run_file(entry.path().string());
    const GpuConfig gpu = read_gpu_config(run.gpu_file);
    if (run.is_gemm()) {
      auto plan = std::get<GemmPlan>(run.work);
      if (plan.best) {
        const std::vector<LibraryKernel> kernels = Manifest::load(plan.kernels_folder).kernels;
        plan.kernel = std::find_if(kernels.begin(), kernels.end(), [&](const LibraryKernel& kernel) {
                        return kernel.element == plan.type && kernel.pattern_name() == plan.pattern;
                      })->name;
      }
      const GemmProblem problem = resolve_gemm(plan, Manifest::load(plan.kernels_folder));
      EXPECT_TRUE(std::filesystem::exists(prepare_gemm(problem, gpu.params.sm_version, nullptr).module));
    } else if (!run.is_convolution()) {  // those are tried in validation/unit/convolution
      EXPECT_TRUE(std::filesystem::exists(prepare_launch(std::get<LaunchPlan>(run.work)).module));
    }
    ++files;
  }
  EXPECT_GE(files, 5);
}

// The manual, the help text and the reader know the same options.
TEST(RunOptions, TheManualHasARowForEach) {
  std::string table = "| key | values | meaning |\n|---|---|---|\n";
  for (const RunOption& option : run_options()) {
    table += fmt::format("| `{}` | {} | {} |\n", option.key, option.values, option.meaning);
  }
  EXPECT_THAT(read_text("configs/workloads/README.md"), testing::HasSubstr("\n" + table + "\n"));
}

/// What is said of options that do not go together.
std::string contradiction(const std::string& options) {
  try {
    read_run_options(ConfigNode::parse(options, "run.yaml"), true);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(RunOptions, SamplingLooksAtNoCtaClosely) {
  EXPECT_EQ(contradiction("sampling: auto\n"), "");
  EXPECT_THAT(contradiction("sampling: auto\ntensor_core: steps\n"),
              testing::HasSubstr("does not go with 'tensor_core: steps'"));
  EXPECT_THAT(contradiction("values: addresses\nsampling: auto\npoison: true\n"),
              testing::HasSubstr("does not go with 'poison'"));
  EXPECT_THAT(contradiction("values: addresses\nsampling: auto\ncheck_dependences: true\n"),
              testing::HasSubstr("does not go with 'check_dependences'"));
  EXPECT_EQ(contradiction("values: addresses\nsampling: auto\n"), "");
}

TEST(RunOptions, IdealNamesEachLimitOnce) {
  EXPECT_THAT(contradiction("ideal: \"l2,dram, l2\"\n"), testing::HasSubstr("names l2 2 times"));
  EXPECT_THAT(contradiction("ideal: [dram, dram]\n"), testing::HasSubstr("names dram 2 times"));
  EXPECT_THAT(contradiction("ideal: \"none,l2\"\n"), testing::HasSubstr("must be none or some of"));
  EXPECT_EQ(contradiction("ideal: \"l2, dram\"\n"), "");
}

TEST(RunOptions, TextsAreWhatARunFileWouldSay) {
  const std::string given =
      "values: full\nl2: warm\nsampling: off\ncheck: true\ncompare_dense: true\ntensor_core: steps\ncheck_dependences: "
      "true\n"
      "poison: true\nmalloc_heap_bytes: 4096\nstack_bytes: 2048\nidle_cycles: 90000\nmax_cycles: 7\nideal: none\n";
  std::string texts;
  for (const auto& [key, text] : texts_of(read_run_options(ConfigNode::parse(given, "run.yaml"), true))) {
    texts += fmt::format("{}: {}\n", key, text);
  }
  EXPECT_EQ(texts, given);
}

}  // namespace
}  // namespace stc::sim
