// SPDX-License-Identifier: Apache-2.0
// The matrix instruction on a warp's registers.
#include "models/isa/mma/execute_mma.h"

#include <gtest/gtest.h>

#include "models/isa/values/execute.h"
#include "validation/gpus.h"
#include "validation/instructions.h"

namespace stc::isa {
namespace {

Instruction hmma(const char* name) {
  Instruction instruction;
  instruction.opcode = Opcode::kHmma;
  instruction.mma = parse_mma_name(name);
  instruction.a = reg(4);
  instruction.b = reg(8);
  instruction.c = reg(12);
  instruction.dest = 16;
  return instruction;
}

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

TEST(ExecuteMma, DestinationMayBeAnOperand) {
  Instruction instruction = hmma("mma.m16n8k16.f32.f16.f16.f32");
  instruction.dest = 4;
  WarpState warp = warp_of(0x3c003c00, 0x40004000, 0x3f800000);
  execute_mma(instruction, warp, validation::h200().numerics);
  EXPECT_EQ(warp.r[4][7], 0x42040000u);
  EXPECT_EQ(warp.r[7][31], 0x42040000u);
}

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
