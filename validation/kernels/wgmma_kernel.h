// SPDX-License-Identifier: Apache-2.0
// D[m,n] = A[m,k] x B[k,n] on the tensor cores of Hopper through wgmma / wgmma.sp; f32 (s32 for s8) accumulators and
// result. Operands and metadata lie in memory as for the mma.sync kernels (gemm_kernel.h); A and B come as tensor maps.
//
// CTAs are persistent: each computes tiles of D until none is left. Its first warpgroup only fetches: one thread issues
// tensor copies into a ring of stages, and goes on to the next tile while the last one is still stored. The other two
// warpgroups multiply, each one half of the rows. Full barriers count the bytes of a stage, empty barriers the warps
// that have read it. In a cluster the CTAs share the columns of D: each fetches its part of B for all of them.
// Metadata goes from memory to registers, four k-tiles at a time, four ahead of its use.
#pragma once

#include <cstdint>

#include "validation/kernels/wgmma_ptx.h"
#include "validation/kernels/wgmma_tile.h"

namespace stc::kernels {

struct Problem {
  int m, n, k;
};

/// The tiles of one CTA, one after the other.
template <class T>
class TileWalk {
 public:
  __device__ TileWalk(const Problem& p, std::uint32_t rank)
      : rank_(rank),
        tiles_m_((static_cast<std::uint32_t>(p.m) / T::kTileM + T::kCluster - 1) / T::kCluster),
        tiles_n_(static_cast<std::uint32_t>(p.n) / T::kTileN),
        at_(blockIdx.x / T::kCluster) {}
  __device__ bool more() const { return at_ < tiles_m_ * tiles_n_; }
  __device__ void next() { at_ += gridDim.x / T::kCluster; }
  /// The last row of tiles of a cluster may lie outside of D.
  __device__ TileIndex tile() const {
    const TileIndex of_cluster = rasterise(at_, tiles_m_, tiles_n_, T::kGroupN);
    return {of_cluster.m * T::kCluster + rank_, of_cluster.n};
  }

 private:
  std::uint32_t rank_, tiles_m_, tiles_n_, at_;
};

/// A place in the ring of stages: its addresses, and the phase that its barriers are in.
template <class T>
class Ring {
 public:
  __device__ explicit Ring(std::uint32_t shared) : shared_(shared) {}
  __device__ std::uint32_t stage() const { return shared_ + index_ * T::kStageBytes; }
  __device__ std::uint32_t full() const { return barriers() + index_ * 8; }
  __device__ std::uint32_t empty() const { return barriers() + (T::kStages + index_) * 8; }
  __device__ std::uint32_t phase() const { return phase_; }
  __device__ void advance() {
    if (++index_ == T::kStages) index_ = 0, phase_ ^= 1;
  }
  /// By one thread, before anyone uses them: one arrival and the bytes fill a stage, every consuming warp of the
  /// cluster empties it.
  __device__ void init_barriers() const {
    for (int i = 0; i < T::kStages; ++i) {
      init_barrier(barriers() + i * 8, 1);
      init_barrier(barriers() + (T::kStages + i) * 8, T::kConsumers * kWarpgroup / kWarp * T::kCluster);
    }
    publish_barriers();
  }

 private:
  __device__ std::uint32_t barriers() const { return shared_ + T::kStages * T::kStageBytes; }
  std::uint32_t shared_, index_ = 0, phase_ = 0;
};

/// One thread: fetches all k-tiles of all tiles of the CTA.
template <class T>
__device__ void produce(const TensorMap& a, const TensorMap& b, Problem p, std::uint32_t rank, Ring<T> ring) {
  constexpr int kStoredK = T::kTileK / T::kRatio, kLineK = T::kTileK / T::kLinesB;
  for (TileWalk<T> walk(p, rank); walk.more(); walk.next()) {
    const TileIndex tile = walk.tile();
    const int row_a = static_cast<int>(tile.m) * T::kTileM;
    const int row_b = static_cast<int>(tile.n) * T::kTileN + static_cast<int>(rank) * T::kBoxB;
#pragma unroll 1
    for (int i = 0; i < p.k / T::kTileK; ++i) {
      wait(ring.empty(), ring.phase() ^ 1);
      expect_bytes(ring.full(), T::kStageBytes);
      load_box(ring.stage(), a, ring.full(), i * kStoredK, row_a);
#pragma unroll
      for (int line = 0; line < T::kLinesB; ++line) {
        const std::uint32_t target = ring.stage() + T::kBytesA + (line * T::kTileN + rank * T::kBoxB) * kLine;
        const int column = i * T::kTileK + line * kLineK;
        if constexpr (T::kCluster == 1) {
          load_box(target, b, ring.full(), column, row_b);
        } else {
          load_box_for((1 << T::kCluster) - 1, target, b, ring.full(), column, row_b);
        }
      }
      ring.advance();
    }
  }
}

/// Accumulators and metadata of one thread of a consuming warpgroup.
template <class T>
class Consumer {
 public:
  __device__ Consumer(const void* e, void* d, Problem p, std::uint32_t rank, const Ring<T>& ring)
      : e_(static_cast<const std::uint32_t*>(e)), d_(static_cast<std::uint32_t*>(d)), p_(p), rank_(rank), ring_(ring) {}

  __device__ void run() {
    TileWalk<T> walk(p_, rank_);
    if (walk.more()) fetch_metadata<0>(row_of(walk), 0);
    while (walk.more()) {
      const std::uint32_t row = row_of(walk), column = walk.tile().n * T::kTileN;
      multiply(row);
      walk.next();
      if (walk.more()) fetch_metadata<0>(row_of(walk), 0);
      if (row < static_cast<std::uint32_t>(p_.m)) store(row, column);
    }
  }

 private:
  static constexpr int kHeld = 8;  ///< k-tiles whose metadata is held, two sets of four

  /// First row of this warp.
  static __device__ std::uint32_t row_of(const TileWalk<T>& walk) {
    return walk.tile().m * T::kTileM + (threadIdx.x / kWarpgroup - 1) * T::kConsumerM +
           threadIdx.x % kWarpgroup / kWarp * kMmaM;
  }

  /// The metadata of k-tiles `first` to first + 3 into places kSlot to kSlot + 3; nothing of what lies outside.
  template <int kSlot>
  __device__ void fetch_metadata(std::uint32_t row, int first) {
    const std::uint32_t fragments = static_cast<std::uint32_t>(p_.m) / kMmaM;
    const int tiles = row < static_cast<std::uint32_t>(p_.m) ? p_.k / T::kTileK : 0;
#pragma unroll
    for (int i = 0; i < kHeld / 2; ++i) {
#pragma unroll
      for (int word = 0; word < T::kWordsE; ++word) {
        const std::uint64_t block = std::uint64_t(static_cast<std::uint32_t>(first + i)) * T::kWordsE + word;
#pragma unroll
        for (int j = 0; j < T::kBlocks; ++j) {
          const std::uint64_t fragment = block * fragments + row / kMmaM + j * (kWarpgroupM / kMmaM);
          if (first + i < tiles) metadata_[kSlot + i][j][word] = __ldg(e_ + fragment * kWarp + threadIdx.x % kWarp);
        }
      }
    }
  }

  template <int kSlot, int kStep = 0>
  __device__ void multiply_stage(std::uint64_t a, std::uint64_t b, int accumulate) {
#pragma unroll
    for (int i = 0; i < T::kBlocks; ++i) {
      const std::uint64_t at_a = a + (i * kWarpgroupM * T::kRowBytesA + kStep * T::kStepBytesA) / 16;
      constexpr int kByteB = kStep * T::kStepBytesB;
      const std::uint64_t at_b = b + (kByteB / kLine * T::kTileN * kLine + kByteB % kLine) / 16;
      if constexpr (T::kSparse) {
        constexpr int kSelector = kStep % T::kStepsPerWord;
        wgmma_sparse<T::kType, kSelector>(sums_[i], at_a, at_b, metadata_[kSlot][i][kStep / T::kStepsPerWord],
                                          accumulate);
      } else {
        wgmma<T::kType>(sums_[i], at_a, at_b, accumulate);
      }
    }
    if constexpr (kStep + 1 < T::kSteps) multiply_stage<kSlot, kStep + 1>(a, b, 1);
  }

  /// Lines of `bytes` bytes, swizzled by as many, tiles of eight lines one after the other.
  static __device__ std::uint64_t descriptor(std::uint32_t address, int bytes) {
    const std::uint64_t swizzle = bytes == 128 ? 1 : 2;
    return (address & 0x3ffff) >> 4 | std::uint64_t{1} << 16 | std::uint64_t(8 * bytes >> 4) << 32 | swizzle << 62;
  }

  /// The k-tile at the ring's place, while the products of the one before are still on their way.
  template <int kSlot>
  __device__ void step(int tile) {
    wait(ring_.full(), ring_.phase());
    const std::uint32_t stage = ring_.stage();
    const std::uint32_t rows = (threadIdx.x / kWarpgroup - 1) * T::kConsumerM * T::kRowBytesA;
    fence_warpgroup();
    multiply_stage<kSlot>(descriptor(stage + rows, T::kRowBytesA), descriptor(stage + T::kBytesA, kLine), tile != 0);
    commit_products();
    wait_products<1>();
    if (tile != 0) release();
    last_ = ring_.empty();
    ring_.advance();
  }

  /// Tells the producers that this warp has read the stage before.
  __device__ void release() {
    const std::uint32_t lane = threadIdx.x % kWarp;
    if constexpr (T::kCluster == 1) {
      if (lane == 0) arrive(last_);
    } else {
      if (lane < T::kCluster) arrive_at(last_, lane);
    }
  }

  /// The whole of k; the metadata of the first four k-tiles is there.
  __device__ void multiply(std::uint32_t row) {
    const int tiles = p_.k / T::kTileK;
#pragma unroll 1
    for (int i = 0; i < tiles; i += kHeld) steps<0>(row, i, tiles);
    wait_products<0>();
    release();
  }

  template <int kSlot>
  __device__ void steps(std::uint32_t row, int first, int tiles) {
    if (first + kSlot >= tiles) return;
    step<kSlot>(first + kSlot);
    // Nobody reads the other set any more.
    if constexpr (kSlot % 4 == 0) fetch_metadata<(kSlot + 4) % kHeld>(row, first + kSlot + 4);
    if constexpr (kSlot + 1 < kHeld) steps<kSlot + 1>(row, first, tiles);
  }

  /// Neighbouring lanes swap halves of two 8-column fragments, so that each lane stores 16 bytes and each quad 64
  /// contiguous ones.
  __device__ void store(std::uint32_t row, std::uint32_t column) {
    const std::uint32_t lane = threadIdx.x % kWarp;
    const bool odd = lane % 2 != 0;
    const std::int64_t n = p_.n;
    std::uint32_t* corner = d_ + (row + lane / 4) * n + column + (odd ? kMmaN + lane % 4 * 2 - 2 : lane % 4 * 2);
#pragma unroll
    for (int i = 0; i < T::kBlocks; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int j = 0; j < T::kTileN / kMmaN; j += 2) {
          const std::uint32_t* left = &sums_[i][j * 4 + half * 2];
          const std::uint32_t* right = left + 4;
          const std::uint32_t x = __shfl_xor_sync(~0u, odd ? left[0] : right[0], 1);
          const std::uint32_t y = __shfl_xor_sync(~0u, odd ? left[1] : right[1], 1);
          const uint4 v = odd ? make_uint4(x, y, right[0], right[1]) : make_uint4(left[0], left[1], x, y);
          *reinterpret_cast<uint4*>(corner + half * 8 * n + j * kMmaN) = v;
        }
      }
      corner += kWarpgroupM * n;
    }
  }

  const std::uint32_t* e_;
  std::uint32_t* d_;
  Problem p_;
  std::uint32_t rank_;
  Ring<T> ring_;
  std::uint32_t last_ = 0;  ///< empty barrier of the stage before
  std::uint32_t sums_[T::kBlocks][T::kRegisters];
  std::uint32_t metadata_[kHeld][T::kBlocks][T::kWordsE == 0 ? 1 : T::kWordsE];
};

template <class T>
__device__ void warpgroup_gemm(const TensorMap& a, const void* e, const TensorMap& b, void* d, Problem p) {
  extern __shared__ __align__(1024) unsigned char shared[];
  const Ring<T> ring(shared_address(shared));
  const std::uint32_t rank = T::kCluster == 1 ? 0 : cluster_rank();
  if (threadIdx.x == 0) ring.init_barriers();
  if constexpr (T::kCluster == 1) {
    __syncthreads();
  } else {
    cluster_barrier();
  }
  if (threadIdx.x < kWarpgroup) {
    keep_registers<40>();
    if (threadIdx.x < kWarp && elected()) produce<T>(a, b, p, rank, ring);
  } else {
    take_registers<232>();
    Consumer<T>(e, d, p, rank, ring).run();
  }
  // Other CTAs of the cluster still arrive at this one's barriers.
  if constexpr (T::kCluster != 1) {
    __syncwarp();
    cluster_barrier();
  }
}

}  // namespace stc::kernels
