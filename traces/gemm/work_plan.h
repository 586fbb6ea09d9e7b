// SPDX-License-Identifier: Apache-2.0
// When each load and copy of a k-tile is issued, counted in matrix instructions ("slots") from the tile's beginning.
//
// Work items follow each other as in the CUDA source: loads for the next item, then a share of the copies. Each piece
// goes out as soon as its registers are free and its turn has come, and early enough to have arrived when its item
// begins. In between lies the barrier behind which the next k-tile is read. Where and how closely: compiler_habits.h.
#pragma once

#include <vector>

#include "traces/gemm/compiler_habits.h"
#include "traces/gemm/fragment_loads.h"

namespace stc::gemm {

struct PlannedWork {
  int slot = 0;
  bool is_copy = false;
  bool first_copy = false;  ///< of an item
  FragmentLoad load;
  int copy = 0;  ///< number of the copy
};

struct WorkPlan {
  std::vector<MatrixSlot> order;  ///< of the matrix instructions
  int barrier_slot = 0;
  bool copies_before_barrier = true;
  std::vector<PlannedWork> before, after;  ///< the barrier, in order of issue
};

WorkPlan plan_tile(const GemmDesign& d, int tile, int copies);

}  // namespace stc::gemm
