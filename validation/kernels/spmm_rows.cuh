// SPDX-License-Identifier: Apache-2.0
// Sparse x dense, rows of A in CSR or ELL. A subwarp of kColumns / 8 lanes computes kColumns columns of a row; a CTA is
// one warp. The entries of a row pass through shared memory 32 at a time, the next 32 on their way while these
// multiply; a lane reads B by 16-byte loads, eight entries ahead of its multiplications.
//
//   CSR: row r has entries offsets[r] to offsets[r + 1]; order lists the rows, longest first, so that the rows of a
//        warp are about as long. Arrays of entries are readable up to the next multiple of four.
//   ELL: every row has `width` entries, a multiple of four; the unused ones have index 0 and value 0.
//
// grid (m / rows of a warp rounded up, n / kColumns rounded up); n >= kColumns, rows of B and D multiples of 16 bytes.
// B has less than 2^32 bytes.
#pragma once

#include "validation/kernels/spmm_common.cuh"

namespace stc::kernels {

template <class T, int kColumns>
class RowTile {
 public:
  static constexpr int kLanes = kColumns / 8;
  static constexpr int kRows = kWarp / kLanes;

  __device__ RowTile(const T* values, const Index<T>* indices, const void* b, int n, int begin, int end)
      : values_(values),
        indices_(indices),
        row_bytes_(static_cast<std::uint32_t>(n) * sizeof(T)),
        begin_(begin),
        end_(end) {
    b_ = static_cast<const char*>(b) + (first_column(blockIdx.y, kColumns, n) + lane() * Vector<T>::kSize) * sizeof(T);
    // The first entries may belong to the row before: their values become zero.
    next_ = (begin & ~3) + lane() * 4;
    longest_ = end > begin ? end - (begin & ~3) : 0;
#pragma unroll
    for (int other = kWarp / 2; other >= kLanes; other /= 2) {
      longest_ = max(longest_, __shfl_xor_sync(kAllLanes, longest_, other));
    }
  }

  static __device__ int lane() { return threadIdx.x % kLanes; }
  static __device__ int row_of_warp() { return threadIdx.x / kLanes; }

  __device__ void compute() {
    fetch();
    for (int left = longest_; left > 0; left -= kStaged) {
      __syncwarp();
      stage();
      __syncwarp();
      fetch();
      const int count = min(left, kStaged);
#pragma unroll 1  // registers
      for (int step = 0; step < count; step += kAhead) multiply(step);
    }
  }

  __device__ void store(float* d, int row, int n) const {
    float* out = d + static_cast<std::int64_t>(row) * n + first_column(blockIdx.y, kColumns, n);
#pragma unroll
    for (int i = 0; i < 8; i += 4) {
      const int column = (i / kVector * kLanes + lane()) * kVector + i % kVector;
      *reinterpret_cast<float4*>(out + column) = make_float4(sum_[i], sum_[i + 1], sum_[i + 2], sum_[i + 3]);
    }
  }

 private:
  static constexpr int kVector = Vector<T>::kSize;
  static constexpr int kVectors = 8 / kVector;  ///< of a row of B that a lane reads
  static constexpr int kStaged = 32;            ///< entries of a row
  static constexpr int kAhead = 8;
  static constexpr int kFours = kStaged / 4 / kLanes;
  static constexpr int kPitch = kStaged + 4;  ///< subwarps read different banks

  /// The next 32 entries on their way to registers.
  __device__ void fetch() {
#pragma unroll
    for (int i = 0; i < kFours; ++i) {
      const int entry = next_ + i * kLanes * 4;
      if (entry < end_) {
        fetched_values_[i] = load_four(values_ + entry);
        fetched_indices_[i] = load_four(indices_ + entry);
      }
    }
  }

  __device__ void stage() {
#pragma unroll
    for (int i = 0; i < kFours; ++i) {
      float value[4];
      std::uint32_t offset[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int entry = next_ + i * kLanes * 4 + j;
        const bool mine = entry >= begin_ && entry < end_;
        value[j] = mine ? as_float(fetched_values_[i].item[j]) : 0.0f;
        offset[j] = mine ? fetched_indices_[i].item[j] * row_bytes_ : 0u;
      }
      const int slot = row_of_warp() * kPitch + (i * kLanes + lane()) * 4;
      *reinterpret_cast<float4*>(staged().value + slot) = make_float4(value[0], value[1], value[2], value[3]);
      *reinterpret_cast<uint4*>(staged().offset + slot) = make_uint4(offset[0], offset[1], offset[2], offset[3]);
    }
    next_ += kStaged;
  }

  __device__ void multiply(int step) {
    const int slot = row_of_warp() * kPitch + step;
    Vector<T> row[kAhead][kVectors];
#pragma unroll
    for (int i = 0; i < kAhead; i += 4) {
      const uint4 offset = *reinterpret_cast<const uint4*>(staged().offset + slot + i);
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        row[i][v] = load_vector<T>(b_ + offset.x + v * kLanes * 16);
        row[i + 1][v] = load_vector<T>(b_ + offset.y + v * kLanes * 16);
        row[i + 2][v] = load_vector<T>(b_ + offset.z + v * kLanes * 16);
        row[i + 3][v] = load_vector<T>(b_ + offset.w + v * kLanes * 16);
      }
    }
#pragma unroll
    for (int i = 0; i < kAhead; i += 4) {
      const float4 four = *reinterpret_cast<const float4*>(staged().value + slot + i);
      const float value[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (int j = 0; j < 4; ++j) {
#pragma unroll
        for (int column = 0; column < 8; ++column) {
          sum_[column] = fmaf(value[j], row[i + j][column / kVector][column % kVector], sum_[column]);
        }
      }
    }
  }

  struct Staged {
    float value[kRows * kPitch];
    std::uint32_t offset[kRows * kPitch];
  };
  static __device__ Staged& staged() {
    __shared__ __align__(16) Staged entries;
    return entries;
  }

  const T* values_;
  const Index<T>* indices_;
  const char* b_;
  std::uint32_t row_bytes_;
  int begin_, end_, next_, longest_;
  Four<T> fetched_values_[kFours] = {};
  Four<Index<T>> fetched_indices_[kFours] = {};
  float sum_[8] = {};
};

template <class T, int kColumns>
__device__ inline void csr_rows(const int* order, const int* offsets, const Index<T>* indices, const T* values,
                                const T* b, float* d, int m, int n) {
  using Tile = RowTile<T, kColumns>;
  const int place = blockIdx.x * Tile::kRows + Tile::row_of_warp();
  const int row = place < m ? __ldg(order + place) : 0;
  const int begin = place < m ? __ldg(offsets + row) : 0, end = place < m ? __ldg(offsets + row + 1) : 0;
  Tile tile(values, indices, b, n, begin, end);
  tile.compute();
  if (place < m) tile.store(d, row, n);
}

template <class T, int kColumns>
__device__ inline void ell_rows(const Index<T>* indices, const T* values, const T* b, float* d, int m, int n,
                                int width) {
  using Tile = RowTile<T, kColumns>;
  const int row = blockIdx.x * Tile::kRows + Tile::row_of_warp();
  const std::int64_t first = static_cast<std::int64_t>(row < m ? row : 0) * width;
  Tile tile(values + first, indices + first, b, n, 0, row < m ? width : 0);
  tile.compute();
  if (row < m) tile.store(d, row, n);
}

}  // namespace stc::kernels
