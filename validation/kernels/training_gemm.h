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

__device__ inline void load_matrix_x4_trans(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

/// WarpTile with operands of either storage.
template <class T>
class TrainingWarp : public WarpTile<T> {
 public:
  using WarpTile<T>::WarpTile;

  template <int kItem>
  __device__ void fetch(std::uint32_t stage) {
    constexpr int kStep = kItem / T::kParts, kPart = kItem % T::kParts;
    if constexpr (kPart == 0) {
#pragma unroll
      for (int i = 0; i < T::kMmaTilesM; ++i) {
        load<T::kTransposedA>(this->a_[kStep % 2][i], T::address_a(stage + this->load_a_, kStep, i));
      }
      if constexpr (T::kSparse && kStep % T::kStepsPerMetadata == 0) {
        static_assert(T::kMmaTilesM == 4);
        load_matrix_x4(this->e_next_, T::address_e(stage + this->load_e_, kStep));
      }
    }
#pragma unroll
    for (int j = 0; j < T::kPartN; j += T::kFragmentsPerLoadB) {
      std::uint32_t r[4];
      load<T::kTransposedB>(r, T::address_b(stage + this->load_b_, kStep, kPart * T::kPartN + j));
#pragma unroll
      for (int i = 0; i < 4; ++i) this->b_[kItem % 2][j + i / T::kRegistersB][i % T::kRegistersB] = r[i];
    }
  }
  __device__ const std::uint32_t (&accumulators() const)[T::kMmaTilesM][T::kMmaTilesN][4] { return this->d_; }
  __device__ std::uint32_t (&accumulators())[T::kMmaTilesM][T::kMmaTilesN][4] { return this->d_; }
  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < T::kMmaTilesM * T::kMmaTilesN * 4; ++i) {
      this->d_[i / 4 / T::kMmaTilesN][i / 4 % T::kMmaTilesN][i % 4] = 0;
    }
  }

 private:
  template <bool kTransposed>
  static __device__ void load(std::uint32_t (&r)[4], std::uint32_t address) {
    kTransposed ? load_matrix_x4_trans(r, address) : load_matrix_x4(r, address);
  }
};

/// compute_tile of gemm_kernel.h for this warp and copier.
template <class T, int kItem = 0>
__device__ void compute_training_tile(TrainingWarp<T>& warp, TrainingCopier<T>& copier, std::uint32_t& read,
                                      std::uint32_t last, std::uint32_t first, std::uint32_t write, bool more) {
  constexpr int kItems = T::kSteps * T::kParts, kCopyItems = kItems - T::kParts;
  warp.template take_metadata<kItem>();
  if constexpr (kItem == kItems - 1) {
    wait_groups<T::kStages - 2>();
    barrier();
    read = read == last ? first : read + T::kStageBytes;
  }
  warp.template fetch<(kItem + 1) % kItems>(read);
  if constexpr (kItem < kCopyItems) copier.template copy<kItem, kCopyItems>(write, more);
  warp.template multiply<kItem>();
  if constexpr (kItem + 1 < kItems) compute_training_tile<T, kItem + 1>(warp, copier, read, last, first, write, more);
}

/// Adds up all of k through the stages in `shared`, which is free afterwards.
template <class T>
__device__ void accumulate(TrainingCopier<T>& copier, TrainingWarp<T>& warp, const unsigned char* shared, int k) {
  const auto first = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const std::uint32_t last = first + (T::kStages - 1) * T::kStageBytes;
  const int tiles_k = (k + T::kTileK - 1) / T::kTileK;
#pragma unroll
  for (int i = 0; i < T::kStages - 1; ++i) copier.template copy<0, 1>(first + i * T::kStageBytes, i < tiles_k);
  wait_groups<T::kStages - 2>();
  barrier();
  warp.template fetch<0>(first);

  std::uint32_t read = first, write = last;
#pragma unroll 1
  for (int i = 0; i < tiles_k; ++i) {
    compute_training_tile<T>(warp, copier, read, last, first, write, i + T::kStages - 1 < tiles_k);
    write = write == last ? first : write + T::kStageBytes;
  }

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
