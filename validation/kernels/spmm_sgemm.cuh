// SPDX-License-Identifier: Apache-2.0
// The dense twin in f32: A, B and D row-major, tiles of kTileM x kTileN x 16. Tiles travel through kStages buffers of
// shared memory, filled by 16-byte cp.async; a warp computes 64 x 32, a lane 8 x 8 of it. A stays row-major in shared
// memory: a lane reads four k of a row at once, in rows padded so that eight rows lie in different banks.
//
// grid (m / kTileM, n / kTileN, parts of k); m, n multiples of the tile, k of 16. Neighbouring CTAs share columns of B.
// With more than one part D is zero before and the parts are added by atomics.
#pragma once

#include "validation/kernels/spmm_common.cuh"

namespace stc::kernels {

__device__ inline void copy_async_16(std::uint32_t target, const void* source, bool enabled) {
  asm volatile(
      "{ .reg .pred p;\n"
      "  setp.ne.b32 p, %2, 0;\n"
      "  @p cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(target),
      "l"(source), "r"(static_cast<int>(enabled)));
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kPending>
__device__ inline void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

template <int kTileM, int kTileN>
class SgemmTile {
 public:
  static constexpr int kDepth = 16;
  static constexpr int kStages = 3;
  static constexpr int kWarpM = 64, kWarpN = 32;
  static constexpr int kThreads = kTileM / kWarpM * (kTileN / kWarpN) * kWarp;

  struct Stage {
    float a[kTileM][kDepth + 4];
    float b[kDepth][kTileN];
  };
  static constexpr int kSharedBytes = kStages * static_cast<int>(sizeof(Stage));

  __device__ SgemmTile(const float* a, const float* b, Stage* stages, int n, int k) : stages_(stages), n_(n), k_(k) {
    const int thread = threadIdx.x, parts = static_cast<int>(gridDim.z), steps = k / kDepth;
    const int each = (steps + parts - 1) / parts, first = static_cast<int>(blockIdx.z) * each;
    depth_ = max(0, min(each, steps - first)) * kDepth;
    a_ = a + (static_cast<std::int64_t>(blockIdx.x) * kTileM + thread / 4) * k + first * kDepth + thread % 4 * 4;
    b_ = b + static_cast<std::int64_t>(first * kDepth + thread / (kTileN / 4)) * n + blockIdx.y * kTileN +
         thread % (kTileN / 4) * 4;
    target_a_ = shared_address(&stages->a[thread / 4][thread % 4 * 4]);
    target_b_ = shared_address(&stages->b[thread / (kTileN / 4)][thread % (kTileN / 4) * 4]);
  }

  __device__ void compute() {
#pragma unroll
    for (int i = 0; i < kStages - 1; ++i) copy(i, i * kDepth < depth_);
    int stage = 0;
    for (int k = 0; k < depth_; k += kDepth) {
      wait_copies<kStages - 2>();
      __syncthreads();
      copy(stage == 0 ? kStages - 1 : stage - 1, k + (kStages - 1) * kDepth < depth_);
      multiply(stages_[stage]);
      stage = stage == kStages - 1 ? 0 : stage + 1;
    }
  }

  __device__ void store(float* d) const {
    float* out = d + (static_cast<std::int64_t>(blockIdx.x) * kTileM + row()) * n_ + blockIdx.y * kTileN + column();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 8; j += 4) {
        float* four = out + static_cast<std::int64_t>(i) * 8 * n_ + j * 4;
        if (gridDim.z == 1) {
          *reinterpret_cast<float4*>(four) = make_float4(sum_[i][j], sum_[i][j + 1], sum_[i][j + 2], sum_[i][j + 3]);
        } else {
#pragma unroll
          for (int l = 0; l < 4; ++l) atomicAdd(four + l, sum_[i][j + l]);
        }
      }
    }
  }

 private:
  static constexpr int kCopiesA = kTileM * kDepth / 4 / kThreads, kRowsA = kThreads / 4;
  static constexpr int kCopiesB = kTileN * kDepth / 4 / kThreads, kRowsB = kThreads * 4 / kTileN;

  static __device__ int row() {
    const int lane = threadIdx.x % kWarp;
    return threadIdx.x / kWarp % (kTileM / kWarpM) * kWarpM + (lane >> 2 & 6) + (lane >> 1 & 1);
  }
  static __device__ int column() {
    const int lane = threadIdx.x % kWarp;
    return threadIdx.x / kWarp / (kTileM / kWarpM) * kWarpN + (lane >> 1 & 2) * 4 + (lane & 1) * 4;
  }
  static __device__ std::uint32_t shared_address(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
  }

  __device__ void copy(int stage, bool enabled) {
    const std::uint32_t offset = stage * static_cast<std::uint32_t>(sizeof(Stage));
#pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      copy_async_16(target_a_ + offset + i * kRowsA * static_cast<std::uint32_t>(sizeof(Stage::a[0])),
                    a_ + static_cast<std::int64_t>(i) * kRowsA * k_, enabled);
    }
#pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      copy_async_16(target_b_ + offset + i * kRowsB * static_cast<std::uint32_t>(sizeof(Stage::b[0])),
                    b_ + static_cast<std::int64_t>(i) * kRowsB * n_, enabled);
    }
    a_ += kDepth;
    b_ += static_cast<std::int64_t>(kDepth) * n_;
    commit_copies();
  }

  /// Eight rows that lie eight apart, two groups of four columns that lie sixteen apart.
  __device__ void multiply(const Stage& stage) {
#pragma unroll
    for (int k = 0; k < kDepth; k += 4) {
      float4 a[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) a[i] = *reinterpret_cast<const float4*>(&stage.a[row() + i * 8][k]);
#pragma unroll
      for (int l = 0; l < 4; ++l) {
        const float4 b0 = *reinterpret_cast<const float4*>(&stage.b[k + l][column()]);
        const float4 b1 = *reinterpret_cast<const float4*>(&stage.b[k + l][column() + 16]);
        const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          const float of_a = l == 0 ? a[i].x : l == 1 ? a[i].y : l == 2 ? a[i].z : a[i].w;
#pragma unroll
          for (int j = 0; j < 8; ++j) sum_[i][j] = fmaf(of_a, b[j], sum_[i][j]);
        }
      }
    }
  }

  Stage* stages_;
  int n_, k_, depth_;
  const float *a_, *b_;
  std::uint32_t target_a_, target_b_;
  float sum_[8][8] = {};
};

}  // namespace stc::kernels
