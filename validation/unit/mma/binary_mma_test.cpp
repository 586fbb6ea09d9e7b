// SPDX-License-Identifier: Apache-2.0
// Products of single bits against the layout as the PTX ISA words it.
#include "models/isa/products/binary_mma.h"

#include <gtest/gtest.h>

#include <random>

#include "models/isa/products/execute_mma.h"
#include "validation/gpus.h"

namespace stc::isa {
namespace {

MmaOp binary(int m, int k, bool exclusive_or) {
  MmaOp op;
  op.m = static_cast<std::uint8_t>(m);
  op.k = static_cast<std::uint16_t>(k);
  op.a = op.b = NumberFormat::b1;
  op.c = NumberFormat::s32;
  op.exclusive_or = exclusive_or;
  return op;
}

class BinaryMma : public testing::TestWithParam<MmaOp> {};
INSTANTIATE_TEST_SUITE_P(Shapes, BinaryMma,
                         testing::Values(binary(8, 128, false), binary(8, 128, true), binary(16, 128, false),
                                         binary(16, 128, true), binary(16, 256, false), binary(16, 256, true)));

TEST_P(BinaryMma, CountsTheBitsOfRowAndColumn) {
  const MmaOp& op = GetParam();
  std::mt19937 random(1);
  std::uint32_t a[4][32], b[2][32], c[4][32], d[4][32];
  for (auto* image : {a, c}) {
    for (int i = 0; i < 128; ++i) image[i / 32][i % 32] = static_cast<std::uint32_t>(random());
  }
  for (int i = 0; i < 64; ++i) b[i / 32][i % 32] = static_cast<std::uint32_t>(random());
  mma_registers(op, validation::a100().numerics, a[0], b[0], c[0], nullptr, 0, d[0]);
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < op.c_registers(); ++r) {
      // Lane 4 g + t holds columns 2 t and 2 t + 1 of rows g and g + 8; bits k lie with lanes k / 32 mod 4.
      const int row = lane / 4 + r / 2 * 8, column = lane % 4 * 2 + r % 2;
      std::uint32_t expected = c[r][lane];
      for (int k = 0; k < op.k; ++k) {
        const int holder = k / 32 % 4, half = k / 128;
        const std::uint32_t of_a = a[row / 8 + half * 2][row % 8 * 4 + holder] >> k % 32 & 1u;
        const std::uint32_t of_b = b[half][column * 4 + holder] >> k % 32 & 1u;
        expected += op.exclusive_or ? of_a ^ of_b : of_a & of_b;
      }
      EXPECT_EQ(d[r][lane], expected) << op.name() << " lane " << lane << " register " << r;
    }
  }
}

TEST(BinaryMmaName, SaysTheOperation) {
  EXPECT_EQ(binary(16, 256, true).name(), "mma.m16n8k256.s32.b1.b1.s32.xor.popc");
  EXPECT_EQ(binary(8, 128, false).name(), "mma.m8n8k128.s32.b1.b1.s32.and.popc");
}

}  // namespace
}  // namespace stc::isa
