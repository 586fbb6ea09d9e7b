// SPDX-License-Identifier: Apache-2.0
// `stcsim run --keep`: a launch becomes a run file of its own, whose kernel is machine code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class KeptRun : public testing::Test {
 protected:
  std::string run_file(const std::string& gpu, const std::string& gemm) {
    const std::string file = folder_.path("run.yaml");
    std::ofstream(file) << "gpu: " << std::filesystem::absolute("configs/gpus/" + gpu + ".yaml").string()
                        << "\nworkload:\n  gemm: {" << gemm << "}\n";
    return file;
  }
  std::string kept() const { return folder_.path("kept"); }
  nlohmann::json result(const std::string& file, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"run", file, "--json", "-"});
    const ProgramResult ran = run_stcsim(arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.error;
    return nlohmann::json::parse(ran.output);
  }
  /// The kept launch takes the same cycles and leaves the same D, which it is told to expect.
  void expect_same_again(const std::string& gpu, const std::string& gemm) {
    const nlohmann::json first = result(run_file(gpu, gemm), {"--keep", kept()});
    const nlohmann::json again = result(kept() + "/001/run.yaml");
    EXPECT_EQ(again.at("cycles"), first.at("cycles"));
    EXPECT_EQ(again.at("instructions"), first.at("instructions"));
    ASSERT_EQ(again.at("expectations").size(), 1u);
    EXPECT_TRUE(again.at("expectations")[0].at("passed"));
    EXPECT_THAT(contents(kept() + "/001/run.yaml"), HasSubstr("expect:\n    - {buffer: D, "));
    EXPECT_EQ(again.at("bytes"), first.at("bytes"));  // of weights, metadata, activations, outputs
  }
  TemporaryFolder folder_;
};

constexpr const char* kBuiltSparse =
    "pattern: \"2:4\", type: f16, tile: [64, 64, 64], warp: [32, 32], stages: 3, m: 128, n: 128, k: 192";
constexpr const char* kBuiltDense =
    "pattern: dense, type: f16, tile: [64, 64, 64], warp: [32, 32], stages: 3, m: 128, n: 128, k: 192";

TEST_F(KeptRun, BuiltSparseGemmOnA100) { expect_same_again("a100", kBuiltSparse); }
TEST_F(KeptRun, BuiltDenseGemmOnA100) { expect_same_again("a100", kBuiltDense); }
TEST_F(KeptRun, BuiltSparseGemmOnH200) { expect_same_again("h200", kBuiltSparse); }
TEST_F(KeptRun, BuiltDenseGemmOnH200) { expect_same_again("h200", kBuiltDense); }
TEST_F(KeptRun, CompiledGemm) {
  expect_same_again("a100", "kernel: f16_sp24_64x64x64_w32x32_s4, m: 128, n: 64, k: 128");
}

TEST_F(KeptRun, RefusesWhatItCannotKeep) {
  const std::string file = run_file("a100", kBuiltSparse);
  const auto error_of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", file, "--keep", kept()});
    const ProgramResult ran = run_stcsim(arguments);
    EXPECT_EQ(ran.exit_code, 2) << ran.output;
    EXPECT_FALSE(std::filesystem::exists(kept()));
    return ran.error;
  };
  EXPECT_THAT(error_of({"--set", "gpu.sms=2"}), HasSubstr("cannot keep changes of the GPU"));
  const ProgramResult to_output = run_stcsim({"run", file, "--keep", "-"});
  EXPECT_EQ(to_output.exit_code, 2);
  EXPECT_THAT(to_output.error, HasSubstr("--keep -: standard output is no folder"));
  EXPECT_THAT(error_of({"--set", "options.ideal=dram"}), HasSubstr("without the limits that options.ideal lifts"));
  EXPECT_THAT(error_of({"--set", "workload.gemm.pattern=2:8", "--set", "workload.gemm.tile=[64, 64, 128]", "--set",
                        "workload.gemm.k=256"}),
              AllOf(HasSubstr("--keep: stcsim built "), HasSubstr("kernel f16_2:8_64x64x128_w32x32_s3"),
                    HasSubstr("cannot encode HMMA for sm_80")));
}

TEST_F(KeptRun, IsWrittenWithAllElseOrNotAtAll) {
  const std::string file = run_file("a100", kBuiltDense), own = kept() + "/001/run.yaml";
  EXPECT_EQ(run_stcsim({"run", file, "--keep", kept(), "--json", "/dev/full"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(own));
  const ProgramResult same = run_stcsim({"run", file, "--keep", kept(), "--json", own});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(own));
  const ProgramResult below_a_file = run_stcsim({"run", file, "--keep", file + "/kept"});
  EXPECT_EQ(below_a_file.exit_code, 2);
  EXPECT_THAT(below_a_file.error, Not(HasSubstr(".bin")));  // before anything was simulated
}

TEST_F(KeptRun, NamesMayBeAnything) {
  const std::string gpu = folder_.path("a: \"b\" #c.yaml"), file = folder_.path("run.yaml");
  std::ofstream(gpu) << "base: " << std::filesystem::absolute("configs/gpus/a100.yaml").string() << "\n";
  std::ofstream(file) << "gpu: '" << gpu << "'\nlaunch:\n  module: "
                      << std::filesystem::absolute("validation/unit/sim/data/misbehave.cubin").string()
                      << "\n  kernel: write_at\n  grid: [1, 1, 1]\n  block: [32, 1, 1]\n"
                      << "  buffers: {'o\"u\\t': {bytes: 4096, fill: zero}}\n  args: ['o\"u\\t', {i32: 0}]\n";
  ASSERT_EQ(run_stcsim({"run", file, "--keep", kept()}).error, "");
  const ProgramResult again = run_stcsim({"run", kept() + "/001/run.yaml"});
  EXPECT_EQ(again.exit_code, 0) << again.error;
}

TEST_F(KeptRun, RefusesAFolderWithLaunches) {
  const std::string file = run_file("a100", kBuiltDense);
  ASSERT_EQ(run_stcsim({"run", file, "--keep", kept()}).exit_code, 0);
  const ProgramResult again = run_stcsim({"run", file, "--keep", kept()});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.error, HasSubstr("holds launches of an earlier capture"));
}

}  // namespace
}  // namespace stc::sim
