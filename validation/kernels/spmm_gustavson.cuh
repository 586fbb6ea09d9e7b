// SPDX-License-Identifier: Apache-2.0
// Sparse x sparse, A and B in CSR, D dense: Gustavson's order. A warp computes a row of D: for every entry (k, a) of
// its row of A it adds a times row k of B to sums in shared memory. A CTA is one warp; the entries of the next row of B
// are fetched while these are added.
//
// grid m; dynamic shared memory 4 n bytes, which bounds n. n is a multiple of four.
#pragma once

#include "validation/kernels/spmm_common.cuh"

namespace stc::kernels {

class GustavsonRow {
 public:
  __device__ GustavsonRow(const int* offsets, const std::uint32_t* indices, const float* values, float* sums)
      : offsets_(offsets), indices_(indices), values_(values), sums_(sums), lane_(threadIdx.x) {}

  /// Adds `factor` x row `k` of B for each of `count` entries that the lanes hold.
  __device__ void add_rows(std::uint32_t k, float factor, int count) {
    const int begin = lane_ < count ? __ldg(offsets_ + k) : 0, end = lane_ < count ? __ldg(offsets_ + k + 1) : 0;
    fetch(__shfl_sync(kAllLanes, begin, 0), __shfl_sync(kAllLanes, end, 0));
    for (int entry = 0; entry < count; ++entry) {
      const int next = (entry + 1) % kWarp;
      const int from = __shfl_sync(kAllLanes, begin, entry), to = __shfl_sync(kAllLanes, end, entry);
      const int next_from = __shfl_sync(kAllLanes, begin, next), next_to = __shfl_sync(kAllLanes, end, next);
      const float a = __shfl_sync(kAllLanes, factor, entry);
      for (int at = from; at < to; at += kStep) {
        const Batch now = batch_;
        if (at + kStep < to) {
          fetch(at + kStep, to);
        } else {
          fetch(next_from, next_to);
        }
        add(now, a, to - at);
      }
      if (from >= to) fetch(next_from, next_to);
    }
  }

 private:
  static constexpr int kEach = 4;  ///< entries of a lane
  static constexpr int kStep = kEach * kWarp;
  struct Batch {
    std::uint32_t column[kEach];
    float value[kEach];
  };

  __device__ void fetch(int at, int to) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int entry = at + i * kWarp + lane_;
      if (entry < to) {
        batch_.column[i] = __ldg(indices_ + entry);
        batch_.value[i] = __ldg(values_ + entry);
      }
    }
  }

  /// The columns of one row of B differ, so the lanes' sums do.
  __device__ void add(const Batch& batch, float a, int left) {
    float sum[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      if (i * kWarp + lane_ < left) sum[i] = sums_[batch.column[i]];
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      if (i * kWarp + lane_ < left) sums_[batch.column[i]] = fmaf(a, batch.value[i], sum[i]);
    }
    __syncwarp();
  }

  const int* offsets_;
  const std::uint32_t* indices_;
  const float* values_;
  float* sums_;
  int lane_;
  Batch batch_ = {};
};

__device__ inline void gustavson(const int* order, const int* offsets_a, const std::uint32_t* indices_a,
                                 const float* values_a, const int* offsets_b, const std::uint32_t* indices_b,
                                 const float* values_b, float* d, int n) {
  extern __shared__ float4 sums4[];
  const int lane = threadIdx.x, row = __ldg(order + blockIdx.x);
  for (int i = lane; i < n / 4; i += kWarp) sums4[i] = make_float4(0, 0, 0, 0);
  __syncwarp();
  GustavsonRow sums(offsets_b, indices_b, values_b, reinterpret_cast<float*>(sums4));
  const int end = __ldg(offsets_a + row + 1);
  for (int at = __ldg(offsets_a + row); at < end; at += kWarp) {
    const bool valid = at + lane < end;
    sums.add_rows(valid ? __ldg(indices_a + at + lane) : 0, valid ? __ldg(values_a + at + lane) : 0.0f,
                  min(kWarp, end - at));
  }
  float4* out = reinterpret_cast<float4*>(d + static_cast<std::int64_t>(row) * n);
  for (int i = lane; i < n / 4; i += kWarp) out[i] = sums4[i];
}

}  // namespace stc::kernels
