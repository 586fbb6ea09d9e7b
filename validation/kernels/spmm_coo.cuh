// SPDX-License-Identifier: Apache-2.0
// Sparse x dense, A as coordinates sorted by row. Every warp takes kSegment consecutive entries, however many rows they
// belong to, so that long rows are shared and short ones cost nothing; it computes 32 x kLane columns. A row that lies
// inside the segment is stored; the first and the last one, which a neighbour may have entries of, are added to D by
// atomics. D is zero before.
//
// grid (entries / (kSegment x kWarps) rounded up, n / columns rounded up); n >= columns. Arrays of entries are readable
// up to the next multiple of four.
#pragma once

#include "validation/kernels/spmm_common.cuh"

namespace stc::kernels {

template <int kLane>
struct LaneColumns;
template <>
struct LaneColumns<2> {
  using Type = float2;
};
template <>
struct LaneColumns<4> {
  using Type = float4;
};

template <int kColumns>
class CooSegment {
 public:
  static constexpr int kLane = kColumns / kWarp;
  static constexpr int kWarps = 4;
  static constexpr int kSegment = 256;

  __device__ CooSegment(const int* rows, const std::uint32_t* indices, const float* values, const float* b, float* d,
                        int entries, int n)
      : rows_(rows), indices_(indices), values_(values), entries_(entries), n_(n) {
    // Where the last tile of columns overlaps its neighbour, its first columns are the neighbour's to add.
    const int first = first_column(blockIdx.y, kColumns, n);
    const int column = first + static_cast<int>(threadIdx.x % kWarp) * kLane;
    mine_ = column >= static_cast<int>(blockIdx.y) * kColumns;
    b_ = b + column;
    d_ = d + column;
    begin_ = (static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / kWarp) * kSegment;
    end_ = min(begin_ + kSegment, entries);
  }

  __device__ void compute() {
    if (begin_ >= end_) return;
    row_ = __ldg(rows_ + begin_);
    shared_ = begin_ > 0 && __ldg(rows_ + begin_ - 1) == row_;
    for (int at = begin_; at < end_; at += kWarp) {
      // A lane holds one entry; the others get it by shuffles.
      const int lane = threadIdx.x % kWarp, entry = at + lane;
      const bool valid = entry < end_;
      const int row = valid ? __ldg(rows_ + entry) : -1;
      const std::uint32_t index = valid ? __ldg(indices_ + entry) : 0;
      const float value = valid ? __ldg(values_ + entry) : 0.0f;
      const int count = min(kWarp, end_ - at);
      for (int step = 0; step < count; step += kAhead) multiply(row, index, value, step);
    }
    shared_ = shared_ || (end_ < entries_ && __ldg(rows_ + end_) == row_);
    flush();
  }

 private:
  static constexpr int kAhead = 8;
  using Columns = typename LaneColumns<kLane>::Type;

  __device__ void multiply(int row, std::uint32_t index, float value, int step) {
    Columns of_b[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const std::uint32_t k = __shfl_sync(kAllLanes, index, step + i);
      of_b[i] = __ldg(reinterpret_cast<const Columns*>(b_ + static_cast<std::int64_t>(k) * n_));
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int of = __shfl_sync(kAllLanes, row, step + i);
      const float factor = __shfl_sync(kAllLanes, value, step + i);
      if (of < 0) break;
      if (of != row_) {
        flush();
        row_ = of;
        shared_ = false;
      }
      const auto* part = reinterpret_cast<const float*>(&of_b[i]);
#pragma unroll
      for (int j = 0; j < kLane; ++j) sum_[j] = fmaf(factor, part[j], sum_[j]);
    }
  }

  __device__ void flush() {
    float* out = d_ + static_cast<std::int64_t>(row_) * n_;
    if (!shared_) {
      Columns result;
#pragma unroll
      for (int j = 0; j < kLane; ++j) reinterpret_cast<float*>(&result)[j] = sum_[j];
      *reinterpret_cast<Columns*>(out) = result;
    } else if (mine_) {
#pragma unroll
      for (int j = 0; j < kLane; ++j) atomicAdd(out + j, sum_[j]);
    }
#pragma unroll
    for (int j = 0; j < kLane; ++j) sum_[j] = 0;
  }

  const int* rows_;
  const std::uint32_t* indices_;
  const float *values_, *b_;
  float* d_;
  int entries_, n_, begin_, end_, row_ = 0;
  bool mine_, shared_ = false;
  float sum_[kLane] = {};
};

}  // namespace stc::kernels
