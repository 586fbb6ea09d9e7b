// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/spmm_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace stc::sim {
namespace {

/// sums += a x row `k` of B.
void add_row_of_b(const SpmmOperands& o, double a, std::size_t k, std::vector<double>& sums) {
  if (o.dense_b.empty()) {
    const auto end = static_cast<std::size_t>(o.sparse_b.offsets[k + 1]);
    for (auto i = static_cast<std::size_t>(o.sparse_b.offsets[k]); i < end; ++i) {
      sums[o.sparse_b.indices[i]] += a * static_cast<double>(o.sparse_b.values[i]);
    }
    return;
  }
  const float* row = &o.dense_b[k * sums.size()];
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += a * static_cast<double>(row[j]);
}

std::vector<double> reference_row(const SpmmOperands& o, std::size_t row) {
  std::vector<double> sums(static_cast<std::size_t>(o.n));
  if (o.dense_a.empty()) {
    const auto end = static_cast<std::size_t>(o.sparse_a.offsets[row + 1]);
    for (auto i = static_cast<std::size_t>(o.sparse_a.offsets[row]); i < end; ++i) {
      add_row_of_b(o, static_cast<double>(o.sparse_a.values[i]), o.sparse_a.indices[i], sums);
    }
    return sums;
  }
  const auto k = static_cast<std::size_t>(o.k);
  for (std::size_t i = 0; i < k; ++i) add_row_of_b(o, static_cast<double>(o.dense_a[row * k + i]), i, sums);
  return sums;
}

}  // namespace

std::string spmm_difference(const SpmmOperands& o, const isa::BufferBytes& d, double most_products) {
  const auto m = static_cast<std::size_t>(o.m), n = static_cast<std::size_t>(o.n);
  const double products_of_row = static_cast<double>(o.n) * o.k;
  const std::size_t rows = std::clamp<std::size_t>(static_cast<std::size_t>(most_products / products_of_row), 1, m);
  double difference = 0, norm = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t row = r * m / rows;
    const std::vector<double> wanted = reference_row(o, row);
    for (std::size_t j = 0; j < n; ++j) {
      float value = 0;
      std::memcpy(&value, &d[(row * n + j) * sizeof value], sizeof value);
      const double miss = static_cast<double>(value) - wanted[j];
      // A NaN differs, too.
      if (o.integers && !(miss == 0)) return fmt::format("D[{},{}] is {}, must be {}", row, j, value, wanted[j]);
      difference += miss * miss;
      norm += wanted[j] * wanted[j];
    }
  }
  const double limit = std::ldexp(std::sqrt(static_cast<double>(o.k)), -22);
  const double error = norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
  if (error <= limit) return "";
  return fmt::format("D differs from the reference by {:.2g} in relative norm, more than {:.2g}", error, limit);
}

}  // namespace stc::sim
