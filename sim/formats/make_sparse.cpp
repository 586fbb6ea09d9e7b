// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/make_sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/launch/random.h"

namespace stc::sim {

SparseMatrix random_sparse(int rows, int columns, double density, std::uint64_t seed) {
  const Random places(seed, 1), values(seed, 2);
  SparseMatrix matrix;
  matrix.source = fmt::format("random, seed {}", seed);
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.offsets.push_back(0);
  std::uint64_t at = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column, ++at) {
      if (places.real(at, 0, 1) >= density) continue;
      const std::int64_t value = values.integer(at, -4, 3);
      matrix.indices.push_back(static_cast<std::uint32_t>(column));
      matrix.values.push_back(static_cast<float>(value >= 0 ? value + 1 : value));
    }
    matrix.offsets.push_back(static_cast<std::int32_t>(matrix.indices.size()));
  }
  return matrix;
}

SparseMatrix prune_unstructured(const WeightMatrix& weights, double density) {
  const std::size_t count = weights.values.size();
  const auto kept = static_cast<std::size_t>(std::lround(density * static_cast<double>(count)));
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  const auto larger = [&](std::uint32_t a, std::uint32_t b) {
    const float of_a = std::fabs(weights.values[a]), of_b = std::fabs(weights.values[b]);
    return of_a != of_b ? of_a > of_b : a < b;
  };
  if (kept < count) {
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), larger);
  }
  std::vector<float> pruned(count);
  for (std::size_t i = 0; i < kept; ++i) pruned[order[i]] = weights.values[order[i]];
  SparseMatrix matrix = sparse_of(pruned, weights.rows, weights.columns);
  matrix.source = weights.source;
  return matrix;
}

}  // namespace stc::sim
