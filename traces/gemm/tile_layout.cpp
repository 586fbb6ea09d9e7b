// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/tile_layout.h"

namespace stc::gemm {

TileLayout::TileLayout(int rows, int row_bytes, int step_bytes, int threads)
    : rows_(rows),
      chunks_(row_bytes / kChunkBytes),
      swizzled_(is_power_of_two(chunks_)),
      paired_(!swizzled_ && step_bytes / kChunkBytes % 2 == 0) {
  stride_ = swizzled_ ? chunks_ : paired_ ? 2 * (chunks_ / 2 | 1) : chunks_ | 1;
  int first = 0;
  for (int width = 8; width >= 1; width /= 2) {
    const int repeats = (chunks_ - first) / width;
    if (repeats == 0) continue;
    CopySegment segment;
    segment.width = width;
    segment.first_chunk = first;
    segment.repeats = repeats;
    segment.rows_per_pass = threads / width;
    segment.passes = ceil_div(rows, segment.rows_per_pass);
    segment.last_rows = rows - (segment.passes - 1) * segment.rows_per_pass;
    segments_.push_back(segment);
    first += repeats * width;
  }
}

}  // namespace stc::gemm
