// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <stdexcept>

#include "sim/formats/weight_quality.h"

namespace stc::sim {
namespace {

constexpr int kSide = 4;
/// The six ways to keep two of four, as bits.
constexpr std::array<std::uint8_t, 6> kRows = {0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100};

using BlockMask = std::array<std::uint8_t, kSide>;  ///< for each row an index into kRows

bool two_in_each_column(const BlockMask& mask) {
  for (int column = 0; column < kSide; ++column) {
    int ones = 0;
    for (const std::uint8_t row : mask) ones += kRows[row] >> column & 1;
    if (ones != 2) return false;
  }
  return true;
}

const std::vector<BlockMask>& legal_masks() {
  static const std::vector<BlockMask> masks = [] {
    std::vector<BlockMask> legal;
    for (int code = 0; code < 6 * 6 * 6 * 6; ++code) {
      BlockMask mask{};
      for (int row = 0, rest = code; row < kSide; ++row, rest /= 6) {
        mask[static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(rest % 6);
      }
      if (two_in_each_column(mask)) legal.push_back(mask);
    }
    return legal;
  }();
  return masks;
}

/// Magnitude that each way to keep two keeps of one row of a block.
std::array<double, 6> row_sums(const float* row) {
  std::array<double, 6> sums{};
  for (std::size_t way = 0; way < kRows.size(); ++way) {
    for (int column = 0; column < kSide; ++column) {
      if ((kRows[way] >> column & 1) != 0) sums[way] += std::fabs(static_cast<double>(row[column]));
    }
  }
  return sums;
}

BlockMask best_mask(const float* block, int columns) {
  std::array<std::array<double, 6>, kSide> sums{};
  for (int row = 0; row < kSide; ++row)
    sums[static_cast<std::size_t>(row)] = row_sums(block + std::ptrdiff_t{row} * columns);
  const BlockMask* best = nullptr;
  double best_sum = -1.0;
  for (const BlockMask& mask : legal_masks()) {
    const double sum = sums[0][mask[0]] + sums[1][mask[1]] + sums[2][mask[2]] + sums[3][mask[3]];
    if (sum <= best_sum) continue;
    best_sum = sum;
    best = &mask;
  }
  return *best;
}

}  // namespace

int transposable_masks() { return static_cast<int>(legal_masks().size()); }

Mask transposable_mask(const WeightMatrix& weights) {
  if (weights.rows % kSide != 0 || weights.columns % kSide != 0) {
    throw std::invalid_argument("a matrix of " + std::to_string(weights.rows) + " x " +
                                std::to_string(weights.columns) +
                                " has no transposable 2:4 mask (both sizes must be multiples of 4)");
  }
  Mask mask(weights.values.size(), 0);
  for (int top = 0; top < weights.rows; top += kSide) {
    for (int left = 0; left < weights.columns; left += kSide) {
      const std::ptrdiff_t corner = std::ptrdiff_t{top} * weights.columns + left;
      const BlockMask best = best_mask(weights.values.data() + corner, weights.columns);
      for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
          const auto at = static_cast<std::size_t>(corner + std::ptrdiff_t{row} * weights.columns + column);
          mask[at] = kRows[best[static_cast<std::size_t>(row)]] >> column & 1;
        }
      }
    }
  }
  return mask;
}

}  // namespace stc::sim
