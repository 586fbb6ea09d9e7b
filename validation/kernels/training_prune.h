// SPDX-License-Identifier: Apache-2.0
// Prunes an f16 matrix [rows][columns] to 2:4 and compresses it in one pass, along its rows and, for transposable
// masks, along its columns too, so that the matrix and its transpose can both be operand A of a sparse GEMM.
//
// A thread owns 8x8 elements, a warp 4x8 such tiles (32 x 64 elements), a CTA of four warps 64 x 128. A word of
// metadata covers rows g and g + 8 and 16 columns: the four threads of a 16x16 square exchange bytes by two shuffles,
// and each then stores two words. What leaves a warp is whole sectors.
#pragma once

#include <cstdint>

#include "validation/kernels/training_masks.h"
#include "validation/kernels/training_tile.h"

namespace stc::kernels {

/// The four masks of a thread's 8x8 tile, 16 bits each; block 2 * (row of blocks) + (column of blocks).
struct TileMasks {
  std::uint32_t block[4];
};

/// A compressed group of four: two elements and the metadata nibble.
struct StoredPair {
  std::uint32_t elements, nibble;
};

/// `kept`: which of the four stay, two or one. One is stored beside a zero, at position 3 or, when it is 3 itself, 0.
template <bool kAlwaysTwo>
__device__ inline StoredPair store_pair(const BlockRow& row, std::uint32_t kept) {
  constexpr std::uint64_t kNibbles = 0x000e0dcc098e4dc4;  // by `kept`: first position, and four times the second
  const auto nibble = static_cast<std::uint32_t>(kNibbles >> (4 * kept)) & 15u;
  const std::uint32_t selector = 0x1010u + (nibble & 3u) * 0x22u + (nibble >> 2) * 0x2200u;
  std::uint32_t elements = __byte_perm(row.low, row.high, selector);
  if (!kAlwaysTwo && (kept & (kept - 1)) == 0) elements &= kept == 8 ? 0xffff0000u : 0xffffu;
  return {elements, nibble};
}

/// Bits `line`, 4 + line, 8 + line, 12 + line of a block's mask, side by side: a column of it.
__device__ inline std::uint32_t mask_column(std::uint32_t mask, int line) {
  return (mask >> line & 0x1111u) * 0x1248u >> 12 & 15u;
}

/// Where a thread's tile lies.
struct PrunePlace {
  std::uint32_t lane, row, column;
  __device__ explicit PrunePlace(int columns) : lane(threadIdx.x % kWarp) {
    const std::uint32_t warp = threadIdx.x / kWarp, across = static_cast<std::uint32_t>(columns) / kPruneColumns;
    row = blockIdx.x / across * kPruneRows + warp / 2 * 32 + lane / 8 * 8;
    column = blockIdx.x % across * kPruneColumns + warp % 2 * 64 + lane % 8 * 8;
  }
};

/// What the four threads of a 16x16 square have of the two lines 2q and 2q + 1 (of 8), q being this thread's number in
/// the square: bytes 0 and 1 of the upper thread, bytes 2 and 3 of the lower one.
struct SquareLines {
  std::uint32_t left, right;
};

/// `bytes`: metadata of this thread's eight lines, one byte each.
__device__ inline SquareLines exchange(const std::uint32_t (&bytes)[2], std::uint32_t lane) {
  const bool is_lower = (lane & 8) != 0, is_right = (lane & 1) != 0;
  const std::uint32_t across = __shfl_xor_sync(~0u, is_lower ? bytes[0] : bytes[1], 8);
  const std::uint32_t own = is_lower ? bytes[1] : bytes[0];
  const std::uint32_t upper = is_lower ? across : own, lower = is_lower ? own : across;
  const std::uint32_t first = __byte_perm(upper, lower, 0x5410), second = __byte_perm(upper, lower, 0x7632);
  const std::uint32_t other = __shfl_xor_sync(~0u, is_right ? first : second, 1), mine = is_right ? second : first;
  return {is_right ? other : mine, is_right ? mine : other};
}

/// A word of metadata of the sparse GEMM: [k / 64][m / 16][lane].
__device__ inline std::uint32_t* metadata_word(std::uint32_t* e, std::uint32_t m, std::uint32_t k, int all_m,
                                               std::uint32_t lane) {
  const std::uint32_t square = (lane >> 2 & 2) | (lane & 1);  // q: upper left, upper right, lower left, lower right
  return e + (std::int64_t{k / 64} * (all_m / 16) + m / 16) * kWarp + 8 * square + k / 16 % 4;
}

/// A thread's tile: eight rows of two half rows each, as loaded, and what is made of it.
class PruneTile {
 public:
  __device__ void load(const void* matrix, const PrunePlace& at, int columns) {
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const auto* from = static_cast<const char*>(matrix) + ((at.row + r) * std::int64_t{columns} + at.column) * 2;
      const uint4 words = __ldg(reinterpret_cast<const uint4*>(from));
      row_[r][0] = {words.x, words.y};
      row_[r][1] = {words.z, words.w};
    }
  }

  template <Choice kChoice>
  __device__ TileMasks masks() const {
    TileMasks masks;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const BlockRow rows[4] = {row_[b / 2 * 4][b % 2], row_[b / 2 * 4 + 1][b % 2], row_[b / 2 * 4 + 2][b % 2],
                                row_[b / 2 * 4 + 3][b % 2]};
      masks.block[b] = choose<kChoice>(rows);
    }
    return masks;
  }

  /// Stores the compressed rows and returns their metadata, a byte a row.
  template <bool kAlwaysTwo>
  __device__ void store_rows(void* a, const TileMasks& masks, const PrunePlace& at, int columns,
                             std::uint32_t (&bytes)[2]) const {
    bytes[0] = bytes[1] = 0;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      StoredPair pair[2];
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        pair[side] = store_pair<kAlwaysTwo>(row_[r][side], masks.block[r / 4 * 2 + side] >> r % 4 * 4 & 15u);
      }
      put(a, at.row + r, at.column, columns, pair, bytes[r / 4], r % 4);
    }
  }

  /// The same for the columns, rows of the transpose.
  template <bool kAlwaysTwo>
  __device__ void store_columns(void* a, const TileMasks& masks, const PrunePlace& at, int rows,
                                std::uint32_t (&bytes)[2]) const {
    bytes[0] = bytes[1] = 0;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      StoredPair pair[2];
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        pair[side] = store_pair<kAlwaysTwo>(column_of(c, side), mask_column(masks.block[side * 2 + c / 4], c % 4));
      }
      put(a, at.column + c, at.row, rows, pair, bytes[c / 4], c % 4);
    }
  }

 private:
  /// Four elements of column c, upper (side 0) or lower half.
  __device__ BlockRow column_of(int c, int side) const {
    const std::uint32_t selector = c % 2 == 0 ? 0x5410 : 0x7632;
    std::uint32_t word[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const BlockRow& half = row_[side * 4 + r][c / 4];
      word[r] = c % 4 < 2 ? half.low : half.high;
    }
    return {__byte_perm(word[0], word[1], selector), __byte_perm(word[2], word[3], selector)};
  }
  static __device__ void put(void* a, std::uint32_t line, std::uint32_t k, int all_k, const StoredPair (&pair)[2],
                             std::uint32_t& bytes, int byte) {
    auto* to = static_cast<char*>(a) + line * std::int64_t{all_k} + k;  // k / 2 elements of 2 bytes
    *reinterpret_cast<uint2*>(to) = make_uint2(pair[0].elements, pair[1].elements);
    bytes |= (pair[0].nibble | pair[1].nibble << 4) << byte * 8;
  }

  BlockRow row_[8][2];
};

__device__ inline void store_row_metadata(std::uint32_t* e, const std::uint32_t (&bytes)[2], const PrunePlace& at,
                                          int rows) {
  const SquareLines lines = exchange(bytes, at.lane);
  std::uint32_t* word = metadata_word(e, at.row, at.column, rows, at.lane);
  word[0] = __byte_perm(lines.left, lines.right, 0x6240);
  word[4] = __byte_perm(lines.left, lines.right, 0x7351);
}

__device__ inline void store_column_metadata(std::uint32_t* e, const std::uint32_t (&bytes)[2], const PrunePlace& at,
                                             int columns) {
  const SquareLines lines = exchange(bytes, at.lane);
  std::uint32_t* word = metadata_word(e, at.column, at.row, columns, at.lane);
  word[0] = __byte_perm(lines.left, lines.right, 0x6420);
  word[4] = __byte_perm(lines.left, lines.right, 0x7531);
}

/// The masks themselves, 8 bytes a tile, [rows / 8][columns / 8].
__device__ inline uint2* mask_words(void* masks, const PrunePlace& at, int columns) {
  return static_cast<uint2*>(masks) + std::int64_t{at.row / 8} * (columns / 8) + at.column / 8;
}

/// W [rows][columns] to A [rows][columns / 2] with metadata E, and its transpose to AT [columns][rows / 2] with ET.
/// `masks`, if not null, receives the masks. rows: a multiple of 64, columns: of 128.
template <Choice kChoice>
__device__ void prune_both(const void* w, void* a, std::uint32_t* e, void* at, std::uint32_t* et, void* masks, int rows,
                           int columns) {
  constexpr bool kAlwaysTwo = kChoice != Choice::greedy;
  const PrunePlace place(columns);
  PruneTile tile;
  tile.load(w, place, columns);
  const TileMasks kept = tile.masks<kChoice>();
  if (masks != nullptr) {
    *mask_words(masks, place, columns) =
        make_uint2(kept.block[0] | kept.block[1] << 16, kept.block[2] | kept.block[3] << 16);
  }
  std::uint32_t bytes[2];
  tile.store_rows<kAlwaysTwo>(a, kept, place, columns, bytes);
  store_row_metadata(e, bytes, place, rows);
  tile.store_columns<kAlwaysTwo>(at, kept, place, rows, bytes);
  store_column_metadata(et, bytes, place, columns);
}

/// Along the rows only.
__device__ inline void prune_rows(const void* w, void* a, std::uint32_t* e, int rows, int columns) {
  const PrunePlace place(columns);
  PruneTile tile;
  tile.load(w, place, columns);
  const TileMasks kept = tile.masks<Choice::row>();
  std::uint32_t bytes[2];
  tile.store_rows<true>(a, kept, place, columns, bytes);
  store_row_metadata(e, bytes, place, rows);
}

/// Compresses W both ways by masks that prune_both chose; the metadata is the same as then.
__device__ inline void prune_like(const void* w, void* masks, void* a, void* at, int rows, int columns) {
  const PrunePlace place(columns);
  PruneTile tile;
  tile.load(w, place, columns);
  const uint2 words = __ldg(mask_words(masks, place, columns));
  const TileMasks kept{{words.x & 0xffffu, words.x >> 16, words.y & 0xffffu, words.y >> 16}};
  std::uint32_t bytes[2];
  tile.store_rows<false>(a, kept, place, columns, bytes);
  tile.store_columns<false>(at, kept, place, rows, bytes);
}

}  // namespace stc::kernels
