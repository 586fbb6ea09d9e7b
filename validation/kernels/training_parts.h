// SPDX-License-Identifier: Apache-2.0
// A GEMM of a training step whose last tiles are cut along k: dW = dY^T X sums over all tokens into few tiles, so that
// whole tiles would leave most SMs idle at the end.
//
// CTAs below `whole` compute a tile each. Of the others, `parts` share a tile: each stores its f32 sums, and the last
// to arrive adds them in the order of the parts, so that D does not depend on who that was.
#pragma once

#include <cstdint>

#include "validation/kernels/training_gemm.h"

namespace stc::kernels {

/// What a CTA computes: k from `begin` on of a tile.
struct PartOfTile {
  std::uint32_t tile;
  int cut_tile, part;  ///< of a tile that is cut; -1: a whole tile
  int begin, depth;

  template <class T>
  static __device__ PartOfTile of_cta(int k, int whole, int parts) {
    const int cta = static_cast<int>(blockIdx.x);
    if (cta < whole) return {blockIdx.x, -1, -1, 0, k};
    const int cut_tile = (cta - whole) / parts, part = (cta - whole) % parts;
    const int steps = (k + T::kTileK - 1) / T::kTileK, each = (steps + parts - 1) / parts * T::kTileK;
    const int begin = part * each;
    return {static_cast<std::uint32_t>(whole + cut_tile), cut_tile, part, begin, max(0, min(each, k - begin))};
  }
};

/// The sums of the parts of a tile: float4 by [part][fragment][thread].
template <class T>
class SharedSums {
  static constexpr int kFragments = T::kMmaTilesM * T::kMmaTilesN, kPartQuads = kFragments * T::kThreads;

 public:
  using Accumulators = std::uint32_t[T::kMmaTilesM][T::kMmaTilesN][4];

  __device__ SharedSums(float4* sums, std::uint32_t* arrived, int cut_tile, int parts)
      : sums_(sums + std::int64_t{cut_tile} * parts * kPartQuads + threadIdx.x),
        arrived_(arrived + cut_tile),
        parts_(parts) {}

  /// True for the CTA that arrives last; the counter is 0 again.
  __device__ bool store(const Accumulators& d, int part) {
    float4* mine = sums_ + std::int64_t{part} * kPartQuads;
#pragma unroll
    for (int i = 0; i < kFragments; ++i) {
      const auto& four = d[i / T::kMmaTilesN][i % T::kMmaTilesN];
      __stcg(mine + i * T::kThreads, make_float4(__uint_as_float(four[0]), __uint_as_float(four[1]),
                                                 __uint_as_float(four[2]), __uint_as_float(four[3])));
    }
    __threadfence();
    __syncthreads();
    bool last = false;
    if (threadIdx.x == 0) {
      last = atomicAdd(arrived_, 1U) == static_cast<std::uint32_t>(parts_ - 1);
      if (last) *arrived_ = 0;
      __threadfence();
    }
    return __syncthreads_or(last) != 0;
  }

  __device__ void add(Accumulators& d) const {
#pragma unroll 1
    for (int part = 0; part < parts_; ++part) {
#pragma unroll
      for (int i = 0; i < kFragments; ++i) {
        const float4 more = __ldcg(sums_ + std::int64_t{part} * kPartQuads + i * T::kThreads);
        auto& four = d[i / T::kMmaTilesN][i % T::kMmaTilesN];
        four[0] = added(four[0], more.x), four[1] = added(four[1], more.y);
        four[2] = added(four[2], more.z), four[3] = added(four[3], more.w);
      }
    }
  }

 private:
  static __device__ std::uint32_t added(std::uint32_t sum, float more) {
    return __float_as_uint(__uint_as_float(sum) + more);
  }

  float4* sums_;
  std::uint32_t* arrived_;
  int parts_;
};

/// D[m][n] = A[k][m]^T x B[k][n]. `sums`: 4 bytes for each output of the cut tiles and each part; `arrived`: a counter
/// for each cut tile, 0 before and after.
template <class T>
__device__ void training_gemm_parts(const void* a, const void* b, void* d, float4* sums, std::uint32_t* arrived, int m,
                                    int n, int k, int whole, int parts) {
  static_assert(T::kTransposedA && T::kTransposedB, "k is the slow index of both: a part is a range of rows");
  extern __shared__ __align__(256) unsigned char shared[];
  const PartOfTile mine = PartOfTile::of_cta<T>(k, whole, parts);
  const TileIndex tile = rasterise(mine.tile, (static_cast<std::uint32_t>(m) + T::kTileM - 1) / T::kTileM,
                                   (static_cast<std::uint32_t>(n) + T::kTileN - 1) / T::kTileN, T::kGroupN);
  const std::uint32_t lane = threadIdx.x % kWarp, warp_index = threadIdx.x / kWarp;
  const std::uint32_t warp_m = warp_index % T::kWarpsM, warp_n = warp_index / T::kWarpsM;
  TrainingCopier<T> copier(static_cast<const char*>(a) + std::int64_t{mine.begin} * m * 2, nullptr,
                           static_cast<const char*>(b) + std::int64_t{mine.begin} * n * 2, tile, m, n, mine.depth);
  TrainingWarp<T> warp(lane, warp_m, warp_n);
  accumulate<T>(copier, warp, shared, mine.depth);

  if (mine.part >= 0) {
    SharedSums<T> sums_of_tile(sums, arrived, mine.cut_tile, parts);
    if (!sums_of_tile.store(warp.accumulators(), mine.part)) return;
    warp.clear();
    sums_of_tile.add(warp.accumulators());
  }
  TileStore<T, false, Epilogue::none> out(shared, warp_index, lane);
  out.put(warp.accumulators());
  const int row = tile.m * T::kTileM + warp_m * T::kWarpM, column = tile.n * T::kTileN + warp_n * T::kWarpN;
  out.store(d, nullptr, std::int64_t{row} * n + column, n, m - row);
}

}  // namespace stc::kernels
