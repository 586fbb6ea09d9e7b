// SPDX-License-Identifier: Apache-2.0
// Cooperative launches: CTAs that wait for each other.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/// Sum of `count` numbers by halving, all CTAs together, one grid.sync() a step; `rounds[0]` counts the steps.
extern "C" __global__ void grid_reduce(unsigned* values, int count, unsigned* rounds) {
  const auto grid = cg::this_grid();
  const unsigned threads = static_cast<unsigned>(grid.size());
  for (unsigned half = static_cast<unsigned>(count) / 2; half != 0; half /= 2) {
    for (unsigned i = static_cast<unsigned>(grid.thread_rank()); i < half; i += threads) values[i] += values[i + half];
    grid.sync();
    if (grid.thread_rank() == 0) rounds[0] += 1;
  }
}

/// Whether the launch was cooperative.
extern "C" __global__ void grid_valid(int* out) { out[0] = cg::this_grid().is_valid(); }
