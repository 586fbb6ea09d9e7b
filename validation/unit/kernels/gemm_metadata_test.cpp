// SPDX-License-Identifier: Apache-2.0
// The metadata words that the sparse GEMM kernels expect are those that models/sparsity packs.
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>

#include "models/sparsity/metadata_layout.h"
#include "validation/kernels/gemm_operands.h"

namespace stc::kernels {
namespace {

struct Case {
  const char* name;
  Element type;
  sparsity::Pattern pattern;
  int instruction_k;
  int element_bits;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class GemmMetadata : public testing::TestWithParam<Case> {};

TEST_P(GemmMetadata, AgreesWithTheModelsPacking) {
  const auto& [name, type, pattern, instruction_k, element_bits] = GetParam();
  constexpr int kRows = 48, kDepth = 192;
  const int groups = kDepth / pattern.m;
  std::mt19937 random(7);
  std::vector<std::uint8_t> indices;
  for (int i = 0; i < kRows * groups; ++i) {
    const auto first = static_cast<std::uint8_t>(random() % static_cast<unsigned>(pattern.m - pattern.n + 1));
    indices.push_back(first);
    if (pattern.n == 2) {
      indices.push_back(static_cast<std::uint8_t>(first + 1 + random() % static_cast<unsigned>(3 - first)));
    }
  }
  const sparsity::MetadataLayout layout(pattern, instruction_k, element_bits);
  const auto words = pack_matrix(layout, instruction_k, kRows, kDepth, indices);
  ASSERT_EQ(words.size(), static_cast<std::size_t>(kDepth / metadata_k(type) * kRows / kMmaM * kWarp));

  for (std::size_t w = 0; w < words.size(); ++w) {
    const auto lane = static_cast<std::uint32_t>(w % kWarp);
    const auto fragment = static_cast<int>(w / kWarp) % (kRows / kMmaM),
               block = static_cast<int>(w / kWarp) / (kRows / kMmaM);
    std::uint32_t word = 0;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const MetadataField field = metadata_field(type, lane, half);
      for (std::uint32_t g = 0; g < field.groups; ++g) {
        const int row = fragment * kMmaM + static_cast<int>(field.row);
        const int group = (block * metadata_k(type) + static_cast<int>(field.k)) / pattern.m + static_cast<int>(g);
        const std::uint8_t* index = &indices[static_cast<std::size_t>((row * groups + group) * pattern.n)];
        word |= metadata_nibble(type, index[0], pattern.n == 2 ? index[1] : 0u) << (half * 16 + g * 4);
      }
    }
    ASSERT_EQ(word, words[w]) << "word " << w << " of lane " << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, GemmMetadata,
                         testing::Values(Case{"f16", Element::f16, {2, 4}, 32, 16},
                                         Case{"bf16", Element::bf16, {2, 4}, 32, 16},
                                         Case{"tf32", Element::tf32, {1, 2}, 16, 32},
                                         Case{"s8", Element::s8, {2, 4}, 64, 8}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace stc::kernels
