// SPDX-License-Identifier: Apache-2.0
// Special functions of 16-bit floats, minimum and maximum of three pairs of 16-bit values (one instruction on sm_90):
// rate and latency, as micro_pipes.cu has them of other instructions.
//   micro_<op>_c<chains>(Interval* out, int iterations)
#include "micro_common.cuh"

#if __CUDA_ARCH__ >= 900

constexpr int kBody = 32;  ///< operations in the unrolled loop body

template <int kChains, class Run>
__device__ __forceinline__ void pipe(Interval* out, int iterations, Run run) {
  std::uint32_t x[kChains];
  for (int c = 0; c < kChains; ++c) x[c] = 0x30003000u + threadIdx.x + c;
  std::uint32_t y = 0x10001u * threadIdx.x, z = 0x20001u * threadIdx.x + 5u;
  asm volatile("" : "+r"(y), "+r"(z));
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {  // the first warms the instruction cache
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int round = 0; round < kBody / kChains; ++round) {
#pragma unroll
        for (int c = 0; c < kChains; ++c) run(x[c], y, z);
      }
    }
    stop = read_clock();
  }
  std::uint32_t keep = 0;
  for (const std::uint32_t value : x) keep ^= value;
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kBody, keep);
}

#define PIPE(name, chains, statement)                                                      \
  extern "C" __global__ void micro_##name##_c##chains(Interval* out, int iterations) {     \
    pipe<chains>(out, iterations, [](std::uint32_t& x, std::uint32_t y, std::uint32_t z) { \
      static_cast<void>(y), static_cast<void>(z);                                          \
      statement;                                                                           \
    });                                                                                    \
  }
#define CHAINS(name, statement) \
  PIPE(name, 1, statement) PIPE(name, 2, statement) PIPE(name, 4, statement) PIPE(name, 8, statement)

CHAINS(tanh_f16, asm volatile("{ .reg .b16 l, h; mov.b32 {l, h}, %0; tanh.approx.f16 l, l; mov.b32 %0, {l, l}; }"
                              : "+r"(x)))
CHAINS(tanh_f16x2, asm volatile("tanh.approx.f16x2 %0, %0;" : "+r"(x)))
CHAINS(ex2_f16x2, asm volatile("ex2.approx.f16x2 %0, %0;" : "+r"(x)))
CHAINS(ex2_bf16x2, asm volatile("ex2.approx.ftz.bf16x2 %0, %0;" : "+r"(x)))
CHAINS(tanh_bf16x2, asm volatile("tanh.approx.bf16x2 %0, %0;" : "+r"(x)))
CHAINS(max3_f16x2, asm volatile("{ .reg .b32 t; max.f16x2 t, %0, %1; max.f16x2 %0, t, %2; }"
                                : "+r"(x)
                                : "r"(y), "r"(z)))
CHAINS(min3_bf16x2, asm volatile("{ .reg .b32 t; min.bf16x2 t, %0, %1; min.bf16x2 %0, t, %2; }"
                                 : "+r"(x)
                                 : "r"(y), "r"(z)))
CHAINS(max3_s16x2, x = __vimax3_s16x2(x, y, z); asm volatile("" : "+r"(x)))
#endif
