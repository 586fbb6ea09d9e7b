// SPDX-License-Identifier: Apache-2.0
// The GEMMs of a training step, f16 in and out, f32 accumulators: D[m,n] = A[m,k] x B[k,n], A dense or 2:4.
//
// A is [m][k] ([m][k/2] if sparse) or [k][m]; B is [n][k] or [k][n]; D is [m][n] or [n][m]. The dimension of the tokens
// (rows of X, Y and their gradients) has any size, which of a 2:4 operand excepted; the others are multiples of the
// tile. The pipelines are those of gemm_kernel.h.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_kernel.h"
#include "validation/kernels/training_copy.h"
#include "validation/kernels/training_store.h"

namespace stc::kernels {

/// WarpTile whose sums others than it store, and add to.
template <class T>
class TrainingWarp : public WarpTile<T> {
 public:
  using WarpTile<T>::WarpTile;

  __device__ const std::uint32_t (&accumulators() const)[T::kMmaTilesM][T::kMmaTilesN][4] { return this->d_; }
  __device__ std::uint32_t (&accumulators())[T::kMmaTilesM][T::kMmaTilesN][4] { return this->d_; }
  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < T::kMmaTilesM * T::kMmaTilesN * 4; ++i) {
      this->d_[i / 4 / T::kMmaTilesN][i / 4 % T::kMmaTilesN][i % 4] = 0;
    }
  }
};

/// Adds up all of k through the stages in `shared`, which is free afterwards.
template <class T>
__device__ void accumulate(TrainingCopier<T>& copier, TrainingWarp<T>& warp, const unsigned char* shared, int k) {
  const auto first = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  multiply_tiles<T>(warp, copier, first, (k + T::kTileK - 1) / T::kTileK);
  wait_groups<0>();
  barrier();  // the stages become room for the tile's exchange
}

/// `p` belongs to the epilogue: D's shape, null when there is none.
template <class T, bool kTransposedD, Epilogue kEpilogue>
__device__ void training_gemm(const void* a, const void* e, const void* b, void* d, void* p, int m, int n, int k) {
  extern __shared__ __align__(256) unsigned char shared[];
  const TileIndex tile = rasterise(blockIdx.x, (static_cast<std::uint32_t>(m) + T::kTileM - 1) / T::kTileM,
                                   (static_cast<std::uint32_t>(n) + T::kTileN - 1) / T::kTileN, T::kGroupN);
  const std::uint32_t lane = threadIdx.x % kWarp, warp_index = threadIdx.x / kWarp;
  const std::uint32_t warp_m = warp_index % T::kWarpsM, warp_n = warp_index / T::kWarpsM;
  TrainingCopier<T> copier(a, e, b, tile, m, n, k);
  TrainingWarp<T> warp(lane, warp_m, warp_n);
  accumulate<T>(copier, warp, shared, k);
  TileStore<T, kTransposedD, kEpilogue> out(shared, warp_index, lane);
  out.put(warp.accumulators());
  const int row = tile.m * T::kTileM + warp_m * T::kWarpM, column = tile.n * T::kTileN + warp_n * T::kWarpN;
  if constexpr (kTransposedD) {
    out.store(d, p, std::int64_t{column} * m + row, m, n - column);
  } else {
    out.store(d, p, std::int64_t{row} * n + column, n, m - row);
  }
}

}  // namespace stc::kernels
