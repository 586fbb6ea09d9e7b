// SPDX-License-Identifier: Apache-2.0
// O = softmax(Q K^T / sqrt(head size)) V of many heads at once, scores never stored: a CTA of four warps takes 64
// queries of a head, a warp 16 of them, and walks over keys and values in blocks of 64 that are copied to shared memory
// one block ahead. Sums of a row are corrected when a block raises its maximum (online softmax).
#pragma once

#include "validation/kernels/gemm_ptx.h"
#include "validation/kernels/network_vector.cuh"

namespace stc::kernels {

constexpr int kQueryRows = 64, kKeyRows = 64, kAttentionThreads = 128;

__device__ inline void load_matrix_x4_turned(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

__device__ inline float power_of_two(float exponent) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(exponent));
  return result;
}

__device__ inline std::uint32_t half_pair(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
}

/// Where matrices lie: a token's row is `stride` elements behind the one before.
struct AttentionShape {
  int tokens;  ///< of a sequence: queries, keys and values
  int group;   ///< heads of Q that share one of K and V
  int stride_q, stride_kv, stride_o;
  bool causal;
};

template <int kHead>
class AttentionTile {
 public:
  static constexpr int kChunks = kHead / 8;  ///< of 16 bytes, of a row
  static constexpr int kBlockBytes = kKeyRows * kHead * 2;
  static constexpr int kStageBytes = 2 * kBlockBytes;  ///< keys, then values
  static constexpr int kSharedBytes = 2 * kStageBytes;

  __device__ AttentionTile(const __half* q, const __half* k, const __half* v, const AttentionShape& shape,
                           std::uint32_t shared)
      : shape_(shape), shared_(shared), lane_(threadIdx.x % 32) {
    const std::int64_t first_token = std::int64_t{blockIdx.z} * shape.tokens;
    const int head = static_cast<int>(blockIdx.y);
    // The longest rows of a causal mask come first, so that no long CTA is left for the end.
    tile_ = static_cast<int>(shape.causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
    const std::int64_t of_kv = first_token * shape.stride_kv + head / shape.group * kHead;
    k_ = k + of_kv;
    v_ = v + of_kv;
    load_queries(q + first_token * shape.stride_q + head * kHead);
  }

  __device__ void compute() {
    const int all = (shape_.tokens + kKeyRows - 1) / kKeyRows;
    const int blocks = shape_.causal ? min(all, tile_ + 1) : all;
    copy_block(0);
    commit_group();
    for (int block = 0; block < blocks; ++block) {
      if (block + 1 < blocks) copy_block(block + 1);
      commit_group();
      wait_groups<1>();
      barrier();
      take_block(block, block + 1 == blocks);
      barrier();
    }
  }

  __device__ void store(__half* o) const {
    const std::int64_t first_token = std::int64_t{blockIdx.z} * shape_.tokens;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = own_row() + 8 * half;
      if (row >= shape_.tokens) continue;
      float sum = sum_[half];
      sum += __shfl_xor_sync(quad(), sum, 1);
      sum += __shfl_xor_sync(quad(), sum, 2);
      const float scale = 1.0f / sum;
      __half* to = o + (first_token + row) * shape_.stride_o + blockIdx.y * kHead + lane_ % 4 * 2;
#pragma unroll
      for (int j = 0; j < kHead / 8; ++j) {
        *reinterpret_cast<std::uint32_t*>(to + j * 8) =
            half_pair(value(out_[j][2 * half]) * scale, value(out_[j][2 * half + 1]) * scale);
      }
    }
  }

 private:
  static __device__ float value(std::uint32_t bits) { return __uint_as_float(bits); }
  __device__ std::uint32_t quad() const { return 0xfu << (lane_ / 4 * 4); }
  /// First of the two rows whose scores this lane holds.
  __device__ int own_row() const { return tile_ * kQueryRows + static_cast<int>(threadIdx.x / 32 * 16 + lane_ / 4); }

  /// Rows behind the last token repeat it; nobody stores what becomes of them.
  __device__ void load_queries(const __half* q) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = min(own_row() + 8 * half, shape_.tokens - 1);
      const __half* from = q + std::int64_t{row} * shape_.stride_q + lane_ % 4 * 2;
#pragma unroll
      for (int step = 0; step < kHead / 16; ++step) {
        query_[step][half] = __ldg(reinterpret_cast<const std::uint32_t*>(from + step * 16));
        query_[step][2 + half] = __ldg(reinterpret_cast<const std::uint32_t*>(from + step * 16 + 8));
      }
    }
  }

  __device__ void copy_block(int block) {
    const std::uint32_t stage = shared_ + block % 2 * kStageBytes;
    constexpr int kPasses = kKeyRows * kChunks / kAttentionThreads, kRowsPerPass = kAttentionThreads / kChunks;
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      const std::uint32_t row = threadIdx.x / kChunks + pass * kRowsPerPass, chunk = threadIdx.x % kChunks;
      const int token = min(block * kKeyRows + static_cast<int>(row), shape_.tokens - 1);
      const std::int64_t from = std::int64_t{token} * shape_.stride_kv + chunk * 8;
      const std::uint32_t to = stage + swizzled(row, chunk, kChunks) * kChunk;
      copy_async(to, k_ + from, true);
      copy_async(to + kBlockBytes, v_ + from, true);
    }
  }

  __device__ void take_block(int block, bool last) {
    std::uint32_t scores[kKeyRows / 8][4] = {};
    multiply_keys(shared_ + block % 2 * kStageBytes, scores);
    float score[kKeyRows / 8][4];
#pragma unroll
    for (int j = 0; j < kKeyRows / 8; ++j) {
#pragma unroll
      for (int i = 0; i < 4; ++i) score[j][i] = value(scores[j][i]);
    }
    if (last) mask(block, score);
    soften(score);
    multiply_values(shared_ + block % 2 * kStageBytes + kBlockBytes, score);
  }

  __device__ void multiply_keys(std::uint32_t keys, std::uint32_t (&scores)[kKeyRows / 8][4]) const {
#pragma unroll
    for (int step = 0; step < kHead / 16; ++step) {
#pragma unroll
      for (int j = 0; j < kKeyRows / 16; ++j) {
        const std::uint32_t row = j * 16 + lane_ % 8 + lane_ / 16 * 8, chunk = step * 2 + lane_ / 8 % 2;
        std::uint32_t b[4];
        load_matrix_x4(b, keys + swizzled(row, chunk, kChunks) * kChunk);
        const std::uint32_t low[2] = {b[0], b[1]}, high[2] = {b[2], b[3]};
        mma<Element::f16>(scores[2 * j], query_[step], low);
        mma<Element::f16>(scores[2 * j + 1], query_[step], high);
      }
    }
  }

  /// Keys behind the last token, and with a causal mask those behind the query, count for nothing.
  __device__ void mask(int block, float (&score)[kKeyRows / 8][4]) const {
#pragma unroll
    for (int j = 0; j < kKeyRows / 8; ++j) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int key = block * kKeyRows + j * 8 + static_cast<int>(lane_ % 4) * 2 + i % 2, row = own_row() + i / 2 * 8;
        if (key >= shape_.tokens || (shape_.causal && key > row)) score[j][i] = -INFINITY;
      }
    }
  }

  /// Scores become weights; what was summed before is scaled to the new maximum.
  __device__ void soften(float (&score)[kKeyRows / 8][4]) {
    constexpr float kScale = kHead == 64 ? 0.18033688f : 0.12751743f;  // log2(e) / sqrt(head size)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float most = most_[half];
#pragma unroll
      for (int j = 0; j < kKeyRows / 8; ++j) most = fmaxf(most, fmaxf(score[j][2 * half], score[j][2 * half + 1]));
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
      const float shrink = power_of_two((most_[half] - most) * kScale);
      most_[half] = most;
      sum_[half] *= shrink;
#pragma unroll
      for (int j = 0; j < kHead / 8; ++j) {
        out_[j][2 * half] = __float_as_uint(value(out_[j][2 * half]) * shrink);
        out_[j][2 * half + 1] = __float_as_uint(value(out_[j][2 * half + 1]) * shrink);
      }
#pragma unroll
      for (int j = 0; j < kKeyRows / 8; ++j) {
#pragma unroll
        for (int i = 2 * half; i < 2 * half + 2; ++i) {
          score[j][i] = power_of_two((score[j][i] - most) * kScale);
          sum_[half] += score[j][i];
        }
      }
    }
  }

  __device__ void multiply_values(std::uint32_t values, const float (&weight)[kKeyRows / 8][4]) {
#pragma unroll
    for (int step = 0; step < kKeyRows / 16; ++step) {
      const float(&low)[4] = weight[2 * step], (&high)[4] = weight[2 * step + 1];
      const std::uint32_t a[4] = {half_pair(low[0], low[1]), half_pair(low[2], low[3]), half_pair(high[0], high[1]),
                                  half_pair(high[2], high[3])};
#pragma unroll
      for (int j = 0; j < kHead / 16; ++j) {
        const std::uint32_t row = step * 16 + lane_ % 16, chunk = j * 2 + lane_ / 16;
        std::uint32_t b[4];
        load_matrix_x4_turned(b, values + swizzled(row, chunk, kChunks) * kChunk);
        const std::uint32_t left[2] = {b[0], b[1]}, right[2] = {b[2], b[3]};
        mma<Element::f16>(out_[2 * j], a, left);
        mma<Element::f16>(out_[2 * j + 1], a, right);
      }
    }
  }

  AttentionShape shape_;
  std::uint32_t shared_, lane_;
  int tile_;
  const __half *k_, *v_;
  std::uint32_t query_[kHead / 16][4];
  std::uint32_t out_[kHead / 8][4] = {};
  float most_[2] = {-INFINITY, -INFINITY}, sum_[2] = {};
};

}  // namespace stc::kernels
