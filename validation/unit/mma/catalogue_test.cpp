// SPDX-License-Identifier: Apache-2.0
#include "models/isa/mma/mma_catalogue.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace stc::isa {
namespace {

TEST(MmaCatalogue, NamesAreReadBack) {
  for (const int sm : {80, 90}) {
    std::set<std::string> names;
    for (const MmaCatalogueEntry& entry : mma_catalogue(sm)) {
      EXPECT_TRUE(parse_mma_name(entry.op.name()) == entry.op) << entry.op.name();
      EXPECT_TRUE(names.insert(entry.op.name()).second) << entry.op.name() << " is listed twice";
    }
  }
}

TEST(MmaCatalogue, SpellsNamesAsPtxDoes) {
  const std::string names[] = {"mma.m16n8k16.f32.f16.f16.f32", "mma.m16n8k32.satfinite.s32.s8.s8.s32",
                               "mma.sp.m16n8k64.s32.u8.s8.s32", "mma.sp.m16n8k128.satfinite.s32.s4.u4.s32"};
  for (const std::string& name : names) EXPECT_EQ(find_mma(80, parse_mma_name(name)).op.name(), name);
}

TEST(MmaCatalogue, GenerationsDiffer) {
  const MmaOp fp8 = parse_mma_name("mma.m16n8k32.f32.e4m3.e5m2.f32");
  EXPECT_THROW(find_mma(80, fp8), std::invalid_argument);
  EXPECT_TRUE(find_mma(90, fp8).emulated);
  const MmaOp s4 = parse_mma_name("mma.sp.m16n8k64.s32.s4.s4.s32");
  EXPECT_FALSE(find_mma(80, s4).emulated);
  EXPECT_TRUE(find_mma(90, s4).emulated);
  EXPECT_THROW(mma_catalogue(75), std::invalid_argument);
}

TEST(MmaCatalogue, SelectorsAndRegisters) {
  const auto entry = [](const char* name) { return find_mma(80, parse_mma_name(name)); };
  EXPECT_EQ(entry("mma.m16n8k16.f32.f16.f16.f32").selectors, 0);
  EXPECT_EQ(entry("mma.sp.m16n8k16.f32.f16.f16.f32").selectors, 4);
  EXPECT_EQ(entry("mma.sp.m16n8k16.f32.tf32.tf32.f32").selectors, 2);
  EXPECT_EQ(entry("mma.sp.m16n8k128.s32.s4.s4.s32").selectors, 1);
  const MmaOp op = entry("mma.sp.m16n8k64.s32.s8.s8.s32").op;
  EXPECT_EQ(op.a_registers(), 4);
  EXPECT_EQ(op.b_registers(), 4);
  EXPECT_EQ(op.c_registers(), 4);
}

TEST(MmaCatalogue, ErrorsSayWhatIsWrong) {
  const auto message = [](const std::string& name) -> std::string {
    try {
      find_mma(80, parse_mma_name(name));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("mma.m16n8k16.f32.f61.f16.f32").find("f61"), std::string::npos);
  EXPECT_NE(message("mma.m16n8k32.f32.f16.f16.f32").find("mma.m16n8k16.f32.f16.f16.f32"), std::string::npos);
  EXPECT_NE(message("mma.sp.m16n8.f32.f16.f16.f32").find("m16n8"), std::string::npos);
  EXPECT_NE(message("mma.m16n8k16.f32.f16.f16").find("four formats"), std::string::npos);
  EXPECT_NE(message("wgmma.m16n8k16.f32.f16.f16.f32").find("mma."), std::string::npos);
}

}  // namespace
}  // namespace stc::isa
