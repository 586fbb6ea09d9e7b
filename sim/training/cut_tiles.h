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

/// For `slots` CTAs at a time and tiles of `steps` k-tiles: what does not fill all slots is cut so that it does. A part
/// has at least eight steps, and a tile at most eight parts, for one CTA adds them up. parts 1: nothing is cut.
inline CutTiles cut_tiles(int tiles, int steps, int slots) {
  constexpr int kLeastSteps = 8, kMostParts = 8;
  const int whole = tiles / slots * slots, rest = tiles - whole;
  const int parts = rest == 0 ? 1 : std::min({slots / rest, steps / kLeastSteps, kMostParts});
  return parts > 1 ? CutTiles{whole, parts} : CutTiles{tiles, 1};
}

}  // namespace stc::sim
