// SPDX-License-Identifier: Apache-2.0
#include "models/sparsity/compress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace stc::sparsity {
namespace {

using Indices = std::vector<std::uint8_t>;

TEST(Prune, KeepsTheLargestAndPrefersLowerIndices) {
  const float weights[] = {0.1f, -3.0f, 2.0f, 0.0f, /**/ 1.0f, 1.0f, -1.0f, 1.0f, /**/ 0.0f, 0.0f, 0.0f, 5.0f};
  EXPECT_EQ(prune_by_magnitude({2, 4}, 1, 12, weights), (Indices{1, 2, 0, 1, 0, 3}));
  EXPECT_EQ(prune_by_magnitude({1, 4}, 3, 4, weights), (Indices{1, 0, 3}));
  EXPECT_EQ(prune_by_magnitude({1, 2, 2}, 3, 4, weights), (Indices{0, 0, 1}))
      << "pairs compare by the sum of magnitudes";
}

TEST(Prune, KeepsNOfEveryGroupWhateverIsInIt) {
  const float nan = std::nanf("");
  const float weights[] = {nan, nan, nan, nan, /**/ nan, 1.0f, 2.0f, nan, /**/ 0.0f, 0.0f, 0.0f, 0.0f};
  EXPECT_FALSE(check_indices({2, 4}, 1, 12, prune_by_magnitude({2, 4}, 1, 12, weights)));
  EXPECT_FALSE(check_indices({4, 4}, 1, 12, prune_by_magnitude({4, 4}, 1, 12, weights)));
}

TEST(Prune, RejectsPartialGroups) {
  const float weights[6] = {};
  EXPECT_THROW(prune_by_magnitude({2, 4}, 1, 6, weights), std::invalid_argument);
}

TEST(Compress, DecompressingGivesThePrunedMatrixForManyPatterns) {
  std::mt19937 random(5);
  for (const char* name : {"1:2", "2:4", "1:4", "4:8", "4:8/2", "2:16", "1:16", "6:8", "dense"}) {
    const Pattern pattern = Pattern::parse(name);
    const int rows = 5, k = 64;
    std::vector<float> dense(rows * k);
    for (float& x : dense) x = static_cast<float>(static_cast<int>(random() % 2001) - 1000);
    const auto compressed =
        compress(pattern, rows, k, dense.data(), prune_by_magnitude(pattern, rows, k, dense.data()));
    EXPECT_EQ(compressed.values.size(),
              dense.size() * static_cast<std::size_t>(pattern.n) / static_cast<std::size_t>(pattern.m));
    EXPECT_FALSE(check_indices(pattern, rows, k, compressed.indices));
    const auto pruned = decompress(compressed);
    EXPECT_FALSE(check_pruned(pattern, rows, k, pruned.data())) << name;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < dense.size(); ++i) {
      EXPECT_TRUE(pruned[i] == dense[i] || pruned[i] == 0.0f);
      kept += pruned[i] != 0.0f ? 1 : 0;
    }
    EXPECT_GT(kept, compressed.values.size() * 9 / 10);
  }
}

TEST(CheckIndices, NamesTheFirstError) {
  EXPECT_FALSE(check_indices({2, 4}, 2, 4, {0, 3, 1, 2}));
  const auto equal = check_indices({2, 4}, 2, 8, {0, 1, 2, 3, 0, 2, 1, 1});
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->row, 1);
  EXPECT_EQ(equal->group, 1);
  EXPECT_EQ(equal->place, 1);
  EXPECT_EQ(equal->message, "row 1, group 1, index 1 is 1: must be above the index before it, 1");
  const auto high = check_indices({2, 4}, 1, 4, {0, 4});
  ASSERT_TRUE(high);
  EXPECT_EQ(high->message, "row 0, group 0, index 1 is 4: must be below 4");
}

TEST(CheckPruned, NamesTheFirstGroupWithTooMany) {
  const int dense[] = {1, 0, 2, 0, 0, 0, 0, 0, /**/ 0, 0, 3, 4, 1, 1, 1, 0};
  const auto error = check_pruned({2, 4}, 2, 8, dense);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->row, 1);
  EXPECT_EQ(error->group, 1);
  const int pairs[] = {1, 2, 0, 0, 3, 4, 0, 0};
  EXPECT_FALSE(check_pruned({2, 4, 2}, 1, 8, pairs)) << "a pair counts once";
  EXPECT_TRUE(check_pruned({1, 4, 2}, 1, 8, pairs));
}

TEST(Storage, CountsValuesAndMetadata) {
  const Storage f16 = storage({2, 4}, 128, 256, 16);
  EXPECT_EQ(f16.dense_bytes, 65536u);
  EXPECT_EQ(f16.value_bytes, 32768u);
  EXPECT_EQ(f16.metadata_bytes, 4096u);
  EXPECT_EQ(storage(Pattern::parse("2:4j"), 128, 256, 16).metadata_bytes, 3072u);
}

}  // namespace
}  // namespace stc::sparsity
