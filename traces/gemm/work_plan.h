// SPDX-License-Identifier: Apache-2.0
// When each load and copy of a k-tile is issued, counted in matrix instructions ("slots") from the tile's beginning.
//
// Work items follow each other as in the CUDA source: loads for the next item, then a share of the copies. Each piece
// goes out as soon as its registers are free and its turn has come, and early enough to have arrived when its item
// begins. In between lies the barrier behind which the next k-tile is read.
#pragma once

#include <vector>

#include "traces/gemm/fragment_loads.h"
#include "traces/gemm/gemm_design.h"

namespace stc::gemm {

struct PlannedWork {
  int slot = 0;
  bool is_copy = false;
  bool first_copy = false;  ///< of an item
  FragmentLoad load;
  int copy = 0;  ///< number of the copy
};

struct WorkPlan {
  int barrier_slot = 0;
  bool copies_before_barrier = true;
  std::vector<PlannedWork> before, after;  ///< the barrier, in order of issue
};

/// How nvcc goes about it, read from the compiled kernels; validation/timing/gemm compares the cycles. Patterns that
/// nvcc does not know follow the habits of sparse kernels, so that comparing patterns compares nothing else.
struct PlacementHabits {
  int first_slot = 0;  ///< of the first load of a k-tile
  double rate = 1;     ///< pieces of work a slot
  bool late = false;   ///< loads behind the barrier wait until `lead` slots before the tile's end
  int lead = 0;        ///< slots
};
PlacementHabits placement_habits(const GemmDesign& d);

/// Matrix instructions of an item.
inline int item_slots(const GemmDesign& d) { return d.fragments_m * d.part_n; }

WorkPlan plan_tile(const GemmDesign& d, int tile, int copies);

}  // namespace stc::gemm
