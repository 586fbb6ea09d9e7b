// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/mma/published_vectors.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "validation/unit/mma/published_rows.h"

namespace stc::validation {
namespace {

TEST(PublishedVectors, TranscribedRowsMatch) {
  for (const char* row : kPublishedRows) {
    const Replay result = replay(row, numerics_of(row));
    EXPECT_EQ(result.computed, result.expected) << row;
  }
}

/// The rows must notice every parameter: each wrong rule set has to break at least one of them.
TEST(PublishedVectors, WrongRulesAreNoticed) {
  const auto mismatches = [](auto change) {
    int count = 0;
    for (const char* row : kPublishedRows) {
      arith::Numerics wrong = numerics_of(row);
      for (arith::FusedDotRules* rules : {&wrong.f16, &wrong.tf32, &wrong.fp8}) change(*rules);
      const Replay result = replay(row, wrong);
      count += result.computed != result.expected ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(mismatches([](arith::FusedDotRules& r) { --r.fraction_bits; }), 5);
  EXPECT_GT(mismatches([](arith::FusedDotRules& r) { ++r.fraction_bits; }), 5);
  EXPECT_GT(mismatches([](arith::FusedDotRules& r) { r.block_length /= 2; }), 3);
  EXPECT_GT(mismatches([](arith::FusedDotRules& r) { r.f32_result_fraction = 12; }), 3);
}

TEST(PublishedVectors, AllRowsOfTheFileMatch) {
  const char* path = std::getenv("STC_HW_VECTORS");
  if (path == nullptr) GTEST_SKIP() << "STC_HW_VECTORS does not name the file of published vectors";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  int rows = 0, wrong = 0;
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row[0] == '#') continue;
    const Replay result = replay(row, numerics_of(row));
    ++rows;
    if (result.computed != result.expected && ++wrong <= 5) ADD_FAILURE() << row;
  }
  EXPECT_EQ(wrong, 0) << "of " << rows;
  EXPECT_GE(rows, 1000) << "the file is nearly empty";
}

}  // namespace
}  // namespace stc::validation
