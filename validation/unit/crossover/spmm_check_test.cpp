// SPDX-License-Identifier: Apache-2.0
// The check of a product finds a wrong element, whichever operand is sparse.
#include "sim/crossover/spmm_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sim/formats/make_sparse.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

SpmmKernel kernel_of(SpmmFormat format) {
  SpmmKernel kernel;
  kernel.format = format;
  return kernel;
}

/// D as f32, by the plain triple loop over dense operands.
std::vector<std::uint8_t> product(const SpmmOperands& o) {
  const std::vector<float> a = o.dense_a.empty() ? dense_of(o.sparse_a) : o.dense_a;
  const std::vector<float> b = o.dense_b.empty() ? dense_of(o.sparse_b) : o.dense_b;
  const auto m = static_cast<std::size_t>(o.m), n = static_cast<std::size_t>(o.n), k = static_cast<std::size_t>(o.k);
  std::vector<float> d(m * n);
  for (std::size_t i = 0; i < m * n; ++i) {
    for (std::size_t l = 0; l < k; ++l) d[i] += a[i / n * k + l] * b[l * n + i % n];
  }
  std::vector<std::uint8_t> bytes(d.size() * sizeof(float));
  std::memcpy(bytes.data(), d.data(), bytes.size());
  return bytes;
}

TEST(SpmmCheck, AcceptsTheProductAndFindsOneWrongElement) {
  for (const SpmmFormat format :
       {SpmmFormat::kCsr, SpmmFormat::kCsrCsr, SpmmFormat::kCsc, SpmmFormat::kSgemm, SpmmFormat::kBitmap}) {
    const bool on_the_right = format == SpmmFormat::kCsc;
    const SparseMatrix sparse = on_the_right ? random_sparse(12, 16, 0.3, 1) : random_sparse(8, 12, 0.3, 1);
    const SpmmOperands o = spmm_operands(kernel_of(format), sparse, true, 8, 16, 12, 5);
    std::vector<std::uint8_t> d = product(o);
    EXPECT_EQ(spmm_difference(o, d), "") << name_of(format);
    float value = 0;
    std::memcpy(&value, &d[(3 * 16 + 7) * sizeof value], sizeof value);
    value += 1;
    std::memcpy(&d[(3 * 16 + 7) * sizeof value], &value, sizeof value);
    EXPECT_THAT(spmm_difference(o, d), HasSubstr("D[3,7] is")) << name_of(format);
  }
}

TEST(SpmmCheck, RealNumbersMayDifferByWhatRoundingCosts) {
  SparseMatrix sparse = random_sparse(8, 12, 0.5, 1);
  for (float& value : sparse.values) value *= 0.1F;
  const SpmmOperands o = spmm_operands(kernel_of(SpmmFormat::kCsr), sparse, false, 8, 16, 12, 5);
  std::vector<std::uint8_t> d = product(o);
  EXPECT_EQ(spmm_difference(o, d), "");
  d[3] ^= 0x01U;  // an exponent bit
  EXPECT_THAT(spmm_difference(o, d), HasSubstr("in relative norm, more than"));
}

}  // namespace
}  // namespace stc::sim
