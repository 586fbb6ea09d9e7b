// SPDX-License-Identifier: Apache-2.0
// What the decoder does not know is an error that says so, never a guess.
#include <gmock/gmock.h>

#include "traces/cubin/cubin_error.h"
#include "traces/cubin/unmodelled_state.h"
#include "validation/unit/cubin/decode_helper.h"

namespace stc::cubin::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of(const std::string& words, int sm = 80) {
  try {
    decode(words, 0x120, sm);
  } catch (const CubinError& error) {
    return error.what();
  }
  return "decoded";
}

TEST(Undecodable, UnknownOpcodeNamesEverything) {
  EXPECT_THAT(error_of("000fc00000000000_0000000000007fff"),
              AllOf(HasSubstr("kernel test"), HasSubstr("0x0120"), HasSubstr("opcode 0xfff"), HasSubstr("sm_80"),
                    HasSubstr("0x0000000000007fff 0x000fc00000000000"), HasSubstr("unknown opcode")));
}

TEST(Undecodable, ReductionsByColumnsAreShownAndRefused) {
  isa::Kernel kernel;
  kernel.sm_version = 90;
  const auto refused = [&](const char* words) { return unmodelled_state(decode(words, 0, 90), kernel); };
  EXPECT_EQ(refused("0001f20008810000_000000040a0073b6"), "");
  EXPECT_EQ(refused("0001f20008850000_000000040a0073b6"), "tensor reductions by columns (im2col)");
}

TEST(Undecodable, SumsOfAddressesOfTwoWidthsAreShownAndRefused) {
  isa::Kernel kernel;
  kernel.sm_version = 90;
  const auto refused = [&](const char* words) { return unmodelled_state(decode(words, 0, 90), kernel); };
  EXPECT_EQ(refused("000ea20008100900_0000000402047980"), "64-bit addresses that are sums with a 32-bit register");
  EXPECT_EQ(refused("000ea2000c100900_0000000402047980"), "");
  EXPECT_EQ(refused("000ea20008100900_00000004ff047980"), "");  // RZ
}

TEST(Undecodable, WordsOfTheLaunchThatARegisterNamesAreLookedAtInTheRun) {
  isa::Kernel kernel;
  kernel.sm_version = 90;
  kernel.parameter_base = 0x210;
  EXPECT_EQ(unmodelled_state(decode("000fe20000000800_00005b0000047ab9", 0, 90), kernel),
            "word 0x16c of the launch constants");
  EXPECT_EQ(unmodelled_state(decode("000fe20008000800_00005b0005047abb", 0, 90), kernel), "");
}

TEST(Undecodable, NamesWhatPtxCallsIt) {
  const auto feature_of = [](const char* words, int sm) {
    try {
      decode(words, 0, sm);
    } catch (const UndecodableInstruction& error) {
      return error.feature;
    }
    return std::string();
  };
  EXPECT_EQ(feature_of("001fca0000011000_0000000504057231", 90), "fma.oob");
  EXPECT_EQ(feature_of("004ea4000850023f_00000007020279a7", 90), "mbarrier.arrive.noComplete");
  isa::Kernel kernel;
  kernel.sm_version = 80;
  kernel.parameter_base = 0x160;
  EXPECT_EQ(unmodelled_state(decode("000fe40003f02070_00004a00ff007a0c"), kernel), "fence.proxy.alias");
  kernel.sm_version = 90;
  kernel.parameter_base = 0x210;
  EXPECT_EQ(unmodelled_state(decode("000fe20000000800_00006300003e7ab9", 0, 90), kernel), "fence.proxy.alias");
}

TEST(Undecodable, SetBitsOfUnknownMeaning) {
  EXPECT_EQ(error_of("000fc00000000000_0000000000007918"), "decoded");
  EXPECT_THAT(error_of("000fc00000000000_0000010000007918"), HasSubstr("set bits of unknown meaning: 40"));
  // A sparse-only bit on a dense matrix instruction.
  EXPECT_THAT(error_of("042ff00000001840_000004ac2840723c"), HasSubstr("unknown meaning: 42"));
}

TEST(Undecodable, FieldValues) {
  EXPECT_THAT(error_of("0000000000001c04_000000282404723c"), HasSubstr("decode opcode 0x23c"));
  EXPECT_THAT(error_of("000000000c1e1f00_0000000402027981"), HasSubstr("memory access size 7"));
  EXPECT_THAT(error_of("000000000003fc00_0000000402027308"), HasSubstr("MUFU"));
  EXPECT_THAT(error_of("0000000000780200_000000090007723c"), HasSubstr("decode opcode"));
}

TEST(Undecodable, OpcodesOfTheOtherArchitecture) {
  EXPECT_THAT(error_of("000fc00000000000_ffffffd001017836", 80), HasSubstr("unknown opcode"));
  EXPECT_EQ(error_of("000fc00000000000_ffffffd001017836", 90), "decoded");
  // Profiling bits exist on sm_90 only.
  EXPECT_THAT(error_of("000fc0c000000000_0000000000007918", 80), HasSubstr("unknown meaning: 102,103"));
  EXPECT_EQ(error_of("000fc0c000000000_0000000000007918", 90), "decoded");
}

}  // namespace
}  // namespace stc::cubin::testing
