// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/kernel_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stc::isa {
namespace {

TEST(KernelName, CNamesStay) {
  EXPECT_EQ(readable_name("f16_dense_128x128x64"), "f16_dense_128x128x64");
  EXPECT_EQ(readable_name(""), "");
  EXPECT_EQ(readable_name("_Znonsense"), "_Znonsense");
}

TEST(KernelName, WithoutReturnTypeAndParameters) {
  EXPECT_EQ(readable_name("_Z4gemmPfi"), "gemm");
  EXPECT_EQ(readable_name("_Z4gemmIfEvPT_i"), "gemm<float>");
  EXPECT_EQ(readable_name("_ZN3foo3barIiLi4EEEvPT_"), "foo::bar<int, 4>");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_13runEPi"), "(anonymous namespace)::run");
}

TEST(KernelName, LongTemplateArgumentsAreCut) {
  std::string argument = "St4pairIiiE", symbol = argument;
  for (int i = 0; i < 8; ++i) symbol = "St4pairI" + symbol + argument + "E";
  const std::string name = readable_name("_Z3runI" + symbol + "EvT_");
  EXPECT_LT(name.size(), 70u);
  EXPECT_THAT(name, ::testing::StartsWith("run<std::pair<"));
  EXPECT_THAT(name, ::testing::EndsWith("...>"));
}

TEST(KernelName, OfAManglingThatNobodyKnowsTheNamesInFrontAreShown) {
  EXPECT_EQ(readable_name("_ZN7cutlass6KernelINS_Q4gemm5broken"), "cutlass::Kernel<...>");
  EXPECT_EQ(readable_name("_ZN3foo3barQQ"), "foo::bar");
  EXPECT_EQ(readable_name("_ZN99foo"), "_ZN99foo");
  EXPECT_EQ(readable_name("_ZN99999999999999999999999foo"), "_ZN99999999999999999999999foo");
  EXPECT_EQ(readable_name("_ZQ"), "_ZQ");
}

}  // namespace
}  // namespace stc::isa
