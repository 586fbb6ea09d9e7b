// SPDX-License-Identifier: Apache-2.0
// When each load and copy of a k-tile is issued, counted in matrix instructions ("slots") from the tile's beginning.
//
// A load may go out when nothing reads its registers any more and should do so early enough to have arrived when its
// item begins. Loads and copies are spread evenly, earliest deadline first: shared memory serves all warps of an SM,
// and a burst would fill the queue in front of it. In between lies the barrier behind which the next k-tile is read.
#pragma once

#include <vector>

#include "traces/gemm/fragment_loads.h"
#include "traces/gemm/gemm_design.h"

namespace stc::gemm {

struct PlannedWork {
  int slot = 0;
  bool is_copy = false;
  FragmentLoad load;
  int copy = 0;  ///< number of the copy
};

struct WorkPlan {
  int barrier_slot = 0;
  bool copies_before_barrier = true;
  std::vector<PlannedWork> before, after;  ///< the barrier, in order of issue
};

/// Matrix instructions of an item.
inline int item_slots(const GemmDesign& d) { return d.fragments_m * d.part_n; }

WorkPlan plan_tile(const GemmDesign& d, int tile, int copies);

}  // namespace stc::gemm
