// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/compiler_habits.h"

#include <algorithm>

namespace stc::gemm {
namespace {

// Slots of the two-part sparse loops.
constexpr int kRestOfCopies = 13;    // when registers for their addresses have come free
constexpr int kTwoStageCopies = 17;  // nvcc: 8, and the barrier ten slots earlier too (see placement_habits())

constexpr int kTwoStageLoads = 23;  // Hopper, dense: addresses of all copies are computed first

PlacementHabits two_part_habits(const GemmDesign& d, int copies) {
  PlacementHabits habits;
  if (d.stages() == 2) {
    habits.rate = 1.5;
    habits.copies_from = kTwoStageCopies;
  } else {
    habits.rate = 2;
    habits.early_copies = copies / copy_items(d) / 3;
    habits.copies_from = kRestOfCopies;
  }
  return habits;
}

PlacementHabits sparse_habits(const GemmDesign& d, bool hopper) {
  const int half = std::max(0, item_slots(d) / 2 - 1), earlier = half - half / 3;
  PlacementHabits habits;
  habits.first_slot = hopper ? earlier + 0.5 : half;
  habits.after_barrier = hopper ? 3.5 : 3.9;
  habits.rate = 1.5;
  if (item_slots(d) >= 16) {
    habits.early_copies = 5;
    habits.copies_from = item_slots(d) + (hopper ? 0 : 2);
  }
  return habits;
}

/// Slot of a k-tile's first load; with two stages the addresses of all copies are computed before.
int first_load(const GemmDesign& d, bool hopper, int copies) {
  const bool wide = d.fragments_n >= 8, two_stages = d.stages() == 2;
  if (!hopper) return two_stages && copies <= 16 ? copies - 6 : wide ? 4 : 3;
  return d.spec.type != isa::NumberFormat::s8 ? 10 : d.threads() == 256 ? 3 : 6;
}

PlacementHabits dense_habits(const GemmDesign& d, bool hopper, int copies) {
  const bool eight_warps = d.threads() == 256, wide = d.fragments_n >= 8;
  const int half = std::max(0, item_slots(d) / 2 - 1);
  PlacementHabits habits;
  habits.first_slot = hopper && d.stages() == 2 ? kTwoStageLoads : std::min(first_load(d, hopper, copies), half);
  habits.late = true;
  habits.lead = hopper ? 11 : 9;
  if (hopper && eight_warps && wide) habits.rate = 0.75;
  if (!hopper && !eight_warps && !wide) habits.rate = 1.33;
  if (hopper || habits.rate != 1) habits.barrier_after_copies = 4;
  return habits;
}

/// Cycles that nvcc takes a matrix instruction to last.
int nominal_interval(const GemmDesign& d) { return !d.sparse && d.in_hopper_order() ? 6 : 8; }

/// Cycles from one load or copy to the next.
int memory_cycles(const GemmDesign& d) {
  const bool hopper = d.in_hopper_order(), eight_warps = d.threads() >= 256;
  const bool wide = d.fragments_n >= 8, tall = d.fragments_m >= 4;
  if (d.sparse) return wide || !tall ? 4 : 5;
  if (hopper) return wide ? (eight_warps ? 8 : 6) : tall ? 5 : 4;
  return wide || eight_warps ? 8 : tall ? 6 : 5;
}

/// Cycles from a matrix instruction to one on general registers. Where registers are short there is no such distance.
int cycles_after_matrix(const GemmDesign& d) {
  if (d.geometry.parts > 1) return 1;
  if (d.sparse || !d.in_hopper_order()) return 4;
  return d.spec.type == isa::NumberFormat::s8 ? 3 : 5;
}

}  // namespace

Pace pace_of(const GemmDesign& d) {
  const int interval = d.spec.times.mma_interval, nominal = nominal_interval(d);
  Pace pace;
  pace.matrix = interval;
  pace.vectors_first = !d.sparse;
  pace.memory = std::max(1, memory_cycles(d) * interval / nominal);
  pace.after_matrix = std::max(1, cycles_after_matrix(d) * interval / nominal);
  return pace;
}

PlacementHabits placement_habits(const GemmDesign& d, int copies) {
  const bool hopper = d.in_hopper_order();
  if (!d.sparse) return dense_habits(d, hopper, copies);
  if (d.geometry.parts == 1) return sparse_habits(d, hopper);
  if (d.geometry.parts == 2) return two_part_habits(d, copies);
  PlacementHabits habits;
  habits.rate = 2.5;
  habits.after_barrier = 0;
  return habits;
}

int copy_items(const GemmDesign& d) {
  if (d.stages() == 2) return 1;
  if (d.geometry.parts > 2) return d.items - 1;
  return std::max({1, d.items - d.geometry.parts, d.steps() == 1 ? d.items - 1 : 1});
}

bool copy_addresses_first(const GemmDesign& d) {
  return !d.sparse && d.in_hopper_order() && d.fragments_m >= 4 && d.stages() > 2;
}

bool lane_addresses_first(const GemmDesign& d) {
  return !d.sparse && d.in_hopper_order() && d.fragments_m >= 4 && d.fragments_n < 8 && d.simple_columns;
}

int rows_before_columns(const GemmDesign& d, int step) {
  const int rows = d.fragments_m;
  if (step == 0) return rows;
  if (step > 1) return std::max(1, rows - 1);
  const bool hopper = d.in_hopper_order(), wide = d.fragments_n >= 8;
  if (d.sparse) return rows <= 2 ? rows : 1;
  if (hopper) return d.spec.type == isa::NumberFormat::s8 ? 1 : std::min(2, rows);
  return wide ? 1 : std::max(1, rows - 1);
}

std::vector<MatrixSlot> matrix_order(const GemmDesign& d) {
  const bool two_parts = d.geometry.parts == 2;
  std::vector<MatrixSlot> order;
  const auto by_rows = [&](int item) {
    for (int i = 0; i < d.fragments_m; ++i) {
      for (int j = 0; j < d.part_n; ++j) order.push_back({item, i, j});
    }
  };
  const auto by_column = [&](int item, int j) {
    for (int i = 0; i < d.fragments_m; ++i) order.push_back({item, i, j});
  };
  const auto by_columns = [&](int item, int first, int past) {
    for (int j = first; j < past; ++j) by_column(item, j);
  };
  for (int item = 0; item < d.items; ++item) {
    const bool last_step = item / d.geometry.parts + 1 == d.steps();
    if (d.geometry.parts == 1 || (two_parts && item + 1 == d.items)) {
      by_rows(item);
    } else if (two_parts && d.stages() > 2 && !last_step) {
      by_column(item, 0);
      by_columns(item + 1, 0, d.part_n / 2);
      by_columns(item, 1, d.part_n);
      by_columns(item + 1, d.part_n / 2, d.part_n);
      ++item;
    } else {
      by_columns(item, 0, d.part_n);
    }
  }
  return order;
}

}  // namespace stc::gemm
