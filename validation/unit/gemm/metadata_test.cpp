// SPDX-License-Identifier: Apache-2.0
// The metadata operand: at 2:4 what the compiled kernels read, elsewhere every index where the multiplexers look.
#include <gtest/gtest.h>

#include <stdexcept>

#include "models/isa/mma/fragment_layout.h"
#include "models/sparsity/compress.h"
#include "models/sparsity/metadata_layout.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::gemm {
namespace {

std::vector<std::uint8_t> indices_for(const sparsity::Pattern& pattern, int m, int k) {
  std::vector<float> weights(static_cast<std::size_t>(m) * static_cast<std::size_t>(k));
  std::uint32_t state = 1;
  for (float& w : weights) w = static_cast<float>((state = state * 1664525u + 1013904223u) >> 8);
  return sparsity::prune_by_magnitude(pattern, m, k, weights.data());
}

TEST(Metadata, OfTwoToFourIsThatOfTheCompiledKernels) {
  GemmSpec spec;
  spec.pattern = {2, 4};
  const auto indices = indices_for(spec.pattern, 32, 128);
  const sparsity::MetadataLayout layout(spec.pattern, 32, 16);
  EXPECT_EQ(pack_metadata(spec, 32, 128, indices), sparsity::pack_matrix(layout, 32, 32, 128, indices));
}

class AnyPattern : public testing::TestWithParam<const char*> {};

TEST_P(AnyPattern, PutsEveryIndexWhereItsInstructionLooks) {
  constexpr int kRows = 32;
  GemmSpec spec;
  spec.pattern = sparsity::Pattern::parse(GetParam());
  const isa::MmaOp op = matrix_instruction(spec.pattern, spec.type);
  spec.tile_k = 2 * op.k;
  spec.warp_m = spec.warp_n = 32;
  const GemmGeometry g = geometry(spec);
  const int k = 3 * spec.tile_k;
  const auto indices = indices_for(spec.pattern, kRows, k);
  const auto words = pack_metadata(spec, kRows, k, indices);
  ASSERT_EQ(words.size() * 4, g.metadata_bytes(kRows, static_cast<std::uint64_t>(k)));
  const sparsity::MetadataLayout layout = isa::metadata_layout(op);
  const int in_step = layout.indices_per_row(), per_row = k / op.k * in_step;
  for (int step = 0; step < k / op.k; ++step) {
    for (int fragment = 0; fragment < kRows / 16; ++fragment) {
      const int first = (step / g.metadata_instructions * (kRows / 16) + fragment) * g.metadata_registers * 32;
      const auto found = layout.unpack(&words[static_cast<std::size_t>(first)], step % g.metadata_instructions);
      for (int row = 0; row < 16; ++row) {
        for (int i = 0; i < in_step; ++i) {
          ASSERT_EQ(found[static_cast<std::size_t>(row * in_step + i)],
                    indices[static_cast<std::size_t>((fragment * 16 + row) * per_row + step * in_step + i)])
              << "step " << step << ", row " << row << ", index " << i;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AnyPattern,
                         testing::Values("1:2", "1:4", "2:4", "2:6", "3:8", "4:8", "4:8/2", "2:16", "1:32", "3:5"));

TEST(Metadata, OfJointIndicesHasNoPlaceInRegisters) {
  GemmSpec spec;
  spec.pattern = sparsity::Pattern::parse("2:4j");
  EXPECT_GT(geometry(spec).metadata_registers, 0);
  EXPECT_THROW(pack_metadata(spec, 16, 64, std::vector<std::uint8_t>(16 * 32)), std::invalid_argument);
}

}  // namespace
}  // namespace stc::gemm
