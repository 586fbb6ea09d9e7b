// SPDX-License-Identifier: Apache-2.0
// Eight f16 values of 16 bytes, as all kernels of the family network read and write them, and sums over a CTA.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

namespace stc::kernels {

constexpr int kVector = 8;

struct Floats8 {
  float at[kVector];
};

__device__ __forceinline__ Floats8 unpack(const uint4& bits) {
  Floats8 out;
  const std::uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = __half22float2(reinterpret_cast<const __half2&>(words[i]));
    out.at[2 * i] = pair.x;
    out.at[2 * i + 1] = pair.y;
  }
  return out;
}

__device__ __forceinline__ uint4 pack(const Floats8& values) {
  std::uint32_t words[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const __half2 pair = __floats2half2_rn(values.at[2 * i], values.at[2 * i + 1]);
    words[i] = reinterpret_cast<const std::uint32_t&>(pair);
  }
  return make_uint4(words[0], words[1], words[2], words[3]);
}

__device__ __forceinline__ uint4 load8(const __half* from) { return __ldg(reinterpret_cast<const uint4*>(from)); }
__device__ __forceinline__ void store8(__half* to, const uint4& bits) { *reinterpret_cast<uint4*>(to) = bits; }

struct Sum {
  static __device__ float join(float a, float b) { return a + b; }
};
struct Maximum {
  static __device__ float join(float a, float b) { return fmaxf(a, b); }
};

/// Of one value of each thread of a CTA of four warps, the same in all of them. Every thread must call it.
template <class Join>
__device__ __forceinline__ float over_cta(float value) {
  __shared__ float of_warp[4];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value = Join::join(value, __shfl_xor_sync(~0u, value, distance));
  }
  __syncthreads();  // who still reads what was here before
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  return Join::join(Join::join(of_warp[0], of_warp[1]), Join::join(of_warp[2], of_warp[3]));
}

}  // namespace stc::kernels
