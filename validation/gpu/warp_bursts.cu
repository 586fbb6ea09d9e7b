// SPDX-License-Identifier: Apache-2.0
// Who issues where warps of a sub-core contend: the rows of measured/*/warp_bursts.csv. The same program runs under
// `stcsim exec`.
//   nvcc -std=c++17 -O3 -arch=sm_90a -cudart shared -I. validation/gpu/warp_bursts.cu -o warp_bursts && ./warp_bursts
// segments: one to four warps of one CTA, of one sub-core, read the clock every 8 m16n8k16 (hmma), every 8 of them with
// a LOP3 each (hmma_lop3), every 16 IMAD or LOP3. bursts: two CTAs of four warps each, whose iterations are 8 LDSM and
// then 32 m16n8k16, read it before and behind these; spread: an LDSM or two before each four of them.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "validation/gpu/checked_call.h"

namespace {

enum class Segment { hmma, hmma_lop3, imad, lop3 };
constexpr int kSegments = 11, kIterations = 16, kSm = 20;

struct Matrices {
  float d[8][4];
  unsigned a[4], b[2];
};

__device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ void load(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

template <Segment kKind>
__global__ void __launch_bounds__(512) segments(unsigned* out, int zero) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Matrices m = {{}, {lane, lane, lane, lane}, {lane, lane}};
  int n[8];
  for (int i = 0; i < 8; ++i) n[i] = static_cast<int>(lane) + i * zero;
  unsigned at[kSegments + 1] = {};
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    if (warp % 4 != 0) continue;
    at[0] = read_clock();
#pragma unroll
    for (int s = 1; s <= kSegments; ++s) {
#pragma unroll
      for (int i = 0; i < (kKind <= Segment::hmma_lop3 ? 8 : 16); ++i) {
        int& each = n[i % 8];
        if (kKind <= Segment::hmma_lop3) multiply(m.d[i % 8], m.a, m.b[0], m.b[1]);
        if (kKind == Segment::imad) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(each) : "r"(zero));
        if (kKind == Segment::lop3 || kKind == Segment::hmma_lop3)
          asm volatile("lop3.b32 %0, %0, %1, %1, 0x3c;" : "+r"(each) : "r"(zero));
      }
      at[s] = read_clock();
    }
  }
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += m.d[i][0] + static_cast<float>(n[i]);
  if (warp % 4 != 0 || lane != 0) return;
  for (int s = 0; s <= kSegments; ++s) out[warp / 4 * (kSegments + 1) + s] = at[s] + (sum == 1.25f ? 1 : 0);
}

template <bool kSpread>
__global__ void __launch_bounds__(128, 2) bursts(unsigned* out) {
  if (sm_id() != kSm) return;
  extern __shared__ __align__(128) unsigned char memory[];
  auto* const stamps = reinterpret_cast<unsigned*>(memory + 32768);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(memory)) + lane * 16 + warp * 512;
  float d[4][8][4] = {};
  unsigned a[2][4][4], b[2][4][4];
  for (int i = 0; i < 32; ++i) a[i / 16][i / 4 % 4][i % 4] = b[i / 16][i / 4 % 4][i % 4] = lane;
#pragma unroll 1
  for (int n = 0; n < kIterations; ++n) {
    if (lane == 0) stamps[(warp * kIterations + n) * 2] = read_clock();
    for (int i = 0; i < 4 && !kSpread; ++i) load(a[0][i], from + i * 2048), load(b[0][i], from + 8192 + i * 2048);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        if (kSpread && j % 4 == 0) load(a[0][i], from + i * 2048);
        if (kSpread && j == 4) load(b[0][i], from + 8192 + i * 2048);
        multiply(d[i][j], a[kSpread][i], b[kSpread][j / 2][j % 2 * 2], b[kSpread][j / 2][j % 2 * 2 + 1]);
      }
    }
    if (lane == 0) stamps[(warp * kIterations + n) * 2 + 1] = read_clock();
  }
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += d[i / 8][i % 8][0];
  const unsigned all = a[0][0][0] ^ a[0][3][1] ^ b[0][0][0] ^ b[0][3][1];
  __syncthreads();
  if (lane != 0) return;
  const unsigned place = (blockIdx.x * 4 + warp) * kIterations * 2;
  for (unsigned i = 0; i < kIterations * 2; ++i)
    out[place + i] = stamps[warp * kIterations * 2 + i] + (sum == 1.25f && all == 77 ? 1 : 0);
}

void print(const char* kind, int of, int which, const unsigned* at, int count, unsigned zero) {
  std::printf("%s,%d,%d,", kind, of, which);
  for (int i = 0; i < count; ++i) std::printf("%s%d", i ? " " : "", static_cast<int>(at[i] - zero));
  std::printf("\n");
}

template <Segment kKind>
void run_segments(const char* kind, unsigned* out) {
  std::vector<unsigned> at(4 * (kSegments + 1));
  for (int warps = 1; warps <= 4; ++warps) {
    segments<kKind><<<1, warps * 128>>>(out, 0);
    CHECK(cudaMemcpy(at.data(), out, at.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (int w = 0; w < warps; ++w) print(kind, warps, w, &at[w * (kSegments + 1)], kSegments + 1, at[0]);
  }
}

template <bool kSpread>
void run_bursts(const char* kind, unsigned* out, int ctas) {
  constexpr int kShared = 100 * 1024, kEach = 4 * kIterations * 2;
  CHECK(cudaFuncSetAttribute(bursts<kSpread>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  std::vector<unsigned> at(static_cast<std::size_t>(ctas) * kEach);
  for (int launch = 0; launch < 3; ++launch) {
    CHECK(cudaMemset(out, 0xff, at.size() * sizeof(unsigned)));
    bursts<kSpread><<<ctas, 128, kShared>>>(out);
  }
  CHECK(cudaMemcpy(at.data(), out, at.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  int found = 0;
  unsigned zero = 0;
  for (int cta = 0; cta < ctas; ++cta) {
    const unsigned* const mine = &at[static_cast<std::size_t>(cta) * kEach];
    if (mine[0] == ~0u) continue;
    if (found == 0) zero = mine[0];
    print(kind, 2, found++, mine, kIterations * 2, zero);
  }
}

}  // namespace

int main() {
  cudaDeviceProp gpu;
  CHECK(cudaGetDeviceProperties(&gpu, 0));
  unsigned* out;
  CHECK(cudaMalloc(&out, static_cast<std::size_t>(gpu.multiProcessorCount) * 2 * 4 * kIterations * 2 * sizeof *out));
  std::printf("kind,warps,warp,clocks\n");
  run_segments<Segment::hmma>("hmma", out);
  run_segments<Segment::hmma_lop3>("hmma_lop3", out);
  run_segments<Segment::imad>("imad", out);
  run_segments<Segment::lop3>("lop3", out);
  run_bursts<false>("bursts", out, 2 * gpu.multiProcessorCount);
  run_bursts<true>("spread", out, 2 * gpu.multiProcessorCount);
}
