// SPDX-License-Identifier: Apache-2.0
// For programs that nvcc compiles whole: calls of the runtime that end the program where they fail, and what kernels
// that measure have in common.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                          \
  do {                                                       \
    const cudaError_t error = (call);                        \
    if (error == cudaSuccess) break;                         \
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
    std::exit(1);                                            \
  } while (0)

/// The SM's clock; no access to memory moves across.
__device__ __forceinline__ unsigned read_clock() {
  unsigned value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
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
