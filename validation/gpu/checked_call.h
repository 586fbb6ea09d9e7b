// SPDX-License-Identifier: Apache-2.0
// For programs that nvcc compiles whole: calls of the runtime that end the program where they fail, and what kernels
// that measure have in common.
#pragma once

#include <cstdint>

#include "validation/gpu/check.h"

/// The SM's clock; no access to memory moves across.
__device__ __forceinline__ unsigned read_clock() {
  unsigned value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

/// Stores kBytes of a lane; no access to memory moves across.
template <int kBytes>
__device__ __forceinline__ void store(std::uint8_t* at, unsigned value) {
  if (kBytes == 4) asm volatile("st.global.b32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
  if (kBytes == 8) asm volatile("st.global.v2.b32 [%0], {%1, %1};" ::"l"(at), "r"(value) : "memory");
  if (kBytes == 16) asm volatile("st.global.v4.b32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(value) : "memory");
}

struct TimedLoad {
  unsigned start, stop;  // SM clocks
};
/// Loads a word of a line past L1. Memory holds even words; `last` is 0 and stays it, but the next load waits for it.
__device__ __forceinline__ TimedLoad load_line(const std::uint8_t* from, unsigned line, unsigned& last) {
  TimedLoad load;
  load.start = read_clock();
  unsigned got;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(got) : "l"(from + (line + last) * 128ull) : "memory");
  last = got & 1;
  load.stop = read_clock() + last;
  return load;
}

/// Of the SM that runs the CTA.
__device__ __forceinline__ unsigned sm_id() {
  unsigned value;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
  return value;
}

/// Goes on when so many clocks have passed since `from`, in whole passes of its loop.
__device__ __forceinline__ void spin(unsigned from, unsigned cycles) {
  while (read_clock() - from < cycles) {
  }
}

/// Of one thread of each CTA: goes on when all CTAs of the launch, which must fit on the GPU at once, are here. `count`
/// is 0 before.
__device__ __forceinline__ void meet(unsigned* count) {
  __threadfence();
  atomicAdd(count, 1);
  while (*(volatile unsigned*)count < gridDim.x) {
  }
}
