// SPDX-License-Identifier: Apache-2.0
// The order of a k-tile's instructions that nvcc 13.0 produces from validation/kernels/gemm_kernel.h, read off the main
// loops of the 64 compiled kernels. Positions are counted in matrix instructions ("slots").
//
// Loads and copies keep the order of the source; what the compiler chooses is how far they move up, and the order of
// the matrix instructions. Three kinds of loops, by how the fragments of a step fit into registers
// (GemmGeometry::parts):
//   dense       rows outside, fragments of the next step loaded one a slot as rows come free, copies between them; the
//               next k-tile's first fragments wait until shortly before its beginning
//   one part    sparse; rows outside; all loads of a step close together in its middle, three for two slots, then all
//               copies. On warp tiles of 64 rows five of these come early: the others wait for the next step
//   two parts   sparse; columns outside, but rows in the last item. The loop's end waits for all fragments. With more
//               than two stages the columns of both parts mix, and most copies wait until these have freed registers
// Metadata for the next k-tile is loaded first behind the barrier, and moved to its place at the tile's end.
//
// validation/timing/gemm compares order and cycles. Two parts with two stages differ in one thing: nvcc takes registers
// of addresses and A fragments for B as they come free, so that its barrier comes ten slots earlier; the distance
// between copies and barrier is kept, since it is what the loop waits for.
//
// Patterns that nvcc does not know follow the same habits, so that comparing patterns compares nothing else; but steps
// of more than two parts, of few matrix instructions each, are loaded as soon and as closely as possible.
#pragma once

#include <vector>

#include "traces/gemm/gemm_design.h"
#include "traces/gemm/pace.h"

namespace stc::gemm {

struct PlacementHabits {
  double first_slot = 0;         ///< of the first load of a k-tile; halves: with the second one in the slot after
  double rate = 1;               ///< loads and copies a slot
  int early_copies = 0;          ///< of a k-tile; the others wait until
  int copies_from = 0;           ///< slot
  int barrier_after_copies = 3;  ///< slots from the end of their group, where no load comes between
  double after_barrier = 3;      ///< slots until the next k-tile's first load; parts as in `first_slot`
  bool late = false;             ///< these loads wait until `lead` slots before the tile's end
  int lead = 0;                  ///< slots
};
PlacementHabits placement_habits(const GemmDesign& d, int copies);

/// Distances that nvcc keeps, scaled to the interval of the machine's matrix instruction.
Pace pace_of(const GemmDesign& d);

/// Matrix instructions of an item.
inline int item_slots(const GemmDesign& d) { return d.fragments_m * d.part_n; }

/// Items that issue copies. With two stages the next k-tile is needed at the end of this one: all copies at once.
/// Otherwise the last step is left free, if there is another.
int copy_items(const GemmDesign& d);

/// The addresses of a k-tile's first copies are computed before those of its loads.
bool copy_addresses_first(const GemmDesign& d);

/// Both operands' lane addresses are computed before the first column's.
bool lane_addresses_first(const GemmDesign& d);

/// Row fragments of a step in one part that are loaded before its column fragments; the others come behind them.
int rows_before_columns(const GemmDesign& d, int step);

/// A matrix instruction of a k-tile.
struct MatrixSlot {
  int item = 0, row = 0, column = 0;  ///< column fragment of the item's part
};
std::vector<MatrixSlot> matrix_order(const GemmDesign& d);

}  // namespace stc::gemm
