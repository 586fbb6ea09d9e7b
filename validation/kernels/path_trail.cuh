// SPDX-License-Identifier: Apache-2.0
// What the kernels of paths leave behind: each lane stores, per place that it passes, the place's number and the clock.
// Lanes that passed together have the same clock. A trail has per warp STC_TRAIL_STEPS rows of 32 steps; the source
// defines how many.
#pragma once

#include <cstdint>

struct Step {
  std::uint32_t place;  ///< 0: no step
  std::uint32_t clock;
};

constexpr int kSteps = STC_TRAIL_STEPS;

struct Trail {
  Step* at;
  __device__ __forceinline__ explicit Trail(Step* trail) {
    const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    at = trail + warp * kSteps * 32 + threadIdx.x % 32;
  }
  __device__ __forceinline__ void operator()(std::uint32_t place) {
    std::uint32_t clock;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(place), "r"(clock) : "memory");
    at += 32;
  }
};

#define PATHS(name) extern "C" __global__ void path_##name(Step* trail, const int* data, int* words)
