// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/sparse_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/formats/make_sparse.h"

namespace stc::sim {
namespace {

using ::testing::ElementsAre;

/// Row 1 and column 2 are empty.
const std::vector<float> kDenseValues = {1, 0, 0, 2, 0, 0, 0, 0, 3, 4, 0, 5};

TEST(SparseMatrix, RowsOfEntries) {
  const SparseMatrix matrix = sparse_of(kDenseValues, 3, 4);
  EXPECT_THAT(matrix.offsets, ElementsAre(0, 2, 2, 5));
  EXPECT_THAT(matrix.indices, ElementsAre(0U, 3U, 0U, 1U, 3U));
  EXPECT_EQ(dense_of(matrix), kDenseValues);
  EXPECT_EQ(matrix.longest_row(), 3);
  EXPECT_THAT(entry_rows(matrix), ElementsAre(0, 0, 2, 2, 2));
  EXPECT_THAT(rows_by_length(matrix), ElementsAre(2, 0, 1));
}

TEST(SparseMatrix, TransposedTwiceIsTheSame) {
  const SparseMatrix matrix = sparse_of(kDenseValues, 3, 4), turned = transposed(matrix);
  EXPECT_THAT(turned.offsets, ElementsAre(0, 2, 3, 3, 5));
  EXPECT_THAT(turned.indices, ElementsAre(0U, 2U, 2U, 0U, 2U));
  EXPECT_THAT(turned.values, ElementsAre(1, 3, 4, 2, 5));
  EXPECT_EQ(dense_of(transposed(turned)), kDenseValues);
}

TEST(SparseMatrix, EllRowsAreAsLongAsTheLongest) {
  const EllArrays ell = ell_of(sparse_of(kDenseValues, 3, 4));
  EXPECT_EQ(ell.width, 4);  // three, rounded up to a 16-byte load
  EXPECT_THAT(ell.indices, ElementsAre(0U, 3U, 0U, 0U, 0U, 0U, 0U, 0U, 0U, 1U, 3U, 0U));
  EXPECT_THAT(ell.values, ElementsAre(1, 2, 0, 0, 0, 0, 0, 0, 3, 4, 5, 0));
}

TEST(SparseMatrix, BitmapsLieInTheOrderOfTheMatrixInstruction) {
  std::vector<float> dense(std::size_t{17} * 65);
  const auto put = [&](std::size_t row, std::size_t column, float value) { dense[row * 65 + column] = value; };
  put(0, 1, 1);   // strip 0, block 0, bit 1
  put(9, 0, 2);   // strip 0, block 1 (rows from 8), bit 8
  put(0, 8, 3);   // strip 0, block 2 (k from 8), bit 0
  put(7, 63, 4);  // strip 0, the fourth k step's third block, bit 63
  put(3, 64, 5);  // strip 1: the next 64 columns
  put(16, 0, 6);  // strip 2: the next 16 rows
  const BitmapArrays bitmap = bitmap_of(sparse_of(dense, 17, 65));
  ASSERT_EQ(bitmap.offsets.size(), 8 * 2 + 1U);  // rows are padded to 128
  ASSERT_EQ(bitmap.bitmaps.size(), 16 * 16U);
  EXPECT_EQ(bitmap.bitmaps[0], 1ULL << 1U);
  EXPECT_EQ(bitmap.bitmaps[1], 1ULL << 8U);
  EXPECT_EQ(bitmap.bitmaps[2], 1ULL);
  EXPECT_EQ(bitmap.bitmaps[14], 1ULL << 63U);
  EXPECT_EQ(bitmap.bitmaps[16], 1ULL << 24U);
  EXPECT_EQ(bitmap.bitmaps[32], 1ULL);
  EXPECT_THAT(std::vector<std::uint32_t>(bitmap.offsets.begin(), bitmap.offsets.begin() + 5),
              ElementsAre(0, 8, 16, 24, 24));
  EXPECT_THAT(std::vector<float>(bitmap.values.begin(), bitmap.values.begin() + 9),
              ElementsAre(1, 2, 3, 4, 0, 0, 0, 0, 5));
}

TEST(MakeSparse, RandomHasTheDensityAndNoZeros) {
  const SparseMatrix matrix = random_sparse(400, 300, 0.2, 7);
  EXPECT_NEAR(matrix.density(), 0.2, 0.005);
  for (const float value : matrix.values) ASSERT_NE(value, 0);
  EXPECT_EQ(random_sparse(400, 300, 0.2, 7).indices, matrix.indices);
  EXPECT_NE(random_sparse(400, 300, 0.2, 8).indices, matrix.indices);
  EXPECT_EQ(random_sparse(10, 10, 1, 7).entries(), 100);
}

TEST(MakeSparse, PruningKeepsTheLargestMagnitudes) {
  const WeightMatrix weights{"w", 2, 4, {1, -4, 2, 0, -2, 3, 0.5F, 2}};
  EXPECT_THAT(dense_of(prune_unstructured(weights, 0.5)), ElementsAre(0, -4, 2, 0, -2, 3, 0, 0));
  EXPECT_EQ(prune_unstructured(weights, 1).entries(), 7);  // a zero is no entry
}

}  // namespace
}  // namespace stc::sim
