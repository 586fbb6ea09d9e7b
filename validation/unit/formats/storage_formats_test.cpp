// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/storage_formats.h"

#include <gtest/gtest.h>

#include "sim/formats/formats_report.h"

namespace stc::sim {
namespace {

using sparsity::Pattern;

/// 4 rows of 8: 3, 1, 2 and 0 kept.
const Mask kUneven = {1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

TEST(StorageFormats, ByHand) {
  const MaskShape shape = shape_of(kUneven, 4, 8);
  EXPECT_EQ(shape.nonzeros, 6U);
  EXPECT_EQ(shape.longest_row, 3U);
  const FormatBytes bytes = storage_formats(shape, std::nullopt, 32, 32);
  EXPECT_EQ(bytes.dense, 128U);          // 32 elements of 4
  EXPECT_EQ(bytes.coo, 72U);             // 6 of 4 + 4 + 4
  EXPECT_EQ(bytes.csr, 6U * 8 + 5 * 4);  // and five row starts
  EXPECT_EQ(bytes.ell, 96U);             // 4 rows of 3 of 4 + 4
  EXPECT_EQ(bytes.nm_values, 0U);
}

TEST(StorageFormats, NarrowIndices) {
  const FormatBytes bytes = storage_formats(shape_of(kUneven, 4, 8), std::nullopt, 16, 8);
  EXPECT_EQ(bytes.coo, 24U);
  EXPECT_EQ(bytes.csr, 18U + 20);
  EXPECT_EQ(bytes.ell, 36U);
}

TEST(StorageFormats, EllSavesNothingInF32AtHalfDensity) {
  const WeightMatrix weights = draw_weights("normal", 1, 64, 128);
  const MaskShape shape = shape_of(pattern_mask(Pattern{2, 4}, weights), 64, 128);
  const FormatBytes bytes = storage_formats(shape, Pattern{2, 4}, 32, 32);
  EXPECT_EQ(bytes.ell, bytes.dense);
  EXPECT_EQ(bytes.nm_values, bytes.dense / 2);
  EXPECT_EQ(bytes.nm_metadata, 64U * 128 / 4 * 4 / 8);
}

TEST(IndexOverhead, KnownFigures) {
  EXPECT_DOUBLE_EQ(index_overhead(Pattern{2, 4}, 16), 0.125);
  EXPECT_DOUBLE_EQ(index_overhead(Pattern{2, 4}, 8), 0.25);
  EXPECT_DOUBLE_EQ(index_overhead(Pattern{2, 4, 2}, 4), 0.25);  // 4:8 in pairs of s4: 2 bits for 8
  EXPECT_DOUBLE_EQ(index_overhead(Pattern{1, 2}, 32), 1.0 / 32);
  EXPECT_DOUBLE_EQ(index_overhead(Pattern{2, 4, 1, sparsity::IndexEncoding::joint}, 16), 3.0 / 32);
  EXPECT_DOUBLE_EQ(index_overhead(Pattern{}, 16), 0.0);
}

TEST(FormatsReport, HasOneUnstructuredBoundForEachDensity) {
  const WeightMatrix weights = draw_weights("normal", 1, 32, 32);
  const FormatsReport report =
      make_formats_report(weights, {{Pattern{2, 4}, Pattern{1, 2}, Pattern{1, 4}}, "f16", 16, 32});
  ASSERT_EQ(report.prunings.size(), 6U);
  EXPECT_EQ(report.prunings[0].legal_masks, 6U);
  EXPECT_EQ(report.prunings[3].name, "2:4 both ways");
  EXPECT_EQ(report.prunings[4].name, "unstructured 50 %");
  EXPECT_EQ(report.prunings[5].name, "unstructured 25 %");
  EXPECT_EQ(report.prunings[0].unstructured.magnitude, report.prunings[4].kept.magnitude);
  EXPECT_GT(report.prunings[5].bytes.ell, report.prunings[2].bytes.ell);  // unstructured rows differ in length
}

TEST(FormatsReport, SaysWhyAMatrixHasNoTransposableMask) {
  const FormatsReport report = make_formats_report(draw_weights("normal", 1, 6, 8), {{Pattern{2, 4}}, "f16", 16, 32});
  ASSERT_EQ(report.left_out.size(), 1U);
  EXPECT_NE(report.left_out[0].find("6 x 8"), std::string::npos);
}

}  // namespace
}  // namespace stc::sim
