// SPDX-License-Identifier: Apache-2.0
// The end of a training GEMM: accumulators become f16, change places through shared memory and leave as rows of 16-byte
// stores, along n (D row-major) or along m (D transposed), with the activation on the way.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "validation/kernels/training_tile.h"

namespace stc::kernels {

__device__ inline std::uint32_t half_pair(std::uint32_t low, std::uint32_t high) {
  const __half2 pair = __floats2half2_rn(__uint_as_float(low), __uint_as_float(high));
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

template <class Change>
__device__ inline std::uint32_t changed(std::uint32_t word, Change change) {
  const __half2 out = change(*reinterpret_cast<const __half2*>(&word));
  return *reinterpret_cast<const std::uint32_t*>(&out);
}

/// D[rows][length], of which a warp holds kRows x kColumns.
template <class T, bool kTransposed, Epilogue kEpilogue>
class TileStore {
  static constexpr int kRows = kTransposed ? T::kWarpN : T::kWarpM, kColumns = kTransposed ? T::kWarpM : T::kWarpN;
  static constexpr int kPitch = kColumns / 2 + 4;  ///< words; the 4 spread 8 rows over all banks
  static constexpr int kRowLanes = kColumns / 8;   ///< lanes that store one row
  static constexpr int kRowsAtOnce = kWarp / kRowLanes;
  static constexpr int kWarpWords = kRows * kPitch;
  static_assert(kWarpWords * 4 * T::kThreads / kWarp <= T::kSharedBytes);

 public:
  using Accumulators = std::uint32_t[T::kMmaTilesM][T::kMmaTilesN][4];

  /// `shared`: of the CTA, no longer in use.
  __device__ TileStore(unsigned char* shared, std::uint32_t warp, std::uint32_t lane)
      : words_(reinterpret_cast<std::uint32_t*>(shared) + warp * kWarpWords), lane_(lane) {}

  __device__ void put(const Accumulators& d) {
#pragma unroll
    for (int i = 0; i < T::kMmaTilesM; ++i) {
#pragma unroll
      for (int j = 0; j < T::kMmaTilesN; ++j) kTransposed ? put_transposed(d[i][j], i, j) : put_plain(d[i][j], i, j);
    }
    __syncwarp();
  }

  /// `first` is the element of D where the warp's tile begins, `rows_left` those of the matrix from there on.
  __device__ void store(void* d, void* p, std::int64_t first, std::int64_t length, int rows_left) const {
    const std::uint32_t row = lane_ / kRowLanes, column = lane_ % kRowLanes * 8;
    const std::int64_t start = first + row * length + column;
    const std::uint32_t* words = words_ + row * kPitch + column / 2;
    rows_left -= static_cast<int>(row);
    constexpr int kGroup = 4;  // loads of P in flight
#pragma unroll
    for (int r = 0; r < kRows; r += kGroup * kRowsAtOnce) {
      uint4 input[kGroup] = {};
      if constexpr (kEpilogue == Epilogue::relu2_gradient) {
#pragma unroll
        for (int i = 0; i < kGroup; ++i) {
          const int at = r + i * kRowsAtOnce;
          if (at < rows_left) input[i] = __ldg(at_element<const uint4>(p, start + at * length));
        }
      }
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        const int at = r + i * kRowsAtOnce;
        if (at >= rows_left) continue;
        const uint4 value = *reinterpret_cast<const uint4*>(words + at * kPitch);
        *at_element<uint4>(d, start + at * length) = finished(value, input[i]);
        if constexpr (kEpilogue == Epilogue::relu2) *at_element<uint4>(p, start + at * length) = activated(value);
      }
    }
  }

 private:
  template <class To>
  static __device__ To* at_element(void* matrix, std::int64_t element) {
    return reinterpret_cast<To*>(static_cast<char*>(matrix) + element * 2);
  }

  __device__ void put_plain(const std::uint32_t (&d)[4], int i, int j) {
    std::uint32_t* word = words_ + (i * kMmaM + lane_ / 4) * kPitch + j * 4 + lane_ % 4;
    word[0] = half_pair(d[0], d[1]);
    word[8 * kPitch] = half_pair(d[2], d[3]);
  }
  /// A lane holds rows g and g + 8 of columns 2t and 2t + 1. Lanes of g and g + 1 swap, so that each has one column.
  __device__ void put_transposed(const std::uint32_t (&d)[4], int i, int j) {
    const std::uint32_t odd = lane_ / 4 % 2;
    const std::uint32_t left = half_pair(d[0], d[2]), right = half_pair(d[1], d[3]);
    const std::uint32_t other = __shfl_xor_sync(~0u, odd ? left : right, 4), own = odd ? right : left;
    const std::uint32_t upper = odd ? other : own, lower = odd ? own : other;  // row g even, g odd
    std::uint32_t* word = words_ + (j * kMmaN + lane_ % 4 * 2 + odd) * kPitch + i * 8 + lane_ / 8;
    word[0] = __byte_perm(upper, lower, 0x5410);
    word[4] = __byte_perm(upper, lower, 0x7632);
  }

  static __device__ uint4 activated(uint4 h) {
    const auto act = [](__half2 x) {
      const __half2 r = __hmax2(x, __float2half2_rn(0));
      return __hmul2(r, r);
    };
    return make_uint4(changed(h.x, act), changed(h.y, act), changed(h.z, act), changed(h.w, act));
  }
  static __device__ std::uint32_t times_slope(std::uint32_t value, std::uint32_t h) {
    const __half2 gradient = *reinterpret_cast<const __half2*>(&value);
    return changed(h, [gradient](__half2 x) {
      const __half2 r = __hmax2(x, __float2half2_rn(0));
      return __hmul2(gradient, __hadd2(r, r));
    });
  }
  static __device__ uint4 finished(uint4 v, uint4 h) {
    if constexpr (kEpilogue != Epilogue::relu2_gradient) return v;
    return make_uint4(times_slope(v.x, h.x), times_slope(v.y, h.y), times_slope(v.z, h.z), times_slope(v.w, h.w));
  }

  std::uint32_t* words_;
  std::uint32_t lane_;
};

}  // namespace stc::kernels
