// SPDX-License-Identifier: Apache-2.0
// The 21 control bits, on full encodings that ptxas 13.0 wrote for a GEMM.
#include "validation/unit/cubin/decode_helper.h"

namespace stc::cubin::testing {
namespace {

struct ControlVector {
  int sm;
  std::uint32_t address;
  const char* words;
  const char* control;
  const char* text;
};

TEST(ControlField, OfCompiledInstructions) {
  const ControlVector vectors[] = {
      {80, 0x10, "000e620000002100_0000000000b57919", "B------:R-:W1:-:S01", "S2R R181, SR_TID.X"},
      {80, 0x330, "0003e2000b901d48_0000000004117fae", "B------:R1:W-:-:S01",
       "LDGSTS.E.BYPASS.LTC128B.128 [R17], [R4.64]"},
      {80, 0x390, "0005e2000b901d48_0800000006117fae", "B------:R2:W-:-:S01",
       "LDGSTS.E.BYPASS.LTC128B.128 [R17+0x8000], [R6.64]"},
      {80, 0x480, "000e220000000000_00000000000079af", "B------:R-:W0:-:S01", "LDGDEPBAR"},
      {80, 0x1580, "000fc80000000000_000080800000791a", "B------:R-:W-:Y:S04", "DEPBAR.LE SB0, 0x2"},
      {80, 0x15c0, "000fe20000010000_0000000000007b1d", "B------:R-:W-:-:S01", "BAR.SYNC.DEFER_BLOCKING 0x0"},
      {80, 0x1ea0, "042ff00000001840_000000ac2840723c", "B-1----:R-:W-:-:S08",
       "HMMA.16816.F32 R64, R40.reuse, R172, R64"},
      {80, 0x1f90, "000e680000000200_00800000c634783b", "B------:R-:W1:-:S04", "LDSM.16.M88.4 R52, [R198+0x8000]"},
      {80, 0x1fc0, "000fe80000000200_008c0000c628783b", "B------:R-:W-:-:S04", "LDSM.16.M88.4 R40, [R198+0x8c00]"},
      {80, 0x2360, "000fee000383ffff_fffff20000008947", "B------:R-:W-:-:S07", "@!P0 BRA 0x1570"},
      {90, 0x2520, "000fde000383ffff_fffffff000708947", "B------:R-:W-:Y:S15", "@!P0 BRA 0x16f0"},
      {90, 0x2c0, "002fe2000f8ec03f_0000000405047291", "B-1----:R-:W-:-:S01", "ULEA UR4, UR5, UR4, 0x18"},
      {90, 0x170, "000e620000008800_00000000000579c3", "B------:R-:W1:-:S01", "S2UR UR5, SR_CgaCtaId"},
  };
  for (const ControlVector& v : vectors) {
    const isa::Instruction i = decode(v.words, v.address, v.sm);
    EXPECT_EQ(isa::control_text(i.control), v.control) << v.text;
    EXPECT_EQ(isa::listing_text(i), v.text);
  }
}

TEST(ControlField, Members) {
  const isa::Control c = decode_control(0x042ff00000001840);
  EXPECT_EQ(c.stall, 8);
  EXPECT_FALSE(c.yield);
  EXPECT_EQ(c.write_scoreboard, isa::kNoScoreboard);
  EXPECT_EQ(c.read_scoreboard, isa::kNoScoreboard);
  EXPECT_EQ(c.wait_mask, 0b000010);
  EXPECT_EQ(c.reuse, 0b001);
  // A yield with 15 cycles, and 11 cycles without.
  EXPECT_TRUE(decode_control(0x004fde0000000000).yield);
  EXPECT_EQ(decode_control(0x004fde0000000000).stall, 15);
  EXPECT_FALSE(decode_control(0x004ff60000000000).yield);
  EXPECT_EQ(decode_control(0x004ff60000000000).stall, 11);
}

}  // namespace
}  // namespace stc::cubin::testing
