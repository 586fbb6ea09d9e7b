// SPDX-License-Identifier: Apache-2.0
// Dense x sparse: A row-major, B by columns (CSC). A CTA computes 128 rows of kWarps x kColumns columns. It brings 128
// rows x 64 k of A to shared memory, turned so that k is the slow index; a warp walks through the entries of its
// columns, a lane holding four rows of each. D has its rows contiguous: a lane writes kColumns of four rows.
//
// grid (m / 128 rounded up, n / 64 rounded up); k a multiple of 4, n of 8. Entries of a column are sorted by k.
#pragma once

#include "validation/kernels/spmm_common.cuh"

namespace stc::kernels {

class ColumnTile {
 public:
  static constexpr int kRows = 128;
  static constexpr int kDepth = 64;
  static constexpr int kWarps = 8;
  static constexpr int kColumns = 8;  ///< of a warp

  struct Shared {
    float a[kDepth][kRows + 4];
    float2 entry[kWarps][kWarp];  ///< offset of the row of `a` as bits, value
  };

  __device__ ColumnTile(const float* a, const int* offsets, const std::uint32_t* indices, const float* values, int m,
                        int n, int k)
      : a_(a), indices_(indices), values_(values), m_(m), k_(k) {
    const int column = blockIdx.y * kWarps * kColumns + warp() * kColumns + lane();
    const bool valid = lane() < kColumns && column < n;
    at_ = valid ? __ldg(offsets + column) : 0;
    end_ = valid ? __ldg(offsets + column + 1) : 0;
  }

  __device__ void compute(Shared& shared) {
    fetch(0);
    for (int k0 = 0; k0 < k_; k0 += kDepth) {
      __syncthreads();
      store_tile(shared);
      __syncthreads();
      if (k0 + kDepth < k_) fetch(k0 + kDepth);
      walk(shared, k0);
    }
  }

  __device__ void store(float* d, int n) const {
    const int column = blockIdx.y * kWarps * kColumns + warp() * kColumns;
    if (column >= n) return;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int row = blockIdx.x * kRows + lane() * 4 + r;
      if (row >= m_) break;
      float* out = d + static_cast<std::int64_t>(row) * n + column;
#pragma unroll
      for (int c = 0; c < kColumns; c += 4) {
        *reinterpret_cast<float4*>(out + c) = make_float4(sum_[c][r], sum_[c + 1][r], sum_[c + 2][r], sum_[c + 3][r]);
      }
    }
  }

 private:
  static constexpr int kLoads = kRows * kDepth / 4 / (kWarps * kWarp);

  static __device__ int lane() { return threadIdx.x % kWarp; }
  static __device__ int warp() { return threadIdx.x / kWarp; }
  /// A warp reads 32 rows x 16 bytes, so that its four stores go to 32 banks each.
  static __device__ int row_of(int load) { return load % (kRows / kWarp) * kWarp + lane(); }
  static __device__ int depth_of(int load) { return (load / (kRows / kWarp) * kWarps + warp()) * 4; }

  __device__ void fetch(int k0) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int row = blockIdx.x * kRows + row_of(i), k = k0 + depth_of(i);
      const bool inside = row < m_ && k < k_;
      fetched_[i] = inside ? __ldg(reinterpret_cast<const float4*>(a_ + static_cast<std::int64_t>(row) * k_ + k))
                           : make_float4(0, 0, 0, 0);
    }
  }

  __device__ void store_tile(Shared& shared) const {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int row = row_of(i), k = depth_of(i);
      shared.a[k][row] = fetched_[i].x;
      shared.a[k + 1][row] = fetched_[i].y;
      shared.a[k + 2][row] = fetched_[i].z;
      shared.a[k + 3][row] = fetched_[i].w;
    }
  }

  __device__ void walk(Shared& shared, int k0) {
    std::uint32_t index[kColumns];
    float value[kColumns];
#pragma unroll
    for (int c = 0; c < kColumns; ++c) read(c, index[c], value[c]);
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      for (int count = kWarp; count == kWarp;) {
        const std::uint32_t depth = index[c] - static_cast<std::uint32_t>(k0);
        const bool here = depth < kDepth;
        count = __popc(__ballot_sync(kAllLanes, here));
        __syncwarp();
        shared.entry[warp()][lane()] =
            make_float2(__uint_as_float(here ? depth * static_cast<std::uint32_t>(sizeof shared.a[0]) : 0u),
                        here ? value[c] : 0.0f);
        __syncwarp();
        multiply(shared, c, count);
        if (lane() == c) at_ += count;
        if (count == kWarp) read(c, index[c], value[c]);
      }
    }
  }

  /// 32 entries of a column from where it stands; beyond its end an index that lies in no tile.
  __device__ void read(int c, std::uint32_t& index, float& value) const {
    const int entry = __shfl_sync(kAllLanes, at_, c) + lane();
    const bool valid = entry < __shfl_sync(kAllLanes, end_, c);
    index = valid ? __ldg(indices_ + entry) : 0xffffffffu;
    value = valid ? __ldg(values_ + entry) : 0.0f;
  }

  __device__ void multiply(const Shared& shared, int c, int count) {
    const char* rows = reinterpret_cast<const char*>(shared.a[0] + lane() * 4);
#pragma unroll 1
    for (int i = 0; i < count; i += 4) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float2 entry = shared.entry[warp()][i + j];
        const float4 a = *reinterpret_cast<const float4*>(rows + __float_as_uint(entry.x));
        sum_[c][0] = fmaf(a.x, entry.y, sum_[c][0]);
        sum_[c][1] = fmaf(a.y, entry.y, sum_[c][1]);
        sum_[c][2] = fmaf(a.z, entry.y, sum_[c][2]);
        sum_[c][3] = fmaf(a.w, entry.y, sum_[c][3]);
      }
    }
  }

  const float* a_;
  const std::uint32_t* indices_;
  const float* values_;
  int m_, k_;
  int at_, end_;  ///< lane c: of column c
  float4 fetched_[kLoads] = {};
  float sum_[kColumns][4] = {};
};

}  // namespace stc::kernels
