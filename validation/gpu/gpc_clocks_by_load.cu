// SPDX-License-Identifier: Apache-2.0
// Launches of loops that keep one part of all SMs busy (validation/kernels/energy.cu), and of one that does what a GEMM
// does at once, asked to last 2 to 600 us: for the rows of measured/*/gpc_clocks_by_load.csv, which ncu counts.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. -Ivalidation/kernels validation/gpu/gpc_clocks_by_load.cu
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "validation/gpu/check.h"
#include "validation/kernels/energy.cu"

namespace {

/// One pass: `kLoads` LDSM.x4 and `kCopies` copies of 16 bytes a thread from 16 MiB, 32 matrix instructions.
template <bool kSparse, int kLoads, int kCopies>
__global__ void __launch_bounds__(256) together(std::uint32_t* data, int iterations, int, std::uint32_t, int) {
  __shared__ __align__(128) std::uint32_t shared[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) shared[i] = data[i + blockIdx.x * 8192];
  __syncthreads();
  const std::uint32_t base = shared_address(shared);
  std::uint32_t a[4][4], b[8][4], e[4], d[8][4];
  for (int r = 0; r < 4; ++r) {
    for (int i = 0; i < 4; ++i) a[r][i] = operand(data, r * 4 + i);
    e[r] = metadata(operand(data, 16 + r));
  }
  for (int c = 0; c < 8; ++c)
    for (int i = 0; i < 4; ++i) b[c][i] = operand(data, 20 + c * 4 + i), d[c][i] = 0;
  std::uint32_t at = threadIdx.x * 16, from = (blockIdx.x * 256 + threadIdx.x) * 16;
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) {
#pragma unroll
    for (int j = 0; j < kCopies; ++j) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(base + at + 16384 + j * 4096),
                   "l"(reinterpret_cast<std::uint8_t*>(data) + ((from + j * 132 * 4096) & 0xffffff))
                   : "memory");
    }
    asm volatile("cp.async.commit_group; cp.async.wait_group 1;" ::: "memory");
    from += kCopies * 132 * 4096;
#pragma unroll
    for (int j = 0; j < kLoads; ++j) load_matrices(j < 4 ? a[j] : b[(j - 4) % 8], base + (at + j * 1024) % 16384);
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        std::uint32_t(&rb)[4] = b[(c + r) % 8];
        if (kSparse)
          asm volatile(
              "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
              "{%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
              : "+r"(d[c][0]), "+r"(d[c][1]), "+r"(d[c][2]), "+r"(d[c][3])
              : "r"(a[r][0]), "r"(a[r][1]), "r"(a[r][2]), "r"(a[r][3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]),
                "r"(e[r]));
        else
          asm volatile(
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
              : "+r"(d[c][0]), "+r"(d[c][1]), "+r"(d[c][2]), "+r"(d[c][3])
              : "r"(a[r][0]), "r"(a[r][1]), "r"(a[r][2]), "r"(a[r][3]), "r"(rb[0]), "r"(rb[1]));
      }
    at ^= 4096;
  }
  std::uint32_t all = 0;
  for (int c = 0; c < 8; ++c)
    for (int i = 0; i < 4; ++i) all ^= d[c][i];
  if (all == 3) data[threadIdx.x] = all;
}

using Loop = void (*)(std::uint32_t*, int, int, std::uint32_t, int);
struct Point {
  const char* name;
  Loop kernel;
  int threads, fill;
  std::uint32_t flip;
  int span_kib;
  double passes_per_us;
};
constexpr std::uint32_t kHalves = 0x80008000u, kFloat = 0x80000000u, kBits = 0xffffffffu;
const Point kPoints[] = {
    {"ffma", energy_ffma, 512, 4, kFloat, 0, 10.9},
    {"ffma_zero", energy_ffma, 512, 0, 0, 0, 10.9},
    {"iadd", energy_iadd, 512, 1, kBits, 0, 6.65},
    {"mma_f16", energy_mma_f16, 512, 2, kHalves, 0, 2.13},
    {"mma_f16_zero", energy_mma_f16, 512, 0, 0, 0, 2.13},
    {"mma_bf16", energy_mma_bf16, 512, 3, kHalves, 0, 2.13},
    {"mma_s8", energy_mma_s8, 512, 1, kBits, 0, 2.13},
    {"mma_tf32", energy_mma_tf32, 512, 4, kFloat, 0, 2.13},
    {"sp_f16", energy_sp_f16, 512, 2, kHalves, 0, 1.58},
    {"sp_f16_zero", energy_sp_f16, 512, 0, 0, 0, 1.58},
    {"sp_s8", energy_sp_s8, 512, 1, kBits, 0, 1.58},
    {"lds_128", energy_lds_128, 512, 2, kHalves, 0, 1.91},
    {"ldsm", energy_ldsm, 512, 2, kHalves, 0, 1.93},
    {"l1", energy_ldg_ca, 512, 2, kHalves, 32, 3.79},
    {"l2", energy_ldg_cg, 512, 2, kHalves, 16384, 0.95},
    {"l2_write", energy_stg, 512, 2, kHalves, 8192, 0.6},
    {"dram", energy_ldg_cg, 512, 2, kHalves, 2097152, 0.5},
    {"together_4", together<false, 4, 0>, 256, 2, 0, 0, 4.0},
    {"together_8", together<false, 8, 0>, 256, 2, 0, 0, 4.0},
    {"together_8_1", together<false, 8, 1>, 256, 2, 0, 0, 4.0},
    {"together_8_2", together<false, 8, 2>, 256, 2, 0, 0, 3.5},
    {"together_8_2_zero", together<false, 8, 2>, 256, 0, 0, 0, 3.5},
    {"together_sp_8", together<true, 8, 0>, 256, 2, 0, 0, 3.1},
    {"together_sp_8_1", together<true, 8, 1>, 256, 2, 0, 0, 3.1},
    {"together_sp_8_2", together<true, 8, 2>, 256, 2, 0, 0, 3.1},
};

}  // namespace

int main(int argc, char** argv) {
  // NAME US CTAS, for one launch, else all
  std::uint32_t* data;
  const unsigned long long words = (2ull << 30) / 4;
  CHECK(cudaMalloc(&data, words * 4));
  printf("loop,ctas,us,passes\n");
  for (const Point& p : kPoints) {
    if (argc > 1 && std::strcmp(argv[1], p.name) != 0) continue;
    energy_fill<<<1056, 512>>>(data, p.span_kib > 65536 ? words : (64ull << 20) / 4, p.fill, 1);
    CHECK(cudaDeviceSynchronize());
    for (int ctas : {132, 66}) {
      for (int us : {2, 5, 10, 20, 60, 200, 600}) {
        if (argc > 3 && (us != std::atoi(argv[2]) || ctas != std::atoi(argv[3]))) continue;
        for (int repeat = 0; repeat < (argc > 3 ? 1 : 3); ++repeat) {
          const int passes = static_cast<int>(us * p.passes_per_us);
          p.kernel<<<ctas, p.threads>>>(data, passes, 32, p.flip, p.span_kib);
          CHECK(cudaDeviceSynchronize());
          printf("%s,%d,%d,%d\n", p.name, ctas, us, passes);
        }
      }
    }
  }
}
