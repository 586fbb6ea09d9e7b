// SPDX-License-Identifier: Apache-2.0
// How one operand's k-tile lies in a stage of shared memory and which thread copies what. A chunk is 16 bytes.
//
// Rows of a power of two of chunks are swizzled by XOR as in the compiled kernels. Other rows of an even number are
// padded to an odd number of pairs, and every second four rows have the chunks of each pair exchanged, so that a pair
// stays in one sector of 32 bytes: a copy that tears pairs apart asks L2 twice for them. Rows of an odd number
// stay as they are. Either way the eight rows that one 8x8 matrix load reads lie in eight different bank groups, and so
// do the eight chunks that a quarter warp writes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/integers.h"

namespace stc::gemm {

constexpr int kChunkBytes = 16;

constexpr bool is_power_of_two(int x) { return x > 0 && (x & (x - 1)) == 0; }
constexpr int log2_of(int x) { return x <= 1 ? 0 : 1 + log2_of(x / 2); }

/// Columns of chunks that the threads copy together: `width` (1, 2, 4, 8) chunks of each row, `repeats` times side by
/// side, each time `passes` times down the rows.
struct CopySegment {
  int width = 8;
  int first_chunk = 0;
  int repeats = 1;
  int rows_per_pass = 0;
  int passes = 0;
  int last_rows = 0;  ///< rows of the last pass; fewer than rows_per_pass: the other threads copy nothing
  bool partial() const { return last_rows < rows_per_pass; }
};

class TileLayout {
 public:
  TileLayout() = default;
  /// `step_bytes`: of a row, those of one matrix instruction.
  TileLayout(int rows, int row_bytes, int step_bytes, int threads);

  bool swizzled() const { return swizzled_; }
  /// Pairs of chunks are exchanged, which moves no chunk of an even number from the first one's place.
  bool paired() const { return paired_; }
  int rows() const { return rows_; }
  int chunks() const { return chunks_; }
  int row_stride() const { return stride_ * kChunkBytes; }  ///< bytes from row to row
  int bytes() const { return rows_ * row_stride(); }
  /// What the first byte must be a multiple of, so that chunk numbers can be XORed into addresses.
  int alignment() const { return swizzled_ ? (row_stride() > 256 ? row_stride() : 256) : 128; }
  const std::vector<CopySegment>& segments() const { return segments_; }
  /// Chunks to shift and to mask the row with, to get the swizzle's XOR: chunk ^ ((row >> shift) & mask).
  int swizzle_shift() const { return paired_ ? 2 : log2_of(chunks_ < 8 ? 8 / chunks_ : 1); }
  int swizzle_mask() const { return paired_ ? 1 : (chunks_ < 8 ? chunks_ : 8) - 1; }

 private:
  int rows_ = 0;
  int chunks_ = 0;
  int stride_ = 0;  // chunks
  bool swizzled_ = false;
  bool paired_ = false;
  std::vector<CopySegment> segments_;
};

}  // namespace stc::gemm
