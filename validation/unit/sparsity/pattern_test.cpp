// SPDX-License-Identifier: Apache-2.0
#include "models/sparsity/pattern.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stc::sparsity {
namespace {

struct Expectation {
  const char* name;
  int n, m, per_index;
  int bits_per_group;
  std::uint64_t masks;
};

TEST(Pattern, NamesBitsAndMasks) {
  const Expectation expectations[] = {{"2:4", 2, 4, 1, 4, 6},     {"1:2", 1, 2, 1, 1, 2},
                                      {"4:8/2", 2, 4, 2, 4, 6},   {"4:8", 4, 8, 1, 12, 70},
                                      {"2:16", 2, 16, 1, 8, 120}, {"1:4", 1, 4, 1, 2, 4},
                                      {"3:5", 3, 5, 1, 9, 10},    {"2:4j", 2, 4, 1, 3, 6},
                                      {"4:8j", 4, 8, 1, 7, 70},   {"32:64j", 32, 64, 1, 61, 1832624140942590534}};
  for (const Expectation& e : expectations) {
    const Pattern pattern = Pattern::parse(e.name);
    EXPECT_EQ(pattern.name(), e.name);
    EXPECT_EQ(pattern.n, e.n) << e.name;
    EXPECT_EQ(pattern.m, e.m) << e.name;
    EXPECT_EQ(pattern.elements_per_index, e.per_index) << e.name;
    EXPECT_EQ(pattern.index_bits_per_group(), e.bits_per_group) << e.name;
    EXPECT_EQ(pattern.legal_masks(), e.masks) << e.name;
  }
  EXPECT_TRUE(Pattern::parse("dense").dense());
  EXPECT_EQ(Pattern{}.index_bits_per_group(), 0);
}

TEST(Pattern, RejectsNonsense) {
  for (const char* text : {"", "2", "4:2", "0:4", "2:4x", "3:8/2", "2:128", ":4", "2:4/0", "2:4 "}) {
    EXPECT_THROW(Pattern::parse(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace stc::sparsity
