// SPDX-License-Identifier: Apache-2.0
// Which scoreboard each load and copy of the loop counts with. Those that came with the same number share one; whoever
// waits for one should not wait for another that was issued shortly before and is wanted later, as far as there are
// enough.
#pragma once

#include <vector>

#include "traces/gemm/control_codes.h"

namespace stc::gemm {

/// Of a load or copy that waits for nobody and that nobody else waits for, if that is possible.
constexpr int kScoreboardOfItsOwn = 6;

/// Replaces the scoreboards of all LDSM and LDGSTS in blocks `first` to `past` - 1, which follow each other in a
/// circle, and of the loads before them that bring the first fragments. `interval`: cycles between matrix instructions.
/// `free_covered`: copies that later ones answer for have none.
void share_out_scoreboards(std::vector<Block>& blocks, std::size_t first, std::size_t past, int interval,
                           bool free_covered);

}  // namespace stc::gemm
