// SPDX-License-Identifier: Apache-2.0
// How many memory instructions a sub-core and the SM take before a warp has to wait: bursts of 1 to 30 of them in a
// row, begun at once behind a barrier by the warps of the first `sub_cores` of four sub-cores; the others stand by.
//   micro_burst_<what>(uint32* samples, int sub_cores): sample n of a warp is what the issue of n
//   instructions took (clock behind the last less clock before the first), sample 0 is 0. Warps that stand by write
//   what the warp of the first sub-core wrote.
// idle: an LDS none of whose lanes is active.
#include "micro_common.cuh"

constexpr int kMost = 30;
constexpr int kWarps = 16;

enum class What { lds_32, ldsm_x4, sts_32, idle };

template <What kWhat>
__device__ __forceinline__ void send(std::uint32_t (&r)[4], std::uint32_t near, int i) {
  if constexpr (kWhat == What::lds_32) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(near + i * 128));
  } else if constexpr (kWhat == What::sts_32) {
    asm volatile("st.volatile.shared.u32 [%0], %0;" ::"r"(near + i * 128));
  } else if constexpr (kWhat == What::idle) {
    asm volatile(
        "{ .reg .pred p; setp.eq.u32 p, %1, 0xFFFFFFFF;\n\t"
        "@p ld.volatile.shared.u32 %0, [%1]; }"
        : "+r"(r[0])
        : "r"(near));
  } else {
    load_matrices(r, near + i * 512);
  }
}

/// A function of its own, so that it begins with nothing on its way that the compiler would make it wait for.
template <What kWhat, int kCount>
__device__ __noinline__ std::uint32_t burst(std::uint32_t near) {
  std::uint32_t r[kCount][4] = {}, keep = 0;
  const std::uint32_t start = read_clock32();
#pragma unroll
  for (int i = 0; i < kCount; ++i) send<kWhat>(r[i], near, i);
  const std::uint32_t stop = read_clock32();
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    asm volatile("" : "+r"(r[i][0]), "+r"(r[i][1]), "+r"(r[i][2]), "+r"(r[i][3])::"memory");
    keep ^= r[i][0] ^ r[i][1] ^ r[i][2] ^ r[i][3];
  }
  return keep == 0x9E3779B9u ? keep : stop - start;
}

template <What kWhat, int kCount>
__device__ __forceinline__ void bursts(std::uint32_t* samples, std::uint32_t* took, std::uint32_t near, int sub_cores) {
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool bursts_itself = static_cast<int>(warp % 4) < sub_cores;
  __syncthreads();
  if (bursts_itself) took[warp] = burst<kWhat, kCount>(near);
  __syncthreads();
  if (lane == 0) samples[kCount] = took[bursts_itself ? warp : warp / 4 * 4];
  if constexpr (kCount < kMost) bursts<kWhat, kCount + 1>(samples, took, near, sub_cores);
}

template <What kWhat>
__device__ __forceinline__ void all_bursts(std::uint32_t* samples, int sub_cores) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  __shared__ std::uint32_t took[kWarps];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool words = kWhat == What::lds_32 || kWhat == What::sts_32 || kWhat == What::idle;
  const std::uint32_t near = shared_address(memory) + lane * (words ? 4 : 16);
  samples += warp * (kMost + 1);
  samples[0] = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) bursts<kWhat, 1>(samples, took, near, sub_cores);
}

#define BURST(name)                                               \
  extern "C" __global__ void __launch_bounds__(32 * kWarps)       \
      micro_burst_##name(std::uint32_t* samples, int sub_cores) { \
    all_bursts<What::name>(samples, sub_cores);                   \
  }
BURST(lds_32)
BURST(ldsm_x4)
BURST(sts_32)
BURST(idle)
