// SPDX-License-Identifier: Apache-2.0
// The order of the emulation: even pairs of k first, C last and rounded to nearest.
#include "models/arith/emulated_fp8.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/arith/convert.h"
#include "validation/gpus.h"

namespace stc::arith {
namespace {

const FusedDotRules kRules = validation::h200().numerics.f16();

std::uint32_t first_output(const std::vector<float>& a_row, const std::vector<float>& b_column, float c) {
  const int depth = static_cast<int>(a_row.size());
  std::vector<std::uint32_t> a, b;
  for (int row = 0; row < 16; ++row) {
    for (const float value : a_row) a.push_back(from_float(kE5m2, value));
  }
  for (const float value : b_column) b.insert(b.end(), 8, from_float(kE5m2, value));
  const std::vector<std::uint32_t> cs(128, bits_of_float(c));
  std::vector<std::uint32_t> d(128);
  emulated_fp8_tile(kRules, kE5m2, kE5m2, Accumulator::f32, {16, depth, depth}, a.data(), b.data(), nullptr, cs.data(),
                    d.data());
  return d[0];
}

TEST(EmulatedFp8, PairsOfKTakeTurns) {
  // +1 - 1 + 2^-26: the tiny product survives only in a later block than the ones.
  std::vector<float> a(32, 0.0f), b(32, 0.0f);
  a[0] = 1, b[0] = 1, a[5] = -1, b[5] = 1;  // p mod 4 in {0, 1}: first product
  a[2] = 0x1p-13f, b[2] = 0x1p-13f;         // p mod 4 in {2, 3}: second product
  EXPECT_EQ(first_output(a, b, 0), bits_of_float(0x1p-26f));
  std::swap(a[2], a[4]);
  std::swap(b[2], b[4]);
  EXPECT_EQ(first_output(a, b, 0), 0u);
}

TEST(EmulatedFp8, CIsAddedLastToNearestEven) {
  std::vector<float> a(32, 0.0f), b(32, 0.0f);
  a[0] = 1.5f, b[0] = 0x1p-16f;
  const float c = 256.0f;  // ulp 2^-15: the product is 0.75 ulp
  EXPECT_EQ(first_output(a, b, c), bits_of_float(256.0f + 0x1p-15f)) << "truncation would give 256";
}

}  // namespace
}  // namespace stc::arith
