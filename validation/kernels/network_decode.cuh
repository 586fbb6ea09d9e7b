// SPDX-License-Identifier: Apache-2.0
// Attention of one new token a sequence over all keys and values before it, which is reading them once. Keys are shared
// out over CTAs (blockIdx.x); each leaves its sums, and the last one of a head to arrive joins them. A warp reads as
// many keys at once as rows fit into 512 bytes, kAtOnce such groups ahead.
#pragma once

#include "validation/kernels/network_vector.cuh"

namespace stc::kernels {

constexpr int kDecodeThreads = 128;

/// Sums over some keys: of weights, and of weights times values, at a maximum of the scores.
struct SoftSums {
  float most = -INFINITY, sum = 0;
  Floats8 out = {};

  __device__ void join(float other_most, float other_sum, const Floats8& other) {
    const float common = fmaxf(most, other_most);
    if (common == -INFINITY) return;
    const float own = exp2f(most - common), others = exp2f(other_most - common);
    most = common;
    sum = sum * own + other_sum * others;
#pragma unroll
    for (int i = 0; i < kVector; ++i) out.at[i] = out.at[i] * own + other.at[i] * others;
  }
};

struct DecodeShape {
  int context;  ///< keys of a sequence
  int group;    ///< heads of Q that share one of K and V
  int stride_q, stride_kv, stride_o;
};

/// Q and O [batch][stride], K and V [batch][context][stride_kv]. parts: f32 [batch][heads][CTAs][kHead + 2];
/// arrived: a counter a head, 0 before and after.
template <int kHead>
class Decode {
 public:
  static constexpr int kLanes = kHead / kVector;  ///< that hold a row
  static constexpr int kGroups = kDecodeThreads / kLanes;
  static constexpr int kAtOnce = 4;
  static constexpr int kPart = kHead + 2;

  __device__ Decode(const __half* q, const __half* k, const __half* v, const DecodeShape& shape) : shape_(shape) {
    constexpr float kScale = kHead == 64 ? 0.18033688f : 0.12751743f;  // log2(e) / sqrt(head size)
    const int head = static_cast<int>(blockIdx.y);
    query_ = unpack(load8(q + std::int64_t{blockIdx.z} * shape.stride_q + head * kHead + column()));
#pragma unroll
    for (int i = 0; i < kVector; ++i) query_.at[i] *= kScale;
    const std::int64_t from = std::int64_t{blockIdx.z} * shape.context * shape.stride_kv + head / shape.group * kHead;
    k_ = k + from + column();
    v_ = v + from + column();
  }

  __device__ void compute() {
    const int share = (shape_.context + static_cast<int>(gridDim.x) - 1) / static_cast<int>(gridDim.x);
    const int first = static_cast<int>(blockIdx.x) * share, last = min(first + share, shape_.context);
    for (int key = first + static_cast<int>(threadIdx.x) / kLanes; __any_sync(~0u, key < last);
         key += kGroups * kAtOnce) {
      take_keys(key, last);
    }
    join_groups();
  }

  __device__ void store(__half* o, float* parts, std::uint32_t* arrived) {
    const std::uint32_t head = blockIdx.z * gridDim.y + blockIdx.y;
    if (gridDim.x > 1 && !leave_part(parts, arrived, head)) return;
    if (threadIdx.x >= kLanes) return;
    const float scale = 1.0f / sums_.sum;
#pragma unroll
    for (int i = 0; i < kVector; ++i) sums_.out.at[i] *= scale;
    store8(o + std::int64_t{blockIdx.z} * shape_.stride_o + blockIdx.y * kHead + column(), pack(sums_.out));
  }

 private:
  static __device__ int column() { return static_cast<int>(threadIdx.x) % kLanes * kVector; }

  /// Keys `key`, `key` + kGroups and so on, those before `last`.
  __device__ void take_keys(int key, int last) {
    uint4 keys[kAtOnce], values[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const std::int64_t row = min(key + i * kGroups, last - 1) * std::int64_t{shape_.stride_kv};
      keys[i] = load8(k_ + row);
      values[i] = load8(v_ + row);
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const Floats8 of_key = unpack(keys[i]);
      float score = 0;
#pragma unroll
      for (int j = 0; j < kVector; ++j) score += of_key.at[j] * query_.at[j];
#pragma unroll
      for (int distance = kLanes / 2; distance > 0; distance /= 2) score += __shfl_xor_sync(~0u, score, distance);
      if (key + i * kGroups < last) sums_.join(score, 1.0f, unpack(values[i]));
    }
  }

  /// What all groups of lanes have found, to those of the first one.
  __device__ void join_groups() {
    __shared__ float shared[kGroups][kPart];
    const int group = static_cast<int>(threadIdx.x) / kLanes;
    put(shared[group]);
    __syncthreads();
    if (group != 0) return;
    for (int other = 1; other < kGroups; ++other) take(shared[other]);
  }

  /// True in the CTA that came last and now has all sums.
  __device__ bool leave_part(float* parts, std::uint32_t* arrived, std::uint32_t head) {
    __shared__ bool is_last;
    float* of_head = parts + std::int64_t{head} * gridDim.x * kPart;
    if (threadIdx.x < kLanes) put(of_head + blockIdx.x * kPart);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(arrived + head, 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return false;
    __threadfence();
    if (threadIdx.x == 0) arrived[head] = 0;
    if (threadIdx.x >= kLanes) return true;
    for (std::uint32_t other = 0; other < gridDim.x; ++other) {
      if (other != blockIdx.x) take(of_head + other * kPart);
    }
    return true;
  }

  __device__ void put(float* part) const {
    part[kHead] = sums_.most;
    part[kHead + 1] = sums_.sum;
#pragma unroll
    for (int i = 0; i < kVector; ++i) part[column() + i] = sums_.out.at[i];
  }
  __device__ void take(const float* part) {
    const volatile float* from = part;  // another CTA's, not what L1 may hold
    Floats8 out;
#pragma unroll
    for (int i = 0; i < kVector; ++i) out.at[i] = from[column() + i];
    sums_.join(from[kHead], from[kHead + 1], out);
  }

  DecodeShape shape_;
  const __half *k_, *v_;
  Floats8 query_;
  SoftSums sums_;
};

}  // namespace stc::kernels
