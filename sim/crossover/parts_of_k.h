// SPDX-License-Identifier: Apache-2.0
// How many CTAs share the k of a tile, where there are too few tiles to fill the SMs evenly.
#pragma once

#include <algorithm>
#include <cstdint>

namespace stc::sim {

/// Of 1 to 8 parts, none shallower than `least_depth`, those that leave the SMs least unequal work; of nearly equal
/// ones the fewest that put two CTAs on an SM, for every part adds to all of D. More CTAs than are resident at once
/// (`slots`) only where `rounds` says that CTAs are short enough to follow one another.
inline int parts_of_k(std::int64_t tiles, int k, int least_depth, std::int64_t slots, int sms, bool rounds) {
  constexpr double kEqual = 0.01;
  int best = 1;
  double best_share = 0;
  for (int parts = 1; parts <= std::clamp(k / least_depth, 1, 8); ++parts) {
    const std::int64_t ctas = tiles * parts;
    if (parts > 1 && ctas > slots && (!rounds || ctas > 2 * slots)) break;
    const std::int64_t on_the_fullest = (ctas + sms - 1) / sms;
    const double share = static_cast<double>(ctas) / static_cast<double>(on_the_fullest * sms);
    const bool best_fills = tiles * best > sms;
    if (share < best_share + (best_fills ? kEqual : -kEqual)) continue;
    best = parts;
    best_share = share;
  }
  return best;
}

}  // namespace stc::sim
