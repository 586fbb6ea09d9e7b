// SPDX-License-Identifier: Apache-2.0
// Matrix instructions: formats, shape and pattern from the modifier bits that compiled PTX shows.
#include "models/isa/text/listing.h"
#include "validation/unit/cubin/decode_helper.h"

namespace stc::cubin::testing {
namespace {

using isa::MmaOp;
using isa::NumberFormat;

/// `modifiers` are bits 95:72 of the encoding (registers and control bits cleared).
MmaOp matrix(unsigned opcode, std::uint64_t modifiers, bool sparse) {
  const std::uint64_t low = 0x0000000804007000u | opcode | (sparse ? 0x0000110000000000u : 0u);
  return decode_instruction(low, modifiers << 8, {0, 80, "test"}).mma;
}

MmaOp op(int m, int n, int k, NumberFormat a, NumberFormat b, NumberFormat c, int kept = 1, int of = 1,
         int elements = 1, bool saturate = false) {
  MmaOp o;
  o.m = static_cast<std::uint8_t>(m);
  o.n = static_cast<std::uint8_t>(n);
  o.k = static_cast<std::uint16_t>(k);
  o.a = a;
  o.b = b;
  o.c = c;
  o.sparse = kept != of;
  o.saturate = saturate;
  o.pattern.n = kept;
  o.pattern.m = of;
  o.pattern.elements_per_index = elements;
  return o;
}

constexpr auto f16 = NumberFormat::f16;
constexpr auto bf16 = NumberFormat::bf16;
constexpr auto tf32 = NumberFormat::tf32;
constexpr auto f32 = NumberFormat::f32;
constexpr auto s8 = NumberFormat::s8;
constexpr auto u8 = NumberFormat::u8;
constexpr auto s4 = NumberFormat::s4;
constexpr auto u4 = NumberFormat::u4;
constexpr auto s32 = NumberFormat::s32;

TEST(Hmma, Dense) {
  EXPECT_EQ(matrix(0x23c, 0x10, false), op(16, 8, 8, f16, f16, f32));
  EXPECT_EQ(matrix(0x23c, 0x00, false), op(16, 8, 8, f16, f16, f16));
  EXPECT_EQ(matrix(0x23c, 0x18, false), op(16, 8, 16, f16, f16, f32));
  EXPECT_EQ(matrix(0x23c, 0x08, false), op(16, 8, 16, f16, f16, f16));
  EXPECT_EQ(matrix(0x23c, 0x410, false), op(16, 8, 8, bf16, bf16, f32));
  EXPECT_EQ(matrix(0x23c, 0x418, false), op(16, 8, 16, bf16, bf16, f32));
  EXPECT_EQ(matrix(0x23c, 0x850, false), op(16, 8, 4, tf32, tf32, f32));
  EXPECT_EQ(matrix(0x23c, 0x810, false), op(16, 8, 8, tf32, tf32, f32));
}

TEST(Hmma, Sparse) {
  EXPECT_EQ(matrix(0x23c, 0x1a, true), op(16, 8, 16, f16, f16, f32, 2, 4));
  EXPECT_EQ(matrix(0x23c, 0x0a, true), op(16, 8, 16, f16, f16, f16, 2, 4));
  EXPECT_EQ(matrix(0x23c, 0x5a, true), op(16, 8, 32, f16, f16, f32, 2, 4));
  EXPECT_EQ(matrix(0x23c, 0x4a, true), op(16, 8, 32, f16, f16, f16, 2, 4));
  EXPECT_EQ(matrix(0x23c, 0x45a, true), op(16, 8, 32, bf16, bf16, f32, 2, 4));
  EXPECT_EQ(matrix(0x23c, 0x812, true), op(16, 8, 8, tf32, tf32, f32, 1, 2));
  EXPECT_EQ(matrix(0x23c, 0x81a, true), op(16, 8, 16, tf32, tf32, f32, 1, 2));
}

TEST(Imma, Dense) {
  EXPECT_EQ(matrix(0x237, 0x4054, false), op(16, 8, 16, s8, s8, s32));
  EXPECT_EQ(matrix(0x237, 0x405c, false), op(16, 8, 32, s8, s8, s32));
  EXPECT_EQ(matrix(0x237, 0x444c, false), op(16, 8, 32, u8, s8, s32, 1, 1, 1, true));
  EXPECT_EQ(matrix(0x237, 0x585c, false), op(16, 8, 32, s4, s4, s32));
  EXPECT_EQ(matrix(0x237, 0x7854, false), op(16, 8, 64, s4, s4, s32));
}

TEST(Imma, Sparse) {
  EXPECT_EQ(matrix(0x237, 0x405d, true), op(16, 8, 32, s8, s8, s32, 2, 4));
  EXPECT_EQ(matrix(0x237, 0x6055, true), op(16, 8, 64, s8, s8, s32, 2, 4));
  EXPECT_EQ(matrix(0x237, 0x6405, true), op(16, 8, 64, u8, u8, s32, 2, 4, 1, true));
  EXPECT_EQ(matrix(0x237, 0x6045, true), op(16, 8, 64, u8, s8, s32, 2, 4));
  EXPECT_EQ(matrix(0x237, 0x7855, true), op(16, 8, 64, s4, s4, s32, 2, 4, 2));
  EXPECT_EQ(matrix(0x237, 0x785d, true), op(16, 8, 128, s4, s4, s32, 2, 4, 2));
  EXPECT_EQ(matrix(0x237, 0x780d, true), op(16, 8, 128, u4, u4, s32, 2, 4, 2));
}

TEST(Bmma, ShapesAndOperations) {
  const auto binary = [](int m, int k, bool exclusive_or) {
    MmaOp o = op(m, 8, k, NumberFormat::b1, NumberFormat::b1, s32);
    o.exclusive_or = exclusive_or;
    return o;
  };
  EXPECT_EQ(matrix(0x23d, 0x144, false), binary(8, 128, false));
  EXPECT_EQ(matrix(0x23d, 0x104, false), binary(8, 128, true));
  EXPECT_EQ(matrix(0x23d, 0x14c, false), binary(16, 128, false));
  EXPECT_EQ(matrix(0x23d, 0x10c, false), binary(16, 128, true));
  EXPECT_EQ(matrix(0x23d, 0x154, false), binary(16, 256, false));
  EXPECT_EQ(matrix(0x23d, 0x114, false), binary(16, 256, true));
  EXPECT_ANY_THROW(matrix(0x23d, 0x15c, false));
}

TEST(Bmma, IsListedAsADisassemblerDoes) {
  EXPECT_EQ(isa::listing_text(decode("004ff60000015410_0000000c0808723d")),
            "BMMA.168256.AND.POPC R8, R8.ROW, R12.COL, R16");
  EXPECT_EQ(isa::listing_text(decode("004fde0000010c0c_00000004080c723d")),
            "BMMA.168128.XOR.POPC R12, R8.ROW, R4.COL, R12");
  EXPECT_EQ(isa::listing_text(decode("000fe800000144ff_00000007040a723d", 0, 90)),
            "BMMA.88128.AND.POPC R10, R4.ROW, R7.COL, RZ");
}

TEST(SparseMatrix, MetadataRegisterSelectorAndReuse) {
  const auto i = decode("004ff60000005a0c_000100080404723c");
  EXPECT_EQ(i.metadata_register, 0);
  EXPECT_EQ(i.selector, 1);
  EXPECT_EQ(i.control.reuse & 8, 0);
  EXPECT_EQ(decode("0400000000004a02_0004041c1802723c").metadata_register, 4);
  EXPECT_EQ(decode("0400000000004a02_0004041c1802723c").control.reuse, 8 | 1);
  EXPECT_EQ(decode("250fe20000081a80_000125c05480723c", 0, 90).control.reuse, 8 | 1);
}

/// Words of nvcc 13.0 and, with more signs, changed; texts of nvdisasm 13.1.
TEST(Dmma, OperandsHaveSigns) {
  EXPECT_EQ(text("002e34000000013c_0000002e123c723f", 0, 80), "DMMA.884 R60, -R18, R46, R60");
  EXPECT_EQ(text("0000640000000f34_c000002e1418723f", 0, 80), "DMMA.884 R24, -|R20|, -|R46|, -|R52|");
  EXPECT_EQ(text("004e240000000108_000000060404723f", 0, 90), "DMMA.8x8x4 R4, -R4, R6, R8");
  EXPECT_EQ(text("0000e20000001208_4000002e1418723f", 0, 90), "DMMA.16x8x4 R24, |R20|, |R46|, R8");
  EXPECT_EQ(text("0040620000002118_000000083818723f", 0, 90), "DMMA.16x8x8 R24, -R56, R8, R24");
  EXPECT_EQ(text("00205e0000003848_800000602048723f", 0, 90), "DMMA.16x8x16 R72, R32, -R96, -R72");
  const auto i = decode("0000e20000001f08_c000002e1418723f", 0, 90);
  for (const isa::Operand* o : {&i.a, &i.b, &i.c}) {
    EXPECT_TRUE(o->negate);
    EXPECT_TRUE(o->absolute);
  }
}

}  // namespace
}  // namespace stc::cubin::testing
