// SPDX-License-Identifier: Apache-2.0
// Load sparse, compute dense, f16: A travels as bitmaps and the values that are not zero, and becomes dense only in the
// registers that mma.m16n8k16 reads. A CTA of four warps computes 128 rows x kColumns; a warp 32 rows. Per stage of
// 64 k, shared memory holds bitmaps and values of eight strips and a tile of B.
//
//   A strip is 16 rows x 64 k, strips are numbered [m / 16][k / 64] (rows padded to whole CTAs, k to whole strips).
//   A strip has 16 bitmaps of 64 bits, one for each 8 x 8 block, in the order in which mma takes them: k step by k
//   step, in it (rows 0, k 0), (8, 0), (0, 8), (8, 8); bit 8 row + k. Its values lie in the order of their bits from
//   values[offsets[strip]] on, padded to multiples of eight.
//
// grid (m / 128 rounded up, n / kColumns rounded up, parts of k). With more than one part D is zero before and the
// parts are added by atomics. n is a multiple of 8 and at least kColumns.
#pragma once

#include "validation/kernels/spmm_common.cuh"

namespace stc::kernels {

/// 16 bytes to shared memory past L1, zeros when not `enabled`.
__device__ inline void copy_or_zero(std::uint32_t target, const void* source, bool enabled) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "r"(enabled ? 16 : 0));
}

template <int kColumns>
class BitmapTile {
 public:
  static constexpr int kStrips = kColumns > 64 ? 1 : 2;  ///< of a warp
  static constexpr int kWarps = 8 / kStrips;
  static constexpr int kRows = kWarps * kStrips * 16;
  static constexpr int kDepth = 64;
  static constexpr int kStages = kColumns > 64 ? 2 : 3;
  static constexpr int kThreads = kWarps * kWarp;

  struct Stage {
    std::uint32_t bits[kWarps * kStrips][32];
    __half values[kWarps * kStrips][16 * kDepth];
    __half b[kDepth * kColumns];
  };
  static constexpr int kSharedBytes = kStages * static_cast<int>(sizeof(Stage));

  __device__ BitmapTile(const std::uint32_t* offsets, const std::uint64_t* bitmaps, const __half* values,
                        const __half* b, Stage* stages, int n, int k)
      : bitmaps_(bitmaps), values_(values), stages_(stages), n_(n), k_(k), chunks_((k + kDepth - 1) / kDepth) {
    const int each = (chunks_ + static_cast<int>(gridDim.z) - 1) / static_cast<int>(gridDim.z);
    chunk_ = static_cast<int>(blockIdx.z) * each;
    end_ = min(chunk_ + each, chunks_);
    column_ = first_column(blockIdx.y, kColumns, n);
    b_ = b + column_;
    offsets_ = offsets + static_cast<std::int64_t>(blockIdx.x * kWarps + warp()) * kStrips * chunks_;
    strip_ = static_cast<std::int64_t>(blockIdx.x) * kWarps * kStrips * chunks_;
  }

  __device__ void compute() {
    int next = chunk_;
    read_offsets(next);
#pragma unroll
    for (int i = 0; i < kStages - 1; ++i) copy(i, next++);
    int stage = 0;
    for (int chunk = chunk_; chunk < end_; ++chunk) {
      asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
      __syncthreads();
      copy(stage == 0 ? kStages - 1 : stage - 1, next++);
      multiply(stages_[stage]);
      stage = stage == kStages - 1 ? 0 : stage + 1;
    }
  }

  __device__ void store(float* d, int m) const {
    const int row = (blockIdx.x * kWarps + warp()) * kStrips * 16 + lane() / 4;
    const int column = column_ + lane() % 4 * 2;
    const int first = static_cast<int>(blockIdx.y) * kColumns;
#pragma unroll
    for (int half = 0; half < kStrips * 2; ++half) {
      if (row + half * 8 >= m) break;
      float* out = d + static_cast<std::int64_t>(row + half * 8) * n_ + column;
#pragma unroll
      for (int j = 0; j < kColumns / 8; ++j) {
        const float* pair = &sum_[half / 2][j][half % 2 * 2];
        if (gridDim.z == 1) {
          *reinterpret_cast<float2*>(out + j * 8) = make_float2(pair[0], pair[1]);
        } else if (column + j * 8 >= first) {
          atomicAdd(out + j * 8, pair[0]);
          atomicAdd(out + j * 8 + 1, pair[1]);
        }
      }
    }
  }

 private:
  static constexpr int kChunksB = kColumns / 8;  ///< of 16 bytes in a row of the tile of B
  static constexpr int kSpread = kChunksB < 8 ? kChunksB : 8;

  static __device__ int lane() { return threadIdx.x % kWarp; }
  static __device__ int warp() { return threadIdx.x / kWarp; }
  static __device__ std::uint32_t shared_address(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
  }
  /// Eight rows of a chunk lie in different banks.
  static __device__ int place_b(int row, int chunk) {
    return (row * kChunksB + (chunk ^ (row / (8 / kSpread) % kSpread))) * 8;
  }

  /// Where the values of this warp's strips lie: needed one stage before they are copied.
  __device__ void read_offsets(int chunk) {
    if (chunk >= end_) return;
#pragma unroll
    for (int s = 0; s < kStrips; ++s) {
      from_[s] = __ldg(offsets_ + static_cast<std::int64_t>(s) * chunks_ + chunk);
      to_[s] = __ldg(offsets_ + static_cast<std::int64_t>(s) * chunks_ + chunk + 1);
    }
  }

  __device__ void copy(int stage_index, int chunk) {
    Stage& stage = stages_[stage_index];
    if (chunk < end_) {
      copy_strips(stage, chunk);
      copy_b(stage, chunk);
      read_offsets(chunk + 1);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  __device__ void copy_strips(Stage& stage, int chunk) {
    constexpr int kPieces = kWarps * kStrips * 8;  // of 16 bytes
    if (threadIdx.x < kPieces) {
      const int strip = threadIdx.x / 8, piece = threadIdx.x % 8;
      copy_or_zero(shared_address(&stage.bits[strip][piece * 4]),
                   bitmaps_ + (strip_ + static_cast<std::int64_t>(strip) * chunks_ + chunk) * 16 + piece * 2, true);
    }
#pragma unroll
    for (int s = 0; s < kStrips; ++s) {
      const std::uint32_t target = shared_address(stage.values[warp() * kStrips + s]);
      const std::uint32_t pieces = (to_[s] - from_[s]) / 8;
      for (std::uint32_t piece = lane(); piece < pieces; piece += kWarp) {
        copy_or_zero(target + piece * 16, values_ + from_[s] + piece * 8, true);
      }
    }
  }

  __device__ void copy_b(Stage& stage, int chunk) {
#pragma unroll
    for (int i = 0; i < kDepth * kChunksB / kThreads; ++i) {
      const int piece = threadIdx.x + i * kThreads, row = piece / kChunksB, k = chunk * kDepth + row;
      copy_or_zero(shared_address(&stage.b[place_b(row, piece % kChunksB)]),
                   b_ + static_cast<std::int64_t>(k < k_ ? k : 0) * n_ + piece % kChunksB * 8, k < k_);
    }
  }

  __device__ void multiply(const Stage& stage) {
    int before[kStrips];
#pragma unroll
    for (int s = 0; s < kStrips; ++s) before[s] = values_before(stage.bits[warp() * kStrips + s]);
#pragma unroll(kColumns > 16 ? 1 : 4)  // as far as registers reach
    for (int step = 0; step < kDepth / 16; ++step) {
      std::uint32_t a[kStrips][4];
#pragma unroll
      for (int s = 0; s < kStrips; ++s) {
#pragma unroll
        for (int block = 0; block < 4; ++block) {
          a[s][block] = decode(stage, warp() * kStrips + s, step * 4 + block, before[s]);
        }
      }
#pragma unroll
      for (int j = 0; j < kChunksB; j += 2) {
        std::uint32_t b[4];
        const std::uint32_t address = shared_address(&stage.b[place_b(step * 16 + lane() % 16, j + lane() / 16)]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                     : "r"(address));
#pragma unroll
        for (int s = 0; s < kStrips; ++s) {
          mma(sum_[s][j], a[s], b[0], b[1]);
          mma(sum_[s][j + 1], a[s], b[2], b[3]);
        }
      }
    }
  }

  /// Lane l gets the number of values before word l of a strip's bitmaps.
  static __device__ int values_before(const std::uint32_t (&bits)[32]) {
    const int own = __popc(bits[lane()]);
    int sum = own;
#pragma unroll
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const int other = __shfl_up_sync(kAllLanes, sum, distance);
      if (lane() >= distance) sum += other;
    }
    return sum - own;
  }

  /// A lane's two elements of an 8 x 8 block: bits 2 lane and 2 lane + 1.
  static __device__ std::uint32_t decode(const Stage& stage, int strip, int block, int before) {
    const int word = block * 2 + lane() / 16, bit = lane() % 16 * 2;
    const std::uint32_t bits = stage.bits[strip][word];
    const int base = __shfl_sync(kAllLanes, before, word);
    const int at = base + __popc(bits & ((1u << bit) - 1));
    const bool first = bits >> bit & 1, second = bits >> bit & 2;
    const auto* values = reinterpret_cast<const unsigned short*>(stage.values[strip]);
    const std::uint32_t low = first ? values[at] : 0, high = second ? values[at + static_cast<int>(first)] : 0;
    return low | high << 16;
  }

  static __device__ void mma(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }

  const std::uint32_t* offsets_;
  const std::uint64_t* bitmaps_;
  const __half *values_, *b_;
  Stage* stages_;
  int n_, k_, chunks_, chunk_, end_, column_;
  std::int64_t strip_;
  std::uint32_t from_[kStrips] = {}, to_[kStrips] = {};
  float sum_[kStrips][kChunksB][4] = {};
};

}  // namespace stc::kernels
