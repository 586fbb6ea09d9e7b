// SPDX-License-Identifier: Apache-2.0
// When warps of one sub-core begin and end that all run the same 1024 instructions: the rows of
// measured/*/warp_turns.csv. The same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O2 -arch=sm_90a -cudart shared -I. validation/gpu/warp_turns.cu -o warp_turns && ./warp_turns
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

#include "validation/gpu/checked_call.h"

namespace {

constexpr int kInstructions = 1024, kMostWarps = 32, kChains = 8;
constexpr unsigned kOthers = 3;  // warps whose index has one of these bits leave: one sub-core works
enum Kind { kFfma, kMufu, kImad, kMma, kMmaChain, kDfma, kHfma2 };

struct Values {
  float f[kChains];
  unsigned n[kChains], c[4 * kChains], a[4], b[2];
  double d[kChains];
};

template <int kKind>
__device__ __forceinline__ void run(Values& v, int i, float seed, unsigned lane) {
  if (kKind == kFfma) asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(v.f[i]) : "f"(seed));
  if (kKind == kMufu) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v.f[i]));
  if (kKind == kImad) asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(v.n[i]) : "r"(lane));
  if (kKind == kDfma) asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(v.d[i]));
  if (kKind == kHfma2) asm volatile("fma.rn.f16x2 %0, %0, %1, %0;" : "+r"(v.n[i]) : "r"(lane));
  if (kKind != kMma && kKind != kMmaChain) return;
  unsigned* const c = v.c + (kKind == kMma ? 4 * i : 0);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(v.a[0]), "r"(v.a[1]), "r"(v.a[2]), "r"(v.a[3]), "r"(v.b[0]), "r"(v.b[1]));
}

/// kBody instructions an iteration. The second of two passes is reported; nothing holds a warp at the barrier before
/// it.
template <int kKind, int kBody>
__global__ void __launch_bounds__(32 * kMostWarps) turns(unsigned* clocks, unsigned* used, float seed) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp & kOthers) return;
  Values v = {};
  for (int i = 0; i < kChains; ++i) v.f[i] = seed + i, v.n[i] = i + lane, v.d[i] = seed;
  unsigned start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    asm volatile("bar.sync 0, %0;" ::"r"(blockDim.x / (kOthers + 1)) : "memory");
    start = read_clock();
#pragma unroll 1
    for (int t = 0; t < kInstructions / kBody; ++t) {
#pragma unroll
      for (int k = 0; k < kBody; ++k) run<kKind>(v, k % kChains, seed, lane);
    }
    stop = read_clock();
  }
  float sum = 0;
  for (int i = 0; i < kChains; ++i) sum += v.f[i] + v.n[i] + static_cast<float>(v.d[i]);
  for (const unsigned c : v.c) sum += c;
  if (sum == 1234567.f) *used = 1;
  if (lane == 0) clocks[2 * warp] = start, clocks[2 * warp + 1] = stop;
}

template <int kKind, int kBody>
void measure(const char* name, unsigned* clocks) {
  for (const int warps : {1, 2, 3, 4, 5, 6, 8}) {
    const int all = warps * (static_cast<int>(kOthers) + 1);
    for (int launch = 0; launch < 3; ++launch)
      turns<kKind, kBody><<<1, 32 * all>>>(clocks, clocks + 2 * kMostWarps, 1.5f);
    unsigned got[2 * kMostWarps];
    CHECK(cudaMemcpy(got, clocks, sizeof got, cudaMemcpyDeviceToHost));
    unsigned first = got[0];
    for (int w = 0; w < all; w += 4) first = std::min(first, got[2 * w]);
    for (int w = 0; w < all; w += 4)
      std::printf("%s,%d,%d,%d,%u,%u\n", name, kBody, warps, w / 4, got[2 * w] - first, got[2 * w + 1] - first);
  }
}

template <int kKind>
void measure_all(const char* name, unsigned* clocks) {
  measure<kKind, 16>(name, clocks);
  measure<kKind, 64>(name, clocks);
  measure<kKind, 256>(name, clocks);
  measure<kKind, 1024>(name, clocks);
}

}  // namespace

int main() {
  unsigned* clocks = nullptr;
  CHECK(cudaMalloc(&clocks, (2 * kMostWarps + 1) * sizeof(unsigned)));
  std::printf("instruction,body,warps,warp,start,stop\n");
  measure_all<kFfma>("ffma", clocks);
  measure_all<kMufu>("mufu", clocks);
  measure_all<kImad>("imad", clocks);
  measure_all<kMma>("mma", clocks);
  measure_all<kMmaChain>("mma_chain", clocks);
  measure_all<kDfma>("dfma", clocks);
  measure_all<kHfma2>("hfma2", clocks);
}
