// SPDX-License-Identifier: Apache-2.0
#include "models/sparsity/metadata_layout.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <stdexcept>

namespace stc::sparsity {
namespace {

struct Shape {
  Pattern pattern;
  int k, element_bits, selectors;
};
const Shape kShapes[] = {{{2, 4}, 16, 16, 4}, {{2, 4}, 32, 16, 2},   {{1, 2}, 8, 32, 4},    {{1, 2}, 16, 32, 2},
                         {{2, 4}, 32, 8, 2},  {{2, 4}, 64, 8, 1},    {{2, 4, 2}, 64, 4, 2}, {{2, 4, 2}, 128, 4, 1},
                         {{1, 4}, 64, 16, 2}, {{2, 16}, 128, 16, 1}, {{4, 8}, 32, 16, 1}};

TEST(MetadataLayout, UnpackReturnsWhatPackWroteAndSelectorsDoNotMeet) {
  std::mt19937 random(11);
  for (const Shape& shape : kShapes) {
    const MetadataLayout layout(shape.pattern, shape.k, shape.element_bits);
    EXPECT_EQ(layout.selectors(), shape.selectors) << shape.pattern.name() << " k" << shape.k;
    ASSERT_EQ(layout.registers(), 1);
    std::vector<std::uint32_t> words(32);
    std::vector<std::vector<std::uint8_t>> written;
    for (int selector = 0; selector < layout.selectors(); ++selector) {
      std::vector<std::uint8_t> indices;
      for (int i = 0; i < 16 * layout.indices_per_row(); ++i) {
        indices.push_back(static_cast<std::uint8_t>(random() % static_cast<unsigned>(shape.pattern.m)));
      }
      layout.pack(indices.data(), selector, words.data());
      written.push_back(indices);
    }
    for (int selector = 0; selector < layout.selectors(); ++selector) {
      EXPECT_EQ(layout.unpack(words.data(), selector), written[static_cast<std::size_t>(selector)]);
    }
  }
}

TEST(MetadataLayout, EveryPlaceIsUsedOnce) {
  for (const Shape& shape : kShapes) {
    const MetadataLayout layout(shape.pattern, shape.k, shape.element_bits);
    std::set<int> used;
    for (int selector = 0; selector < layout.selectors(); ++selector) {
      for (int row = 0; row < 16; ++row) {
        for (int i = 0; i < layout.indices_per_row(); ++i) {
          const auto place = layout.place(row, i, selector);
          EXPECT_LE(place.bit + layout.stored_bits(), 32);
          for (int bit = 0; bit < layout.stored_bits(); ++bit) {
            EXPECT_TRUE(used.insert(place.lane * 32 + place.bit + bit).second);
          }
        }
      }
    }
  }
}

TEST(MetadataLayout, Tf32IndicesAreWrittenAsTwoHalves) {
  const MetadataLayout layout({1, 2}, 16, 32);
  std::vector<std::uint32_t> words(32, 0xffffffffu);
  std::vector<std::uint8_t> indices(16 * 8, 0);
  indices[1] = 1;
  layout.pack(indices.data(), 0, words.data());
  EXPECT_EQ(words[0], 0x444444e4u | 0x44440000u);
  EXPECT_EQ(words[2], 0xffffffffu) << "the lanes of the other selector stay";
}

TEST(MetadataLayout, JointEncodingHasNoRegisters) {
  EXPECT_THROW(MetadataLayout(Pattern::parse("2:4j"), 32, 16), std::invalid_argument);
  EXPECT_THROW(MetadataLayout({}, 32, 16), std::invalid_argument);
}

TEST(MetadataMatrix, WordsFollowTheKernelsOrder) {
  // Two row tiles, k = 128: words [k / 64][row tile][lane] for f16 k32.
  const MetadataLayout layout({2, 4}, 32, 16);
  const int rows = 32, k = 128;
  std::vector<std::uint8_t> indices(rows * k / 2);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint8_t>(i % 2 == 0 ? 0 : 1);
  // Row 16 + 9, dense k = 64 + 32 + 20: group 29, in row tile 1, second word of k, selector 1, lane 4 + 3, upper half.
  indices[25 * 64 + 29 * 2] = 2;
  indices[25 * 64 + 29 * 2 + 1] = 3;
  const auto words = pack_matrix(layout, 32, rows, k, indices);
  ASSERT_EQ(words.size(), 2u * 2 * 32);
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(words[i], i == (1 * 2 + 1) * 32 + 7 ? 0x44e44444u : 0x44444444u) << i;
  }
  EXPECT_EQ(unpack_matrix(layout, 32, rows, k, words), indices);
  EXPECT_THROW(pack_matrix(layout, 32, 32, 96, {}), std::invalid_argument);
}

}  // namespace
}  // namespace stc::sparsity
