// SPDX-License-Identifier: Apache-2.0
#include "sim/training/training_report.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"
#include "sim/training/block_masks.h"

namespace stc::sim {
namespace {

constexpr int kQualitySide = 1024;  ///< the share does not depend on the size; this many repeat to a few 0.01 %

/// Time that 2:4 saves. Microseconds.
double saved(const TrainingPoint& point) { return point.dense.time_us() - point.sparse.time_us(); }

}  // namespace

double TrainingPoint::speedup_without_pruning() const {
  return dense.time_us() / (sparse.time_us() - sparse.time_us(StepLaunch::Part::kPrune));
}

LayerReport::BreakEven LayerReport::break_even() const {
  using Where = BreakEven::Where;
  if (saved(points.back()) <= 0) return {Where::kAbove, static_cast<double>(points.back().tokens)};
  // From the last number at which it does not pay.
  for (std::size_t i = points.size() - 1; i > 0; --i) {
    const TrainingPoint &before = points[i - 1], &after = points[i];
    if (saved(before) > 0) continue;
    const double share = -saved(before) / (saved(after) - saved(before));
    return {Where::kWithin, before.tokens + share * (after.tokens - before.tokens)};
  }
  return {Where::kBelow, static_cast<double>(points.front().tokens)};
}

std::string LayerReport::BreakEven::text() const {
  std::string count = grouped(static_cast<std::uint64_t>(std::llround(tokens)));
  switch (where) {
    case Where::kBelow: return "fewer than " + count;
    case Where::kAbove: return "more than " + count;
    case Where::kWithin: break;
  }
  return count;
}

std::vector<MaskQuality> mask_quality(const TrainingPlan& plan) {
  const WeightMatrix weights = draw_weights(plan.distribution, plan.seed, kQualitySide, kQualitySide);
  std::vector<MaskQuality> quality = {
      {"unstructured", kept_share(weights, unstructured_mask(weights, weights.values.size() / 2)).magnitude}};
  for (const char* choice : {"row", "exact", "greedy"}) {
    quality.push_back({choice, kept_share(weights, block_mask(choice, weights)).magnitude});
  }
  return quality;
}

}  // namespace stc::sim
