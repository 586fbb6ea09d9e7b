// SPDX-License-Identifier: Apache-2.0
// What loads and mbarrier operations take beside matrix instructions of a warpgroup whose operands lie in shared
// memory: the rows of measured/*/loads_beside.csv. The same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O3 -arch=sm_90a -cudart shared -I. validation/gpu/loads_beside.cu -o loads_beside
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH_FEAT_SM90_ALL 1  // the host compiles macros of the kernels, too
#endif
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "validation/gpu/check.h"
#include "validation/kernels/micro_wgmma.cuh"

/// Of a warp: clocks, how many operations and batches of them, the longest batch and all of them together.
struct Sample {
  unsigned first, last, count, worst;
  unsigned long long sum;
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH_FEAT_SM90_ALL
constexpr unsigned kAll = 160 * 1024, kFree = 100 * 1024;
__device__ __forceinline__ unsigned nc(const void* p) {
  unsigned v;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ unsigned cg(const void* p) {
  unsigned v;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ unsigned lds(unsigned p) {
  unsigned v;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(p) : "memory");
  return v;
}
__device__ __forceinline__ uint4 nc4(const void* p) {
  uint4 v;
  asm volatile("ld.global.nc.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p)
               : "memory");
  return v;
}
// loads: 0 none, 1 LDG of new lines (L2 holds them), 2 LDG of lines that L1 holds, 3 LDS.32, 4 LDG of new lines past
// L1, 5 LDG.128 of new lines (four lines each)
template <int N>
__device__ void others(Sample* out, int kind, int gap, unsigned cycles, const char* data, unsigned shared,
                       unsigned warp) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned start = read_clock32();
  unsigned stop, count = 0, sum = 0, worst = 0;
  unsigned long long total = 0;
  const char* at = data + warp * 65536 * 4 + lane * 4;
  do {
    const unsigned t = read_clock32();
    if (kind == 1) {
      unsigned x[N];
#pragma unroll
      for (int i = 0; i < N; ++i) x[i] = nc(at + (count + i) * 128);
#pragma unroll
      for (int i = 0; i < N; ++i) sum += x[i];
    } else if (kind == 2) {
      unsigned x[N];
#pragma unroll
      for (int i = 0; i < N; ++i) x[i] = nc(at + i * 128);
#pragma unroll
      for (int i = 0; i < N; ++i) sum += x[i];
    } else if (kind == 3) {
      unsigned x[N];
#pragma unroll
      for (int i = 0; i < N; ++i) x[i] = lds(shared + warp * 4096 + lane * 4 + i * 128);
#pragma unroll
      for (int i = 0; i < N; ++i) sum += x[i];
    } else if (kind == 4) {
      unsigned x[N];
#pragma unroll
      for (int i = 0; i < N; ++i) x[i] = cg(at + (count + i) * 128);
#pragma unroll
      for (int i = 0; i < N; ++i) sum += x[i];
    } else if (kind == 5) {
      uint4 x[N];
#pragma unroll
      for (int i = 0; i < N; ++i) x[i] = nc4(at + lane * 12 + (count + i) * 512);
#pragma unroll
      for (int i = 0; i < N; ++i) sum += x[i].x + x[i].y + x[i].z + x[i].w;
    }
    if (sum == 0x9E3779B9u) total += 1ull << 60;
    stop = read_clock32();
    const unsigned took = stop - t;
    worst = took > worst ? took : worst, total += took;
    count += N;
    while (read_clock32() - t < (unsigned)gap) {
    }
  } while (stop - start < cycles);
  if (lane == 0) *out = {start, stop, count, worst, total};
}
// probe: 1 test_wait of a phase that is over, 2 arrivals
__device__ void prober(Sample* out, int kind, unsigned cycles, unsigned barrier) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned start = read_clock32();
  unsigned stop, count = 0, worst = 0;
  unsigned long long total = 0, sum = 0;
  do {
    const unsigned t = read_clock32();
    unsigned done = 1;
    if (kind == 1) {
      asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p;}"
                   : "=r"(done)
                   : "r"(barrier)
                   : "memory");
    } else if (lane == 0) {
      unsigned long long state;
      asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
      sum += state;
      done = (unsigned)(state >> 40) | 1;
    }
    if (done == 0x9E3779B9u) total += 1ull << 60;
    stop = read_clock32();
    const unsigned took = stop - t;
    worst = took > worst ? took : worst, total += took, ++count;
    while (read_clock32() - t < 100) {
    }
  } while (stop - start < cycles);
  if (sum == 0x9E3779B9u) total += 1ull << 60;
  if (lane == 0) *out = {start, stop, count, worst, total};
}
#endif
#define BODY(name, ptx, n, rest, end)                                                                                  \
  extern "C" __global__ void __launch_bounds__(288) name(Sample* out, int iterations, int loads, int warps, int batch, \
                                                         int gap, int probe, int cycles, const char* data) {           \
    extern __shared__ __align__(1024) std::uint32_t operands[];                                                        \
    for (unsigned i = threadIdx.x; i < kAll / 4; i += blockDim.x) operands[i] = 0;                                     \
    const unsigned barrier = shared_address(operands) + kAll - 16;                                                     \
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");                 \
    asm volatile("fence.proxy.async;" ::: "memory");                                                                   \
    if (threadIdx.x >= 128 && threadIdx.x < 256)                                                                       \
      for (int i = 0; i < 8; ++i) (void)nc(data + (threadIdx.x / 32 - 4) * 262144 + threadIdx.x % 32 * 4 + i * 128);   \
    __syncthreads();                                                                                                   \
    const unsigned warp = threadIdx.x / 32;                                                                            \
    if (warp >= 4) {                                                                                                   \
      if (warp == 8) {                                                                                                 \
        if (probe) prober(out + 8, probe, cycles, barrier);                                                            \
        return;                                                                                                        \
      }                                                                                                                \
      if (loads == 0 || (int)warp - 4 >= warps) return;                                                                \
      if (batch == 1)                                                                                                  \
        others<1>(out + warp, loads, gap, cycles, data, shared_address(operands) + kFree, warp - 4);                   \
      else if (batch == 4)                                                                                             \
        others<4>(out + warp, loads, gap, cycles, data, shared_address(operands) + kFree, warp - 4);                   \
      else                                                                                                             \
        others<8>(out + warp, loads, gap, cycles, data, shared_address(operands) + kFree, warp - 4);                   \
      return;                                                                                                          \
    }                                                                                                                  \
    const std::uint64_t a = operand(shared_address(operands));                                                         \
    const std::uint64_t b = operand(shared_address(operands) + kPlaceOfB);                                             \
    const std::uint32_t zero = iterations < 0 ? 1 : 0, metadata = 0x44444444u + zero;                                  \
    float d[n];                                                                                                        \
    for (int i = 0; i < n; ++i) d[i] = 0;                                                                              \
    const unsigned start = read_clock32();                                                                             \
    STC_REPEAT(ptx, n, rest, end)                                                                                      \
    const unsigned stop = read_clock32();                                                                              \
    float sum = 0;                                                                                                     \
    for (int i = 0; i < n; ++i) sum += d[i];                                                                           \
    if (threadIdx.x % 32 == 0)                                                                                         \
      out[warp] = {start, stop, (unsigned)iterations * 4, sum == 3.f ? 1u : 0u, stop - start};                         \
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH_FEAT_SM90_ALL
BODY(dense256, "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", 128, STC_MEMORY_128, STC_END_MEMORY)
BODY(sp256, "wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16", 128, STC_MEMORY_128 STC_MEMORY_META_128,
     STC_END_MEMORY)
BODY(sp128, "wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16", 64, STC_MEMORY_64 STC_MEMORY_META_64,
     STC_END_MEMORY)
#endif
int main() {
  char* data;
  Sample* out;
  CHECK(cudaMalloc(&data, 8 << 20));
  CHECK(cudaMalloc(&out, 16 * sizeof(Sample)));
  CHECK(cudaMemset(data, 0, 8 << 20));
  auto run = [&](const char* name, auto f, int iterations, int loads, int warps, int batch, int gap, int probe) {
    CHECK(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(160 * 1024)));
    for (int repeat = 0; repeat < 2; ++repeat) {
      CHECK(cudaMemset(out, 0, 16 * sizeof(Sample)));
      f<<<1, 288, 160 * 1024>>>(out, iterations, loads, warps, batch, gap, probe, 12000, data);
      CHECK(cudaDeviceSynchronize());
    }
    Sample h[16];
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%s,%d,%d,%d,%d,%d,%d,%u", name, iterations * 4, loads, warps, batch, gap, probe, h[0].last - h[0].first);
    double mean = 0;
    unsigned done = 0, worst = 0;
    for (int w = 4; w < 4 + warps && loads != 0; ++w) {
      mean += h[w].sum / (h[w].count / double(batch)) / warps;
      done += h[w].count;
      worst = h[w].worst > worst ? h[w].worst : worst;
    }
    printf(",%u,%.0f,%u", done, mean, worst);
    printf(",%u,%.1f,%u\n", h[8].count, h[8].count ? h[8].sum / double(h[8].count) : 0.0, h[8].worst);
  };
  printf("kernel,gmmas,loads,warps,batch,gap,probe,chain,done,mean,worst,probes,probe_mean,probe_worst\n");
  for (int k = 0; k < 3; ++k) {
    const char* names[] = {"dense256", "sp256", "sp128"};
    auto fs = k == 0 ? dense256 : k == 1 ? sp256 : sp128;
    for (int iterations : {0, k == 2 ? 50 : 25}) {
      for (int loads = 0; loads <= 5; ++loads)
        for (int warps : {1, 4}) {
          if (loads == 0 && warps == 1) continue;
          for (int batch : {1, 4, 8}) {
            if (loads == 0 && batch != 1) continue;
            for (int gap : {0, 2000}) {
              if (loads == 0 && gap) continue;
              if (gap && batch == 1) continue;
              for (int probe = 0; probe < 3; ++probe) {
                if (loads == 0 && probe == 0) continue;
                run(names[k], fs, iterations, loads, warps, batch, gap, probe);
              }
            }
          }
        }
    }
  }
  return 0;
}
