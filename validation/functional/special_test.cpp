// SPDX-License-Identifier: Apache-2.0
// What kernels learn of the GPU and of their launch, and that nothing reads as 0 that is not known.
#include <gmock/gmock.h>

#include "traces/cubin/cubin_error.h"
#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

using ::testing::HasSubstr;

class Special : public KernelFixture {
 protected:
  /// Why a kernel of sample_special cannot run.
  std::string refusal(const std::string& kernel) {
    try {
      load("sample_special", kernel);
    } catch (const cubin::CubinError& error) {
      return error.what();
    }
    return "runs";
  }
};
INSTANTIATE_TEST_SUITE_P(Sm, Special, ::testing::Values(80, 90));

TEST_P(Special, SizesAreThoseOfAnH200) {
  reserve("out", 32);
  run(load("sample_special", "special_values"), {1, 1, 1}, {1, 1, 1}, Arguments().add(memory_.find("out")->address),
      300);
  const auto sms = static_cast<std::uint32_t>(validation::gpu_of(GetParam()).sms);
  // nsmid, nwarpid, dynamic, total, begin, end and cap of the system's part, all together; an H200 writes the second.
  const std::vector<std::uint32_t> behind{sms, 64, 300, 384, 384, 384 + 288, 384 + 1024, 0};
  const std::vector<std::uint32_t> before{132, 64, 300, 384, 0, 288, 1024, 1324};
  EXPECT_EQ(download<std::uint32_t>("out"), GetParam() == 90 ? before : behind);
}

TEST_P(Special, NoGraphLaunchesAKernel) {
  const std::uint64_t out = upload("out", std::vector<std::uint64_t>{~std::uint64_t{0}});
  run(load("sample_special", "graph_of_launch"), {1, 1, 1}, {1, 1, 1}, Arguments().add(out));
  EXPECT_EQ(download<std::uint64_t>("out")[0], 0u);
}

TEST_P(Special, TilesOfTwoWarpsLeaveTheKernelsSharedMemoryAlone) {
  const std::uint64_t sums = reserve("sums", 1024), table = reserve("table", 1024);
  run(load("sample_special", "tile_sums"), {1, 1, 1}, {256, 1, 1}, Arguments().add(sums).add(table));
  std::vector<std::uint32_t> expected, kept;
  for (std::uint32_t i = 0; i < 256; ++i) expected.push_back(i / 64 * 64 * 64 + 63 * 32), kept.push_back(1000 + i);
  EXPECT_EQ(download<std::uint32_t>("sums"), expected);
  EXPECT_EQ(download<std::uint32_t>("table"), kept);
}

TEST_P(Special, ParametersHaveAddresses) {
  const std::uint64_t out = reserve("out", 64);
  Arguments arguments;
  arguments.add(out);
  for (std::uint32_t i = 0; i < 16; ++i) arguments.add(i * i + 7);
  run(load("sample_special", "parameter_address"), {1, 1, 1}, {16, 1, 1}, arguments);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(download<std::uint32_t>("out")[i], i * i + 7);
}

TEST_P(Special, CodeForADebuggerRuns) {
  const std::uint64_t out = reserve("out", 128);
  run(load("sample_debug", "debug_powers"), {1, 1, 1}, {32, 1, 1}, Arguments().add(out));
  std::uint32_t power = 1;
  for (std::uint32_t i = 0; i < 32; ++i, power *= 3) EXPECT_EQ(download<std::uint32_t>("out")[i], power);
}

TEST_P(Special, WhatNobodyKnowsIsRefusedByName) {
  EXPECT_THAT(refusal("environment_register"), HasSubstr("uses %envreg7 (1 instruction), which is not modelled"));
  EXPECT_THAT(refusal("performance_counter"), HasSubstr("uses special register SR_PM3 (1 instruction)"));
  EXPECT_THAT(refusal("grid_identifier"), HasSubstr("uses %gridid ("));
}

}  // namespace
}  // namespace stc::functional
