// SPDX-License-Identifier: Apache-2.0
// Instruction fetch: straight-line code of kSegments segments of 1 KiB (64 instructions), run several times over. The
// first pass is cold; later ones show which level of instruction cache holds the first `limit` segments.
//   micro_code_passes(uint32* samples, int limit)  per warp kPasses x (kSegments + 1) clocks, at each segment's start
//                                                  and at the pass's end; entries past `limit` repeat the end
//   micro_code_pass(Interval* out, int limit, int before)  one pass after `before` others; an operation is a segment
#include "micro_common.cuh"

constexpr int kSegments = 160;
constexpr int kPasses = 3;
constexpr int kFill = 60;  ///< FFMA of a segment; clock, store of the clock, compare and branch make it 64

struct Chains {
  float value[8];
};

__device__ __forceinline__ void fill(Chains& chains, float a, float b) {
#pragma unroll
  for (int i = 0; i < kFill; ++i) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(chains.value[i % 8]) : "f"(a), "f"(b));
  }
}

/// Runs segments kFirst to `limit` - 1. The clocks at their starts go to shared memory at `clocks`.
template <int kFirst = 0>
__device__ __forceinline__ void segments(Chains& chains, float a, float b, int limit, std::uint32_t clocks) {
  asm volatile("st.volatile.shared.u32 [%0+%2], %1;" ::"r"(clocks), "r"(read_clock32()), "n"(4 * kFirst) : "memory");
  fill(chains, a, b);
  if constexpr (kFirst + 1 < kSegments) {
    if (kFirst + 1 < limit) segments<kFirst + 1>(chains, a, b, limit, clocks);
  }
}

__device__ __forceinline__ Chains start_values() {
  Chains chains;
  for (int i = 0; i < 8; ++i) chains.value[i] = static_cast<float>(threadIdx.x + i);
  return chains;
}

__device__ __forceinline__ std::uint32_t sum(const Chains& chains) {
  float total = 0;
  for (int i = 0; i < 8; ++i) total += chains.value[i];
  return __float_as_uint(total);
}

extern "C" __global__ void micro_code_passes(std::uint32_t* samples, int limit) {
  extern __shared__ std::uint32_t memory[];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Chains chains = start_values();
  const float a = static_cast<float>(blockDim.x), b = static_cast<float>(gridDim.x);
  std::uint32_t* mine = samples + (blockIdx.x * (blockDim.x / 32) + warp) * kPasses * (kSegments + 1);
  std::uint32_t* clocks = memory + warp * (kSegments + 1);
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    segments(chains, a, b, limit, shared_address(clocks));
    const std::uint32_t end = read_clock32();
    __syncwarp();
#pragma unroll 1
    for (unsigned i = lane; i <= kSegments; i += 32)
      mine[pass * (kSegments + 1) + i] = i < static_cast<unsigned>(limit) ? clocks[i] : end;
  }
  if (sum(chains) == 0x9E3779B9u) samples[0] = 0;
}

extern "C" __global__ void micro_code_pass(Interval* out, int limit, int before) {
  extern __shared__ std::uint32_t memory[];
  const unsigned warp = threadIdx.x / 32;
  Chains chains = start_values();
  const float a = static_cast<float>(blockDim.x), b = static_cast<float>(gridDim.x);
  const std::uint32_t clocks = shared_address(memory + warp * (kSegments + 1));
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass <= before; ++pass) {
    __syncthreads();
    start = read_clock();
    segments(chains, a, b, limit, clocks);
    stop = read_clock();
  }
  report(out, start, stop, limit, sum(chains));
}
