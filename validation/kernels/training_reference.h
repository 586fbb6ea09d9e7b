// SPDX-License-Identifier: Apache-2.0
// What the training kernels must compute, as plainly as it can be said, on the host. Matrices are row-major vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace stc::kernels {

struct Matrix {
  int rows = 0, columns = 0;
  std::vector<float> values;
  Matrix(int r, int c) : rows(r), columns(c), values(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  float& at(int r, int c) {
    return values[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)];
  }
  float at(int r, int c) const { return const_cast<Matrix*>(this)->at(r, c); }
  Matrix transposed() const {
    Matrix out(columns, rows);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) out.at(c, r) = at(r, c);
    }
    return out;
  }
};

/// a [m][k] times b [n][k] turned.
inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix d(a.rows, b.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.rows; ++j) {
      const float *x = &a.values[static_cast<std::size_t>(i) * static_cast<std::size_t>(a.columns)],
                  *y = &b.values[static_cast<std::size_t>(j) * static_cast<std::size_t>(b.columns)];
      d.at(i, j) = std::inner_product(x, x + a.columns, y, 0.0F);
    }
  }
  return d;
}

/// A mask of a 4x4 block, bit 4 * row + column.
using BlockMask = unsigned;

inline int line_count(BlockMask mask, int line, bool column) {
  int count = 0;
  for (int i = 0; i < 4; ++i) count += static_cast<int>(mask >> (column ? 4 * i + line : 4 * line + i) & 1U);
  return count;
}
inline bool is_transposable(BlockMask mask) {
  for (int i = 0; i < 4; ++i) {
    if (line_count(mask, i, false) != 2 || line_count(mask, i, true) != 2) return false;
  }
  return true;
}
inline double kept_magnitude(const float (&w)[16], BlockMask mask) {
  double sum = 0;
  for (int i = 0; i < 16; ++i) sum += (mask >> i & 1U) != 0 ? std::fabs(static_cast<double>(w[i])) : 0.0;
  return sum;
}
/// Of all transposable masks the magnitude of the best.
inline double best_magnitude(const float (&w)[16]) {
  static const std::vector<BlockMask> masks = [] {
    std::vector<BlockMask> all;
    for (BlockMask mask = 0; mask < 65536; ++mask) {
      if (is_transposable(mask)) all.push_back(mask);
    }
    return all;
  }();
  double best = 0;
  for (const BlockMask mask : masks) best = std::max(best, kept_magnitude(w, mask));
  return best;
}

/// Positions by falling magnitude, of equal ones the earlier first.
inline std::vector<int> by_magnitude(const float* w, int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [w](int a, int b) { return std::fabs(w[a]) > std::fabs(w[b]); });
  return order;
}
inline BlockMask greedy_reference(const float (&w)[16]) {
  BlockMask mask = 0;
  for (const int i : by_magnitude(w, 16)) {
    if (line_count(mask, i / 4, false) < 2 && line_count(mask, i % 4, true) < 2) mask |= 1U << i;
  }
  return mask;
}
inline BlockMask row_reference(const float (&w)[16]) {
  BlockMask mask = 0;
  for (int row = 0; row < 4; ++row) {
    const std::vector<int> order = by_magnitude(w + 4 * row, 4);
    mask |= 1U << (4 * row + order[0]) | 1U << (4 * row + order[1]);
  }
  return mask;
}

}  // namespace stc::kernels
