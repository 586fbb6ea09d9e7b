// SPDX-License-Identifier: Apache-2.0
// How a GEMM with many k and few tiles shares them among CTAs (validation/kernels/training_parts.h).
#pragma once

#include <algorithm>

namespace stc::sim {

/// The first `whole` tiles have a CTA each, the others `parts` CTAs each.
struct CutTiles {
  int whole = 0, parts = 1;
  int ctas(int tiles) const { return whole + (tiles - whole) * parts; }
};

/// For `ctas_per_sm` CTAs at a time on each of `sms` SMs and tiles of `steps` k-tiles: tiles that do not fill all
/// places are cut, all their parts at once, so that the fullest SM has least to do; of equal choices the one with most
/// CTAs. A part has at least eight steps, and a tile at most eight parts, for one CTA adds them up. parts 1: nothing is
/// cut.
inline CutTiles cut_tiles(int tiles, int steps, int sms, int ctas_per_sm) {
  constexpr int kLeastSteps = 8, kMostParts = 8;
  const int slots = sms * ctas_per_sm, whole = tiles / slots * slots, rest = tiles - whole;
  if (rest == 0) return {tiles, 1};
  int best = 1;
  // On the fullest SM, in tiles: ceil(rest * parts / sms) / parts.
  const auto fullest = [&](int parts) { return (rest * parts + sms - 1) / sms; };
  for (int parts = 2; parts <= std::min({slots / rest, steps / kLeastSteps, kMostParts}); ++parts) {
    const int difference = fullest(parts) * best - fullest(best) * parts;
    if (difference < 0 || (difference == 0 && best > 1)) best = parts;
  }
  return best > 1 ? CutTiles{whole, best} : CutTiles{tiles, 1};
}

}  // namespace stc::sim
