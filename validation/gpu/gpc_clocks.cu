// SPDX-License-Identifier: Apache-2.0
// Clocks that SMs count in the same time while all of them run matrix instructions: the rows of
// measured/*/gpc_clocks.csv.
//   nvcc -std=c++17 -O3 -arch=sm_90a -cudart shared -I. validation/gpu/gpc_clocks.cu -o gpc_clocks
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH_FEAT_SM90_ALL 1  // the host compiles macros of the kernels, too
#endif
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "validation/gpu/check.h"
#include "validation/kernels/micro_wgmma.cuh"
struct Seen {
  unsigned long long c0, c1, t0, t1;
  unsigned sm, keep;
};
__device__ unsigned long long timer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}
// waits for a tick of the timer: it counts in steps
__device__ void edge(unsigned long long& c, unsigned long long& t) {
  const unsigned long long a = timer();
  do t = timer();
  while (t == a);
  c = read_clock();
}
__device__ unsigned random_of(unsigned i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  return i ^ i >> 16;
}
__device__ unsigned halves(unsigned i, bool zero) { return zero ? 0 : (random_of(i) & 0x83ff83ffu) | 0x3c003c00u; }
extern "C" __global__ void __launch_bounds__(384) wg(Seen* out, int iterations, int zero, int sparse) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::uint32_t operands[];
  for (unsigned i = threadIdx.x; i < 98304 / 4; i += blockDim.x) operands[i] = halves(i * 132 + blockIdx.x, zero);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  __shared__ Seen mine;
  if (threadIdx.x == 256) {
    edge(mine.c0, mine.t0);
  }
  __syncthreads();
  const unsigned warp = threadIdx.x / 32;
  float d[128];
  for (int i = 0; i < 128; ++i) d[i] = 0;
  if (warp < 8) {
    const std::uint64_t a = operand(shared_address(operands) + warp / 4 * 8192),
                        b = operand(shared_address(operands) + kPlaceOfB);
    const std::uint32_t metadata = 0x44444444u;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    if (sparse) {
#pragma unroll 1
      for (int i = 0; i < iterations; ++i) {
        STC_ONE("wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16", 128, STC_MEMORY_128 STC_MEMORY_META_128,
                STC_END_MEMORY)
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;" ::: "memory");
      }
    } else {
#pragma unroll 1
      for (int i = 0; i < iterations; ++i) {
        STC_ONE("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", 128, STC_MEMORY_128, STC_END_MEMORY)
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;" ::: "memory");
      }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float sum = 0;
  for (int i = 0; i < 128; ++i) sum += d[i];
  __syncthreads();
  if (threadIdx.x == 256) {
    edge(mine.c1, mine.t1);
    mine.sm = sm_id();
    mine.keep = sum == 3.f;
    out[blockIdx.x] = mine;
  }
#endif
}
extern "C" __global__ void __launch_bounds__(256) mm(Seen* out, int iterations, int zero, int sparse) {
  __shared__ Seen mine;
  if (threadIdx.x == 0) edge(mine.c0, mine.t0);
  __syncthreads();
  unsigned a[4], b[4], e = 0x44444444u;
  for (int i = 0; i < 4; ++i)
    a[i] = halves(threadIdx.x * 8 + i + blockIdx.x * 4096, zero),
    b[i] = halves(threadIdx.x * 8 + 4 + i + blockIdx.x * 4096, zero);
  float c[8][4];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) c[i][j] = 0;
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (sparse)
        asm volatile(
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
            : "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e));
      else
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
  }
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) sum += c[i][j];
  __syncthreads();
  if (threadIdx.x == 0) {
    edge(mine.c1, mine.t1);
    mine.sm = sm_id();
    mine.keep = sum == 3.f;
    out[blockIdx.x] = mine;
  }
}
extern "C" __global__ void idle(Seen* out, int iterations, int, int) {
  Seen mine;
  edge(mine.c0, mine.t0);
  for (const unsigned long long s = read_clock(); read_clock() - s < iterations;) {
  }
  edge(mine.c1, mine.t1);
  mine.sm = sm_id();
  mine.keep = 0;
  out[blockIdx.x] = mine;
}
int main() {
  Seen* out;
  CHECK(cudaMalloc(&out, 132 * sizeof(Seen)));
  CHECK(cudaFuncSetAttribute(wg, cudaFuncAttributeMaxDynamicSharedMemorySize, 99328));
  printf("kernel,sparse,zero,us,fastest_mhz,median_mhz,slowest_mhz\n");
  for (int kernel = 0; kernel < 3; ++kernel)
    for (int sparse = 0; sparse < 2; ++sparse)
      for (int zero = 0; zero < 2; ++zero)
        for (int us : {20, 60, 200, 600})
          for (int repeat = 0; repeat < 3; ++repeat) {
            if (kernel == 2 && (sparse || zero)) continue;
            const int cycles = us * 1800;
            if (kernel == 0) wg<<<132, 384, 99328>>>(out, cycles / 260, zero, sparse);
            if (kernel == 1) mm<<<132, 256>>>(out, cycles / (8 * 32), zero, sparse);
            if (kernel == 2) idle<<<132, 32>>>(out, cycles, 0, 0);
            CHECK(cudaDeviceSynchronize());
            Seen h[132];
            CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
            std::vector<double> v;
            for (const Seen& s : h) v.push_back((s.c1 - s.c0) * 1e3 / (s.t1 - s.t0));
            std::sort(v.begin(), v.end());
            printf("%s,%d,%d,%.0f,%.1f,%.1f,%.1f\n",
                   kernel == 0   ? "wgmma"
                   : kernel == 1 ? "mma"
                                 : "idle",
                   sparse, zero, (h[0].t1 - h[0].t0) / 1e3, v[131 - 8], v[66], v[8]);
          }
}
