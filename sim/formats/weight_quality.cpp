// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/weight_quality.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "models/sparsity/compress.h"

namespace stc::sim {

KeptShare kept_share(const WeightMatrix& weights, const Mask& mask) {
  double all_magnitude = 0, all_energy = 0, magnitude = 0, energy = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const double x = std::fabs(static_cast<double>(weights.values[i]));
    all_magnitude += x;
    all_energy += x * x;
    if (mask[i] == 0) continue;
    magnitude += x;
    energy += x * x;
  }
  if (all_magnitude == 0) return {};
  return {magnitude / all_magnitude, energy / all_energy};
}

Mask pattern_mask(const sparsity::Pattern& pattern, const WeightMatrix& weights) {
  const std::vector<std::uint8_t> indices =
      sparsity::prune_by_magnitude(pattern, weights.rows, weights.columns, weights.values.data());
  const int per_row = weights.columns / pattern.group_elements() * pattern.n;
  Mask mask(weights.values.size(), 0);
  for (int row = 0; row < weights.rows; ++row) {
    const std::uint8_t* row_indices = indices.data() + std::ptrdiff_t{row} * per_row;
    std::uint8_t* out = mask.data() + std::ptrdiff_t{row} * weights.columns;
    sparsity::for_stored(pattern, weights.columns, row_indices, [&](int, int logical) { out[logical] = 1; });
  }
  return mask;
}

Mask unstructured_mask(const WeightMatrix& weights, std::size_t kept) {
  std::vector<float> magnitude(weights.values.size());
  std::transform(weights.values.begin(), weights.values.end(), magnitude.begin(), [](float x) { return std::fabs(x); });
  if (kept == 0) return Mask(magnitude.size(), 0);
  if (kept >= magnitude.size()) return Mask(magnitude.size(), 1);
  std::vector<float> order = magnitude;
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(kept) - 1;
  std::nth_element(order.begin(), last, order.end(), std::greater<>());
  const float threshold = *last;
  // Everything above the threshold, then as many equal to it as are left.
  auto ties = kept - static_cast<std::size_t>(
                         std::count_if(magnitude.begin(), magnitude.end(), [&](float x) { return x > threshold; }));
  Mask mask(magnitude.size(), 0);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const bool tie = magnitude[i] == threshold && ties > 0;
    if (tie) --ties;
    mask[i] = magnitude[i] > threshold || tie ? 1 : 0;
  }
  return mask;
}

}  // namespace stc::sim
