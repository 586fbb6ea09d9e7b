// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/mma/published_vectors.h"

#include <gtest/gtest.h>

#include "validation/unit/mma/published_rows.h"

namespace stc::validation {
namespace {

TEST(PublishedVectors, TranscribedRowsMatch) {
  for (const char* row : kPublishedRows) {
    const Replay result = replay(row, rules_of(row));
    EXPECT_EQ(result.computed, result.expected) << row;
  }
}

/// The rows must notice every parameter: each wrong rule set has to break at least one of them.
TEST(PublishedVectors, WrongRulesAreNoticed) {
  const auto mismatches = [](auto change) {
    int count = 0;
    for (const char* row : kPublishedRows) {
      Rules wrong = rules_of(row);
      change(wrong);
      const Replay result = replay(row, wrong);
      count += result.computed != result.expected ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(mismatches([](Rules& r) { --r.numerics.fraction_bits, --r.fp8.fraction_bits; }), 5);
  EXPECT_GT(mismatches([](Rules& r) { ++r.numerics.fraction_bits, ++r.fp8.fraction_bits; }), 5);
  EXPECT_GT(mismatches([](Rules& r) { r.numerics.f16_block_length /= 2, r.numerics.tf32_block_length /= 2; }), 3);
  EXPECT_GT(mismatches([](Rules& r) { r.fp8.f32_result_fraction = 12; }), 0);
}

}  // namespace
}  // namespace stc::validation
