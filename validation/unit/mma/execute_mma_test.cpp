// SPDX-License-Identifier: Apache-2.0
// The matrix instruction on a warp's registers.
#include "models/isa/products/execute_mma.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/isa/values/execute.h"
#include "validation/gpus.h"
#include "validation/instructions.h"

namespace stc::isa {
namespace {

MmaOp of_bits(int m, int k) {
  MmaOp op;
  op.m = static_cast<std::uint8_t>(m);
  op.k = static_cast<std::uint16_t>(k);
  op.a = op.b = NumberFormat::b1;
  op.c = NumberFormat::s32;
  return op;
}

Instruction hmma(const MmaOp& op) {
  Instruction instruction;
  instruction.opcode = Opcode::kHmma;
  instruction.mma = op;
  instruction.a = reg(4);
  instruction.b = reg(8);
  instruction.c = reg(12);
  instruction.dest = 16;
  return instruction;
}

Instruction hmma(const char* name) { return hmma(parse_mma_name(name)); }

WarpState warp_of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  WarpState warp(24);
  for (std::size_t r = 0; r < 4; ++r) {
    warp.r[4 + r].fill(a);
    warp.r[8 + r].fill(b);
    warp.r[12 + r].fill(c);
  }
  return warp;
}

TEST(ExecuteMma, ReadsAndWritesRegisters) {
  const Instruction instruction = hmma("mma.m16n8k16.f32.f16.f16.f32");
  WarpState warp = warp_of(0x3c003c00, 0x40004000, 0x3f800000);  // 16 products of 1 x 2, plus 1
  execute_mma(instruction, warp, validation::a100().numerics);
  for (std::size_t r = 16; r < 20; ++r) {
    for (const std::uint32_t bits : warp.r[r]) EXPECT_EQ(bits, 0x42040000u);
  }
  EXPECT_EQ(warp.r[20][0], 0u) << "nothing beyond D is written";
}

class Destination : public testing::TestWithParam<MmaOp> {
 protected:
  /// D of the operation on random registers: A from R4, B from R12, C from R20, metadata in R28.
  std::vector<std::uint32_t> result(int dest, const arith::Numerics& numerics) {
    Instruction instruction = hmma(GetParam());
    instruction.b = reg(12);
    instruction.c = reg(20);
    instruction.metadata_register = 28;
    instruction.dest = static_cast<std::uint8_t>(dest);
    WarpState warp(48);
    std::mt19937 random(1);
    for (std::size_t r = 4; r < 28; ++r) {
      for (std::uint32_t& bits : warp.r[r]) bits = static_cast<std::uint32_t>(random()) & 0x3fff3fffu;
    }
    for (std::size_t r = 28; r < 32; ++r) warp.r[r].fill(0x4e4e4e4eu);
    execute_mma(instruction, warp, numerics);
    std::vector<std::uint32_t> d;
    for (int i = 0; i < instruction.mma.c_registers(); ++i) {
      const auto& image = warp.r[static_cast<std::size_t>(dest + i)];
      d.insert(d.end(), image.begin(), image.end());
    }
    return d;
  }
};

TEST_P(Destination, MayLieOverAnyOperand) {
  for (const arith::Numerics& numerics : {validation::a100().numerics, validation::h200().numerics}) {
    const std::vector<std::uint32_t> apart = result(36, numerics);
    for (const int dest : {2, 4, 5, 7, 10, 12, 13, 17, 19, 20, 21, 23, 25, 28}) {
      EXPECT_EQ(result(dest, numerics), apart) << "R" << dest;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operations, Destination,
    testing::Values(parse_mma_name("mma.m16n8k8.f32.f16.f16.f32"), parse_mma_name("mma.m16n8k16.f32.f16.f16.f32"),
                    parse_mma_name("mma.m16n8k16.f16.f16.f16.f16"), parse_mma_name("mma.m16n8k16.f32.bf16.bf16.f32"),
                    parse_mma_name("mma.m16n8k8.f32.tf32.tf32.f32"), parse_mma_name("mma.m16n8k32.s32.s8.s8.s32"),
                    parse_mma_name("mma.m16n8k64.s32.s4.s4.s32"), parse_mma_name("mma.sp.m16n8k16.f32.f16.f16.f32"),
                    parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32"), parse_mma_name("mma.sp.m16n8k64.s32.u8.s8.s32"),
                    of_bits(8, 128), of_bits(16, 128), of_bits(16, 256)));

TEST(ExecuteMma, RegisterZeroReadsZeroAndNegationFlipsEveryElement) {
  Instruction instruction = hmma("mma.m16n8k16.f32.f16.f16.f32");
  instruction.c = reg(kRegisterZero);
  instruction.a.negate = true;
  WarpState warp = warp_of(0x3c003c00, 0x40004000, 0x3f800000);
  execute_mma(instruction, warp, validation::a100().numerics);
  EXPECT_EQ(warp.r[19][3], 0xc2000000u);  // -32
  instruction.b.negate = true;
  execute_mma(instruction, warp, validation::a100().numerics);
  EXPECT_EQ(warp.r[19][3], 0x42000000u);
}

TEST(ExecuteMma, SelectorChoosesTheLanesThatSupplyMetadata) {
  Instruction instruction = hmma("mma.sp.m16n8k32.f32.f16.f16.f32");
  instruction.metadata_register = 20;
  WarpState warp = warp_of(0x3c003c00, 0, 0);
  // B rows 0 mod 4 hold 1, the others 0: only index 0 sees them. Row k of column g lies in lane 4g + (k / 2) mod 4.
  for (std::size_t r = 8; r < 12; ++r) {
    for (std::size_t lane = 0; lane < 32; ++lane) warp.r[r][lane] = lane % 2 == 0 ? 0x00003c00u : 0u;
  }
  for (std::size_t lane = 0; lane < 32; ++lane) warp.r[20][lane] = lane % 4 < 2 ? 0x44444444u : 0xeeeeeeeeu;
  execute_mma(instruction, warp, validation::a100().numerics);
  EXPECT_EQ(warp.r[16][0], 0x41000000u);  // eight groups, each with the pair (0, 1)
  instruction.selector = 1;
  execute_mma(instruction, warp, validation::a100().numerics);
  EXPECT_EQ(warp.r[16][0], 0u);  // pairs (2, 3)
}

}  // namespace
}  // namespace stc::isa
