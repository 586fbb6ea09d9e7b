// SPDX-License-Identifier: Apache-2.0
// 2:4 masks of a 4x4 block of f16 weights, in registers. Bit 4 * row + column of a mask says that the weight stays.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>
#include <utility>

#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {

/// How the weights of a block are chosen; the first two are 2:4 along rows and along columns.
enum class Choice {
  exact,   ///< the most magnitude that any of the 90 transposable masks keeps
  greedy,  ///< by falling magnitude, while row and column have room; now and then a row and a column lack one
  row      ///< the two largest of each four of a row
};

/// A row of a block: elements 0 and 1 in `low`, 2 and 3 in `high`, the first in the lower half.
struct BlockRow {
  std::uint32_t low, high;
};

STC_INDEX int ways_to_keep(int way) { return (0xca9653 >> 4 * way) & 15; }  ///< two of four, six ways

/// The legal masks in the order of their codes, way of row 0 + 6 * way of row 1 + 36 * ... + 216 * ...
struct TransposableMasks {
  static constexpr int kCount = 90;
  std::uint8_t ways[kCount][4];

  static STC_INDEX TransposableMasks all() {
    TransposableMasks masks{};
    int count = 0;
    for (int code = 0; code < 6 * 6 * 6 * 6; ++code) {
      const int way[4] = {code % 6, code / 6 % 6, code / 36 % 6, code / 216};
      int sum = 0;  // one digit a column
      for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) sum += (ways_to_keep(way[row]) >> column & 1) << 4 * column;
      }
      if (sum != 0x2222) continue;
      for (int row = 0; row < 4; ++row) masks.ways[count][row] = static_cast<std::uint8_t>(way[row]);
      ++count;
    }
    return masks;
  }
  STC_INDEX std::uint32_t bits(int mask) const {
    std::uint32_t bits = 0;
    for (int row = 0; row < 4; ++row) bits |= static_cast<std::uint32_t>(ways_to_keep(ways[mask][row])) << 4 * row;
    return bits;
  }
};

inline constexpr TransposableMasks kTransposableMasks = TransposableMasks::all();

/// Magnitude bits of an element; they are ordered as the magnitudes are.
__device__ inline std::uint32_t magnitude_bits(const BlockRow& row, int column) {
  const std::uint32_t pair = column < 2 ? row.low : row.high;
  return (column % 2 == 0 ? pair : pair >> 16) & 0x7fffu;
}

struct MaskSearch {
  float upper[6][6], lower[6][6];  ///< magnitude that ways of rows 0 and 1 keep, and of rows 2 and 3
  float best = -1;
  std::uint32_t mask = 0;

  template <int kMask>
  __device__ void consider() {
    constexpr int k0 = kTransposableMasks.ways[kMask][0], k1 = kTransposableMasks.ways[kMask][1];
    constexpr int k2 = kTransposableMasks.ways[kMask][2], k3 = kTransposableMasks.ways[kMask][3];
    constexpr std::uint32_t kBits = kTransposableMasks.bits(kMask);
    const float sum = upper[k0][k1] + lower[k2][k3];
    mask = sum > best ? kBits : mask;
    best = fmaxf(sum, best);
  }
  template <int... kMasks>
  __device__ void consider_all(std::integer_sequence<int, kMasks...>) {
    (consider<kMasks>(), ...);
  }
};

__device__ inline std::uint32_t exact_mask(const BlockRow (&rows)[4]) {
  float kept[4][6];
#pragma unroll
  for (int row = 0; row < 4; ++row) {
    float weight[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      weight[c] = __half2float(__ushort_as_half(static_cast<unsigned short>(magnitude_bits(rows[row], c))));
    }
    int way = 0;
#pragma unroll
    for (int second = 1; second < 4; ++second) {
#pragma unroll
      for (int first = 0; first < second; ++first) kept[row][way++] = weight[first] + weight[second];
    }
  }
  MaskSearch search;
#pragma unroll
  for (int a = 0; a < 6; ++a) {
#pragma unroll
    for (int b = 0; b < 6; ++b) {
      search.upper[a][b] = kept[0][a] + kept[1][b];
      search.lower[a][b] = kept[2][a] + kept[3][b];
    }
  }
  search.consider_all(std::make_integer_sequence<int, TransposableMasks::kCount>{});
  return search.mask;
}

/// One layer of Batcher's odd-even merge sort: runs of kRun keys become runs of twice that, comparing over kDistance.
template <int kRun, int kDistance>
__device__ inline void merge_layer(std::uint32_t (&key)[16]) {
  constexpr int kFirst = kDistance % kRun;
#pragma unroll
  for (int i = kFirst; i < 16 - kDistance; ++i) {
    const int other = i + kDistance;
    if ((i - kFirst) / kDistance % 2 != 0 || i / (2 * kRun) != other / (2 * kRun)) continue;
    const std::uint32_t large = max(key[i], key[other]);
    key[other] = min(key[i], key[other]);
    key[i] = large;
  }
}

/// Sorting network of 16 keys, the largest first: 10 layers, 63 comparators.
__device__ inline void sort_falling(std::uint32_t (&key)[16]) {
  merge_layer<1, 1>(key);
  merge_layer<2, 2>(key);
  merge_layer<2, 1>(key);
  merge_layer<4, 4>(key);
  merge_layer<4, 2>(key);
  merge_layer<4, 1>(key);
  merge_layer<8, 8>(key);
  merge_layer<8, 4>(key);
  merge_layer<8, 2>(key);
  merge_layer<8, 1>(key);
}

/// A key is magnitude, position in the block and one bit each for row and column.
__device__ inline std::uint32_t greedy_mask(const BlockRow (&rows)[4]) {
  std::uint32_t key[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const std::uint32_t lines = 1u << i / 4 | 16u << i % 4;
    key[i] = magnitude_bits(rows[i / 4], i % 4) << 16 | static_cast<std::uint32_t>(15 - i) << 8 | lines;
  }
  sort_falling(key);
  std::uint32_t once = 0, twice = 0, mask = 0;  // rows and columns that have one weight, that have two
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const bool has_room = (twice & key[i]) == 0;
    const std::uint32_t lines = has_room ? key[i] & 0xffu : 0u;  // no branch: the lanes of a warp disagree
    twice |= once & lines;
    once |= lines;
    mask |= has_room ? 0x8000u >> (key[i] >> 8 & 15u) : 0u;
  }
  return mask;
}

/// Of equal weights the earlier stays.
__device__ inline std::uint32_t row_mask(const BlockRow (&rows)[4]) {
  std::uint32_t mask = 0;
#pragma unroll
  for (int row = 0; row < 4; ++row) {
    int larger[4] = {};  // how many of the row come before this one
#pragma unroll
    for (int second = 1; second < 4; ++second) {
#pragma unroll
      for (int first = 0; first < second; ++first) {
        const bool second_wins = magnitude_bits(rows[row], second) > magnitude_bits(rows[row], first);
        larger[first] += second_wins;
        larger[second] += !second_wins;
      }
    }
#pragma unroll
    for (int c = 0; c < 4; ++c) mask |= larger[c] < 2 ? 1u << (4 * row + c) : 0u;
  }
  return mask;
}

template <Choice kChoice>
__device__ inline std::uint32_t choose(const BlockRow (&rows)[4]) {
  if constexpr (kChoice == Choice::exact) return exact_mask(rows);
  if constexpr (kChoice == Choice::greedy) return greedy_mask(rows);
  if constexpr (kChoice == Choice::row) return row_mask(rows);
}

}  // namespace stc::kernels
