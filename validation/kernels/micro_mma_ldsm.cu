// SPDX-License-Identifier: Apache-2.0
// Matrix instructions fed by ldmatrix, as in a GEMM's inner loop: per step `loads` ldmatrix.x4 fill one half of a
// double buffer of fragments while `mmas` matrix instructions use the other half.
//   micro_mixed_<dense|sparse>_m<mmas>_l<loads>(Interval* out, int iterations); operations count the mmas.
#include "micro_common.cuh"
#include "probe_asm.cuh"

__device__ __forceinline__ void ldmatrix_x4(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

template <bool kSparse, int kMmas, int kLoads>
__device__ __forceinline__ void mixed(Interval* out, int iterations) {
  __shared__ __align__(128) std::uint32_t memory[kLoads * 128];
  for (int i = static_cast<int>(threadIdx.x); i < kLoads * 128; i += static_cast<int>(blockDim.x)) memory[i] = i & 0xFF;
  std::uint32_t d[kMmas][4], fragment[2][kLoads][4];
  std::uint32_t e = 0x44444444u + (static_cast<std::uint32_t>(iterations) & 0u);
  asm volatile("" : "+r"(e));
  for (int c = 0; c < kMmas; ++c)
    for (int i = 0; i < 4; ++i) d[c][i] = 0;
  __syncthreads();
  // Rows of 16 bytes, 128 bytes per matrix: free of conflicts. `step` is 0, unknown to the compiler.
  std::uint32_t address = shared_address(memory) + threadIdx.x % 32 * 16;
  const std::uint32_t step = static_cast<std::uint32_t>(iterations) >> 20;
  for (int l = 0; l < kLoads; ++l) ldmatrix_x4(fragment[0][l], address + l * 512);
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
      address += step;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int l = 0; l < kLoads; ++l) ldmatrix_x4(fragment[1 - half][l], address + l * 512);
#pragma unroll
        for (int c = 0; c < kMmas; ++c) {
          auto& a = fragment[half][c % kLoads];
          auto& b = fragment[half][(c / 2 + 1) % kLoads];
          if constexpr (kSparse) {
            STC_MMA_SP_444(STC_SPARSE_PTX(m16n8k32, plain, f32, f16, f16, f32), d[c], a, b, e, 0);
          } else {
            STC_MMA_424(STC_DENSE_PTX(m16n8k16, plain, f32, f16, f16, f32), d[c], a, b);
          }
        }
      }
    }
    stop = read_clock();
  }
  std::uint32_t keep = 0;
  for (int c = 0; c < kMmas; ++c)
    for (int i = 0; i < 4; ++i) keep ^= d[c][i];
  report(out, start, stop, 2ull * kMmas * static_cast<std::uint64_t>(iterations), keep);
}

#define MIXED(mmas, loads)                                                                          \
  extern "C" __global__ void micro_mixed_dense_m##mmas##_l##loads(Interval* out, int iterations) {  \
    mixed<false, mmas, loads>(out, iterations);                                                     \
  }                                                                                                 \
  extern "C" __global__ void micro_mixed_sparse_m##mmas##_l##loads(Interval* out, int iterations) { \
    mixed<true, mmas, loads>(out, iterations);                                                      \
  }
MIXED(8, 1)
MIXED(8, 2)
MIXED(8, 4)
MIXED(8, 6)
MIXED(16, 2)
MIXED(16, 4)
MIXED(16, 8)
