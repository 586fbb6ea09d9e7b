// SPDX-License-Identifier: Apache-2.0
// Fences behind accesses to memory.
//   micro_fences_<scope>_<what>(Interval* out, uint8* data, int pause, int count)
//   what a warp does before each fence: "none", a "store" of 32 lanes to a line, one to 32 "lines", a "load", a
//   "reduce" by all lanes at one word; pause: clocks between that and the fence.
#include "micro_common.cuh"

enum class Before { kNothing, kStore, kLines, kLoad, kReduce };

__device__ __forceinline__ void wait_clocks(std::uint32_t clocks) {
  const std::uint32_t from = read_clock32();
  while (read_clock32() - from < clocks) continue;
}

template <Before kWhat>
__device__ __forceinline__ void access(std::uint8_t* mine, std::uint32_t value) {
  const unsigned lane = threadIdx.x % 32;
  if (kWhat == Before::kStore) asm volatile("st.global.u32 [%0], %1;" ::"l"(mine + 4 * lane), "r"(value) : "memory");
  if (kWhat == Before::kLines) asm volatile("st.global.u32 [%0], %1;" ::"l"(mine + 128 * lane), "r"(value) : "memory");
  if (kWhat == Before::kLoad) {
    std::uint32_t word;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(mine + 4 * lane) : "memory");
  }
  if (kWhat == Before::kReduce) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(mine), "r"(value) : "memory");
}

template <Before kWhat, class Fence>
__device__ __forceinline__ void fences(Interval* out, std::uint8_t* data, int pause, int count, Fence fence) {
  std::uint8_t* const mine = data + 65536 * (threadIdx.x / 32);
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    access<kWhat>(mine, static_cast<std::uint32_t>(i));
    if (pause != 0) wait_clocks(static_cast<std::uint32_t>(pause));
    fence();
  }
  report(out, start, read_clock(), static_cast<std::uint64_t>(count), 0);
}

#define FENCES(scope, what, before)                                                                                   \
  extern "C" __global__ void micro_fences_##scope##_##what(Interval* out, std::uint8_t* data, int pause, int count) { \
    fences<before>(out, data, pause, count, [] { asm volatile("fence.acq_rel." #scope ";" ::: "memory"); });          \
  }
#define SCOPES(what, before) \
  FENCES(cta, what, before)  \
  FENCES(gpu, what, before)  \
  FENCES(sys, what, before)
SCOPES(none, Before::kNothing)
SCOPES(store, Before::kStore)
SCOPES(lines, Before::kLines)
SCOPES(load, Before::kLoad)
SCOPES(reduce, Before::kReduce)
