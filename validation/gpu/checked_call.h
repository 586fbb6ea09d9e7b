// SPDX-License-Identifier: Apache-2.0
// For programs that nvcc compiles whole: calls of the runtime that end the program where they fail, and what kernels
// that measure have in common.
#pragma once

#include "validation/gpu/check.h"

/// The SM's clock; no access to memory moves across.
__device__ __forceinline__ unsigned read_clock() {
  unsigned value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
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
