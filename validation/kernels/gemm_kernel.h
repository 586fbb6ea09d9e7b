// SPDX-License-Identifier: Apache-2.0
// D[m,n] = A[m,k] x B[k,n] on tensor cores through mma.sync / mma.sp; f32 (s32 for s8) accumulators and result.
//
// A is row-major, or compressed row-major [m][k/2]; B is stored [n][k]; D is row-major. Metadata is
// [k / metadata_k][m / 16][lane], one 32-bit word a lane, exactly the register that the lane hands to mma.sp.
// m, n and k must be multiples of the tile. One CTA computes one tile of D.
//
// Two pipelines run at once. cp.async keeps kStages - 1 k-tiles in flight towards shared memory; inside a tile, the
// fragments of the next MMA step are fetched by ldmatrix while the current step multiplies.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_ptx.h"
#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {

/// Copies the k-tiles of A, B and metadata to shared memory, one after the other. Source pointers run along, because
/// one 64-bit add per copy costs fewer registers than holding all addresses.
template <class T>
class TileCopier {
 public:
  __device__ TileCopier(const void* a, const void* e, const void* b, TileIndex tile, int m, int k) {
    const std::uint32_t thread = threadIdx.x;
    const std::int64_t row_bytes_b = std::int64_t{k} * element_bytes(T::kType);
    const std::int64_t row_bytes_a = T::kSparse ? row_bytes_b / 2 : row_bytes_b;
    pass_a_ = row_bytes_a * (T::kThreads / T::kChunksA);
    pass_b_ = row_bytes_b * (T::kThreads / T::kChunksB);
    a_ = static_cast<const char*>(a) + (tile.m * T::kTileM + T::copy_row(thread, T::kChunksA)) * row_bytes_a +
         T::copy_chunk(thread, T::kChunksA) * kChunk;
    b_ = static_cast<const char*>(b) + (tile.n * T::kTileN + T::copy_row(thread, T::kChunksB)) * row_bytes_b +
         T::copy_chunk(thread, T::kChunksB) * kChunk;
    target_a_ = T::copy_target(thread, T::kChunksA);
    target_b_ = T::kBytesA + T::copy_target(thread, T::kChunksB);
    if constexpr (T::kSparse) {
      constexpr int kBlockChunks = T::kMetadataBlockBytes / kChunk;
      block_e_ = std::int64_t{m} / kMmaM * kWarp * 4;
      e_ = static_cast<const char*>(e) + thread / kBlockChunks * block_e_ +
           std::int64_t{tile.m} * T::kMetadataBlockBytes + thread % kBlockChunks * kChunk;
      copies_e_ = thread < T::kBytesE / kChunk;
    }
  }

  /// Issues share `part` of `parts` of the copies of the current k-tile; the last share moves on to the next tile.
  template <int kPart, int kPartsOfTile>
  __device__ void copy(std::uint32_t stage, bool enabled) {
    constexpr int kCopies = T::kCopiesA + T::kCopiesB;
#pragma unroll
    for (int i = kCopies * kPart / kPartsOfTile; i < kCopies * (kPart + 1) / kPartsOfTile; ++i) {
      if (i < T::kCopiesA) {
        copy_async(stage + target_a_ + i * T::kThreads * kChunk, a_, enabled);
        a_ += pass_a_;
      } else {
        copy_async(stage + target_b_ + (i - T::kCopiesA) * T::kThreads * kChunk, b_, enabled);
        b_ += pass_b_;
      }
    }
    if constexpr (kPart == kPartsOfTile - 1) {
      if constexpr (T::kSparse) {
        const std::uint32_t target = T::kBytesA + T::kBytesB + threadIdx.x * kChunk;
        copy_async(stage + target, e_, enabled && copies_e_);
        e_ += T::kMetadataBlocks * block_e_;
      }
      a_ += T::kRowBytesA - T::kCopiesA * pass_a_;
      b_ += T::kRowBytesB - T::kCopiesB * pass_b_;
      commit_group();
    }
  }

 private:
  const char *a_, *b_, *e_ = nullptr;
  std::int64_t pass_a_, pass_b_, block_e_ = 0;  ///< bytes from one pass (metadata block) to the next
  std::uint32_t target_a_, target_b_;           ///< offsets in a stage
  bool copies_e_ = false;
};

/// The fragments and accumulators of one warp.
template <class T>
class WarpTile {
 public:
  __device__ WarpTile(std::uint32_t lane, std::uint32_t warp_m, std::uint32_t warp_n)
      : load_a_(T::load_a(lane, warp_m)), load_b_(T::load_b(lane, warp_n)), load_e_(T::load_e(lane, warp_m)) {}

  /// Loads what work item `kItem` (column part kItem % kParts of MMA step kItem / kParts) needs and its
  /// predecessor did not have.
  template <int kItem>
  __device__ void fetch(std::uint32_t stage) {
    constexpr int kStep = kItem / T::kParts, kPart = kItem % T::kParts;
    if constexpr (kPart == 0) {
#pragma unroll
      for (int i = 0; i < T::kMmaTilesM; ++i) {
        load<T::kTransposedA>(a_[kStep % 2][i], T::address_a(stage + load_a_, kStep, i));
      }
      if constexpr (T::kSparse && kStep % T::kStepsPerMetadata == 0) {
        const std::uint32_t address = T::address_e(stage + load_e_, kStep);
        if constexpr (T::kMmaTilesM == 4) load_matrix_x4(e_next_, address);
        if constexpr (T::kMmaTilesM == 2) load_matrix_x2(e_next_, address);
      }
    }
#pragma unroll
    for (int j = 0; j < T::kPartN; j += T::kFragmentsPerLoadB) {
      std::uint32_t r[4];
      load<T::kTransposedB>(r, T::address_b(stage + load_b_, kStep, kPart * T::kPartN + j));
#pragma unroll
      for (int i = 0; i < 4; ++i) b_[kItem % 2][j + i / T::kRegistersB][i % T::kRegistersB] = r[i];
    }
  }

  /// The metadata fetched last becomes current, at the first item that uses it.
  template <int kItem>
  __device__ void take_metadata() {
    if constexpr (T::kSparse && kItem % (T::kParts * T::kStepsPerMetadata) == 0) {
#pragma unroll
      for (int i = 0; i < T::kMmaTilesM; ++i) e_[i] = e_next_[i];
    }
  }

  template <int kItem>
  __device__ void multiply() {
    constexpr int kStep = kItem / T::kParts, kPart = kItem % T::kParts;
#pragma unroll
    for (int i = 0; i < T::kMmaTilesM; ++i) {
#pragma unroll
      for (int j = 0; j < T::kPartN; ++j) {
        auto& d = d_[i][kPart * T::kPartN + j];
        if constexpr (T::kSparse) {
          mma_sparse<T::kType, kStep % T::kStepsPerMetadata>(d, a_[kStep % 2][i], b_[kItem % 2][j], e_[i]);
        } else {
          mma<T::kType>(d, a_[kStep % 2][i], b_[kItem % 2][j]);
        }
      }
    }
  }

  /// Writes the tile whose first element is `d`. Neighbouring lanes swap halves of two 8-column fragments, so that
  /// each lane stores 16 bytes and each quad 64 contiguous ones.
  __device__ void store(std::uint32_t* d, std::int64_t n, std::uint32_t lane) const {
    const bool odd = lane % 2 != 0;
    std::uint32_t* corner = d + lane / 4 * n + (odd ? kMmaN + lane % 4 * 2 - 2 : lane % 4 * 2);
#pragma unroll
    for (int i = 0; i < T::kMmaTilesM; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int j = 0; j < T::kMmaTilesN; j += 2) {
          const std::uint32_t* left = &d_[i][j][half * 2];
          const std::uint32_t* right = &d_[i][j + 1][half * 2];
          const std::uint32_t x = __shfl_xor_sync(~0u, odd ? left[0] : right[0], 1);
          const std::uint32_t y = __shfl_xor_sync(~0u, odd ? left[1] : right[1], 1);
          const uint4 v = odd ? make_uint4(x, y, right[0], right[1]) : make_uint4(left[0], left[1], x, y);
          *reinterpret_cast<uint4*>(corner + j * kMmaN) = v;
        }
        corner += 8 * n;
      }
    }
  }

  /// Register `i` of the fragment of tile row `m` and tile column `n`, as bits.
  __device__ std::uint32_t accumulator(int m, int n, int i) const { return d_[m][n][i]; }

 protected:
  template <bool kTransposed>
  static __device__ void load(std::uint32_t (&r)[4], std::uint32_t address) {
    kTransposed ? load_matrix_x4_trans(r, address) : load_matrix_x4(r, address);
  }

  std::uint32_t load_a_, load_b_, load_e_;  ///< of this lane, in a stage
  std::uint32_t a_[2][T::kMmaTilesM][4];
  std::uint32_t b_[2][T::kPartN][T::kRegistersB];
  std::uint32_t e_[T::kMmaTilesM], e_next_[T::kMmaTilesM];
  std::uint32_t d_[T::kMmaTilesM][T::kMmaTilesN][4] = {};
};

/// One k-tile, unrolled over its work items: each fetches for the next item, issues a share of the copies and
/// multiplies.
template <class T, int kItem = 0, class Copier>
__device__ void compute_tile(WarpTile<T>& warp, Copier& copier, std::uint32_t& read, std::uint32_t last,
                             std::uint32_t first, std::uint32_t write, bool more) {
  constexpr int kItems = T::kSteps * T::kParts;
  // With two stages the next tile is needed at the end of this one: start all of its copies at once.
  constexpr int kCopyItems = T::kStages == 2 ? 1 : kItems - T::kParts;
  warp.template take_metadata<kItem>();
  if constexpr (kItem == kItems - 1) {
    wait_groups<T::kStages - 2>();
    barrier();
    read = read == last ? first : read + T::kStageBytes;
  }
  warp.template fetch<(kItem + 1) % kItems>(read);
  if constexpr (kItem < kCopyItems) copier.template copy<kItem, kCopyItems>(write, more);
  warp.template multiply<kItem>();
  if constexpr (kItem + 1 < kItems) compute_tile<T, kItem + 1>(warp, copier, read, last, first, write, more);
}

/// Adds up `tiles_k` k-tiles through the stages that begin at `first` in shared memory.
template <class T, class Copier>
__device__ void multiply_tiles(WarpTile<T>& warp, Copier& copier, std::uint32_t first, int tiles_k) {
  const std::uint32_t last = first + (T::kStages - 1) * T::kStageBytes;
#pragma unroll
  for (int i = 0; i < T::kStages - 1; ++i) copier.template copy<0, 1>(first + i * T::kStageBytes, i < tiles_k);
  wait_groups<T::kStages - 2>();
  barrier();
  warp.template fetch<0>(first);

  std::uint32_t read = first, write = last;
#pragma unroll 1
  for (int i = 0; i < tiles_k; ++i) {
    // The stage written now is the one that every warp finished reading before the last barrier.
    compute_tile<T>(warp, copier, read, last, first, write, i + T::kStages - 1 < tiles_k);
    write = write == last ? first : write + T::kStageBytes;
  }
}

template <class T>
__device__ void gemm(const void* a, const void* e, const void* b, void* d, int m, int n, int k) {
  extern __shared__ __align__(256) unsigned char shared[];
  const auto first = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const TileIndex tile = rasterise(blockIdx.x, static_cast<std::uint32_t>(m) / T::kTileM,
                                   static_cast<std::uint32_t>(n) / T::kTileN, T::kGroupN);
  const std::uint32_t lane = threadIdx.x % kWarp, warp_index = threadIdx.x / kWarp;
  const std::uint32_t warp_m = warp_index % T::kWarpsM, warp_n = warp_index / T::kWarpsM;

  TileCopier<T> copier(a, e, b, tile, m, k);
  WarpTile<T> warp(lane, warp_m, warp_n);
  multiply_tiles<T>(warp, copier, first, k / T::kTileK);
  const std::uint32_t row = tile.m * T::kTileM + warp_m * T::kWarpM, column = tile.n * T::kTileN + warp_n * T::kWarpN;
  warp.store(static_cast<std::uint32_t*>(d) + std::int64_t{row} * n + column, n, lane);
}

}  // namespace stc::kernels
