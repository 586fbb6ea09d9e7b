// SPDX-License-Identifier: Apache-2.0
#include "sim/training/block_masks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace stc::sim {
namespace {

constexpr std::size_t kSide = 4;

void greedy_block(const float* block, std::size_t columns, std::uint8_t* mask) {
  std::array<std::size_t, kSide * kSide> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) { return i / kSide * columns + i % kSide; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::fabs(block[place(a)]) > std::fabs(block[place(b)]);
  });
  std::array<int, kSide> rows{}, lines{};
  for (const std::size_t i : order) {
    if (rows[i / kSide] == 2 || lines[i % kSide] == 2) continue;
    ++rows[i / kSide];
    ++lines[i % kSide];
    mask[place(i)] = 1;
  }
}

Mask greedy_mask(const WeightMatrix& weights) {
  const auto rows = static_cast<std::size_t>(weights.rows), columns = static_cast<std::size_t>(weights.columns);
  if (rows % kSide != 0 || columns % kSide != 0) throw std::invalid_argument("both sizes must be multiples of 4");
  Mask mask(weights.values.size(), 0);
  for (std::size_t top = 0; top < rows; top += kSide) {
    for (std::size_t left = 0; left < columns; left += kSide) {
      greedy_block(&weights.values[top * columns + left], columns, &mask[top * columns + left]);
    }
  }
  return mask;
}

}  // namespace

Mask block_mask(const std::string& choice, const WeightMatrix& weights) {
  if (choice == "exact") return transposable_mask(weights);
  if (choice == "greedy") return greedy_mask(weights);
  sparsity::Pattern pattern;
  pattern.n = 2;
  pattern.m = 4;
  return pattern_mask(pattern, weights);
}

}  // namespace stc::sim
