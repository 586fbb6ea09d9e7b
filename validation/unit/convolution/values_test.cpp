// SPDX-License-Identifier: Apache-2.0
// Convolutions through the program, every value computed, against the direct reference.
#include <nlohmann/json.hpp>

#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kFile = "configs/workloads/convolution_integers.yaml";

json run(const std::vector<std::string>& sets, int exit_code = 0) {
  std::vector<std::string> arguments = {"run", kFile, "--json", "-"};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", "workload.conv." + set});
  const ProgramResult result = run_stcsim(arguments);
  EXPECT_EQ(result.exit_code, exit_code) << result.error;
  return result.exit_code == exit_code ? json::parse(result.output) : json();
}

void expect_exact(const std::vector<std::string>& sets) {
  const json result = run(sets);
  EXPECT_EQ(result.at("check").at("passed"), true) << result.at("check");
  EXPECT_EQ(result.at("dense").at("check").at("passed"), true) << result.at("dense").at("check");
}

TEST(ConvolutionValues, StrideAndPaddingAndARaggedEdge) { expect_exact({}); }

TEST(ConvolutionValues, OneByOne) {
  expect_exact({"r=1", "s=1", "pad=0", "stride=1", "h=5", "w=7", "c=64", "kernel=conv_f16_sp24_64x128x64_w64x32_s3"});
}

TEST(ConvolutionValues, SevenBySevenOfFewChannels) {
  expect_exact({"r=7", "s=7", "pad=3", "stride=2", "n=1", "h=14", "w=14", "c=8"});
}

TEST(ConvolutionValues, WindowsThatAreNotSquareAndPaddingBeyondOne) {
  expect_exact({"r=3", "s=5", "pad=2", "stride=1", "n=1", "h=6", "w=9", "c=24"});
}

TEST(ConvolutionValues, SignedBytesAreScaledRoundedAndSaturated) {
  for (const char* scale : {"scale=0.25", "scale=2"}) {
    expect_exact({"kernel=conv_s8_sp24_64x64x128_w32x32_s4", "n=1", "h=8", "w=8", "low=-3", "high=3", scale});
  }
}

TEST(ConvolutionValues, RealInputsWithinTheRoundingOfF16) {
  const json result = run({"input=random", "n=1", "h=8", "w=8"});
  EXPECT_EQ(result.at("check").at("passed"), true);
  EXPECT_GT(result.at("check").at("error"), 1e-5);  // D is f16: an error of zero would mean that nothing was compared
  EXPECT_LT(result.at("check").at("error"), 5e-4);
}

TEST(ConvolutionValues, OnAnH200Too) {
  const ProgramResult result = run_stcsim({"run", kFile, "--set", "gpu=configs/gpus/h200.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.output, HasSubstr("D equals the reference exactly"));
}

TEST(ConvolutionValues, BestIsTheFastestThatFits) {
  const std::vector<std::string> of = {"n=1", "h=8", "w=8"};
  const auto cycles = [&](const std::string& kernel) {
    std::vector<std::string> sets = of;
    sets.push_back("kernel=" + kernel);
    return run(sets).at("cycles_elapsed").get<double>();
  };
  std::vector<std::string> sets = of;
  sets.insert(sets.end(), {"kernel=best", "type=f16", "pattern=2:4"});
  const double best = run(sets).at("cycles_elapsed").get<double>();
  for (const char* kernel : {"conv_f16_sp24_64x64x64_w32x32_s4", "conv_f16_sp24_64x128x64_w64x32_s3",
                             "conv_f16_sp24_128x128x64_w64x64_s3"}) {
    EXPECT_LE(best, cycles(kernel)) << kernel;
  }
}

}  // namespace
}  // namespace stc::sim
