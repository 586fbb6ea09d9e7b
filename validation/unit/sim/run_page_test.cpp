// SPDX-License-Identifier: Apache-2.0
// The page of a run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kPagedGemm = "configs/workloads/gemm_512_integers.yaml";

class RunPage : public testing::Test {
 protected:
  /// The page of a small GEMM, run with these arguments.
  std::string page(std::vector<std::string> arguments) {
    const std::string file = folder_.path("page.html");
    const std::vector<std::string> usual = {"run",    kPagedGemm,
                                            "--set",  "options.values=addresses",
                                            "--set",  "options.check=false",
                                            "--set",  "workload.gemm.m=128",
                                            "--set",  "workload.gemm.k=128",
                                            "--html", file};
    arguments.insert(arguments.begin(), usual.begin(), usual.end());
    const ProgramResult ran = run_stcsim(arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.error;
    return contents(file);
  }
  TemporaryFolder folder_;
};

TEST_F(RunPage, SaysWhatBoundsARunAndWhereItsTimeGoes) {
  const std::string text = page({});
  for (const char* title : {"What bounds it?", "Where do warps spend their cycles?", "What is used when?",
                            "At which instructions do warps spend their time?", "How much of each level is used?",
                            "Which bytes cross each level?", "Where does the energy go?", "How to get this again"}) {
    EXPECT_THAT(text, HasSubstr(fmt::format("<h2>{}</h2>", title)));
  }
  EXPECT_THAT(text, AllOf(HasSubstr("HMMA.SP"), HasSubstr("Roofline of launch"), Not(HasSubstr("<h2>Why not"))));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST_F(RunPage, HasTheDenseKernelBesideAndTheWaterfall) {
  const std::string text = page({"--why", "--set", "options.compare_dense=true"});
  EXPECT_THAT(text, AllOf(HasSubstr("<h2>Why not 2x?</h2>"), HasSubstr("From the ideal to the simulated speedup"),
                          HasSubstr("Roofline of sparse"), HasSubstr("Roofline of dense"),
                          HasSubstr("--set options.ideal=launch,tail,latency,dram</code>")));
}

TEST_F(RunPage, OfOneKernelHasAWaterfallOfCycles) {
  const std::string text = page({"--why"});
  EXPECT_THAT(text, AllOf(HasSubstr("<h2>Where does the time go?</h2>"), HasSubstr("Cycles by what takes them"),
                          Not(HasSubstr("From the ideal to the simulated speedup"))));
}

TEST_F(RunPage, OfAKernelWithoutMatricesHasNoEmptyCharts) {
  const std::string root = std::filesystem::current_path().string();
  const std::string run_file =
      folder_.write("run.yaml", "gpu: " + root + "/configs/gpus/a100.yaml\nlaunch:\n  module: " + root +
                                    "/validation/unit/sim/data/misbehave.cubin\n  kernel: write_at\n"
                                    "  grid: [1]\n  block: [4]\n  buffers: {I: {bytes: 512}}\n"
                                    "  args: [I, {i32: 0}]\n");
  const ProgramResult ran = run_stcsim({"run", run_file, "--html", folder_.path("page.html")});
  ASSERT_EQ(ran.exit_code, 0) << ran.error;
  const std::string text = contents(folder_.path("page.html"));
  EXPECT_THAT(text, AllOf(HasSubstr("No bytes cross: register file, shared memory"), HasSubstr("Bytes of L2"),
                          Not(HasSubstr("Bytes of register file"))));
}

TEST_F(RunPage, IsAFileThatCanBeWritten) {
  const ProgramResult dash = run_stcsim({"run", kPagedGemm, "--html", "-"});
  EXPECT_EQ(dash.exit_code, 2);
  EXPECT_THAT(dash.error, HasSubstr("--html -: must be a file"));
  const ProgramResult nowhere = run_stcsim({"run", kPagedGemm, "--html", "/proc/no/page.html"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.error, HasSubstr("/proc/no"));
  EXPECT_THAT(folder_.files(), IsEmpty());
}

}  // namespace
}  // namespace stc::sim
