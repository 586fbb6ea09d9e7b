// SPDX-License-Identifier: Apache-2.0
// Tensor copies to all CTAs of a cluster beside copies of each CTA's own, and fences behind stores in launches of
// clusters: the rows of measured/*/multicast.csv and fence_ends.csv. The same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O2 -arch=sm_90a -cudart shared -I. validation/gpu/multicast.cu -lcuda -o multicast
//   ./multicast copies && ./multicast fences
#include <cuda.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "validation/gpu/box_map.h"
#include "validation/gpu/checked_call.h"
#include "validation/kernels/wgmma_ptx.h"

using namespace stc::kernels;
// rows_a of A of one's own, rows_b of B: of each CTA for the whole cluster (multi), or for itself; `stages` stages;
// three times, all but the first with data in L2. out: per CTA 3 x (issue of first, issue of last, arrivals of stages)
template <int C>
__device__ void copies(const TensorMap& a, const TensorMap& b, int rows_a, int rows_b, int multi, int stages,
                       unsigned* out) {
  extern __shared__ __align__(1024) unsigned char mem[];
  const unsigned base = shared_address(mem), bars = base + 8 * 49152 / 2;
  const unsigned rank = C == 1 ? 0 : cluster_rank();
  const int bytes = (rows_a + rows_b * (multi ? C : 1)) * 128, slot = bytes;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 8; ++i) init_barrier(bars + i * 8, 1);
    publish_barriers();
  }
  if (C == 1)
    __syncthreads();
  else
    cluster_barrier();
  for (int pass = 0; pass < 3; ++pass) {
    if (C != 1)
      cluster_barrier();
    else
      __syncthreads();
    if (threadIdx.x == 0) {
      unsigned t[12];
      const unsigned t0 = read_clock();
      for (int i = 0; i < stages; ++i) {
        expect_bytes(bars + i * 8, bytes);
        if (rows_a) load_box(base + i * slot, a, bars + i * 8, i * 64, blockIdx.x * rows_a);
        if (rows_b) {
          const unsigned to = base + i * slot + rows_a * 128;
          if (multi)
            load_box_for((1 << C) - 1, to + rank * rows_b * 128, b, bars + i * 8, i * 64, blockIdx.x * rows_b);
          else
            load_box(to, b, bars + i * 8, i * 64, blockIdx.x * rows_b);
        }
        if (i == 0) t[0] = read_clock() - t0;
      }
      t[1] = read_clock() - t0;
      out[(blockIdx.x * 3 + pass) * 12] = t[0];
      out[(blockIdx.x * 3 + pass) * 12 + 1] = t[1];
    }
    if (threadIdx.x >= 32) {
      const unsigned t0 = read_clock();
      unsigned t[8];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        if (i < stages) {
          wait(bars + i * 8, pass & 1);
          t[i] = read_clock() - t0;
        }
#pragma unroll
      for (int i = 0; i < 8; ++i)
        if (i < stages && threadIdx.x == 32) out[(blockIdx.x * 3 + pass) * 12 + 2 + i] = t[i];
    }
    __syncthreads();
  }
  if (C != 1) cluster_barrier();
}
extern "C" __global__ void copies1(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, int ra,
                                   int rb, int multi, int stages, unsigned* out) {
  copies<1>(a, b, ra, rb, multi, stages, out);
}
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    copies2(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, int ra, int rb, int multi,
            int stages, unsigned* out) {
  copies<2>(a, b, ra, rb, multi, stages, out);
}
extern "C" __global__ void __cluster_dims__(4, 1, 1)
    copies4(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, int ra, int rb, int multi,
            int stages, unsigned* out) {
  copies<4>(a, b, ra, rb, multi, stages, out);
}

// fences at the end: each warp stores `stores` x 512 bytes (rows: 8 rows of 64 bytes at a pitch), then a fence of a
// scope. scope 0 cta, 1 cluster, 2 gpu, 3 cluster barrier
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    fence_end(unsigned* out, char* data, int stores, int rows, int pitch, int scope, int turns) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  __syncthreads();
  for (int turn = 0; turn < turns; ++turn) {
    char* base = rows ? data + (size_t)((turn * gridDim.x + blockIdx.x) / 4) * 128 * pitch +
                            (turn * gridDim.x + blockIdx.x) % 4 * 2048 + (size_t)(warp * 16 + lane / 4) * pitch +
                            lane % 4 * 16
                      : data + (size_t)(turn * gridDim.x + blockIdx.x) * 131072 + warp * stores * 512 + lane * 16;
    const unsigned a = read_clock();
    for (int i = 0; i < stores; ++i) {
      asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(base), "r"(i) : "memory");
      if (rows)
        base += (i & 31) == 31 ? (size_t)8 * pitch - 31 * 64 : 64;
      else
        base += 512;
    }
    const unsigned b = read_clock();
    if (scope == 0) asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (scope == 1) asm volatile("fence.acq_rel.cluster;" ::: "memory");
    if (scope == 2) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (scope == 3) cluster_barrier();
    const unsigned c = read_clock();
    if (lane == 0) {
      unsigned* o = out + ((turn * gridDim.x + blockIdx.x) * 32 + warp) * 2;
      o[0] = b - a;
      o[1] = c - a;
    }
    __syncthreads();
    for (const unsigned s = read_clock(); read_clock() - s < 4000;) {
    }
    __syncthreads();
  }
}
unsigned median(std::vector<unsigned> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}
struct Buffers {
  char *A, *B, *D;
  unsigned* out;
};
void print_copies(const Buffers& with) {
  char *const A = with.A, *const B = with.B;
  unsigned* const out = with.out;
  for (auto f : {copies1, copies2, copies4})
    CHECK(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 8 * 24576 + 1024));
  printf("cluster,ctas,rows_a,rows_b,multicast,stages,issued,arrivals\n");
  struct Case {
    int c, ra, rb, multi, stages;
  };
  for (int ctas : {4, 32, 132})
    for (Case k : {Case{1, 128, 256, 0, 4},
                   {1, 128, 0, 0, 4},
                   {1, 128, 0, 0, 1},
                   {1, 128, 128, 0, 4},
                   {1, 0, 128, 0, 4},
                   {2, 128, 128, 0, 4},
                   {2, 128, 128, 1, 4},
                   {2, 0, 128, 1, 4},
                   {2, 0, 128, 0, 4},
                   {2, 0, 128, 1, 1},
                   {2, 0, 64, 1, 4},
                   {2, 128, 64, 1, 6},
                   {2, 0, 32, 1, 6},
                   {2, 64, 128, 1, 4},
                   {4, 128, 64, 1, 4},
                   {4, 0, 64, 1, 4},
                   {4, 0, 128, 1, 2}}) {
      const int cols = 64 * 8;
      TensorMap a = map_of(A, cols, 65536, 64, k.ra ? k.ra : 8, cols * 2),
                b = map_of(B, cols, 65536, 64, k.rb ? k.rb : 8, cols * 2);
      CHECK(cudaMemset(out, 0, 1 << 20));
      auto f = k.c == 1 ? copies1 : k.c == 2 ? copies2 : copies4;
      f<<<ctas, 64, 8 * 24576 + 1024>>>(a, b, k.ra, k.rb, k.multi, k.stages, out);
      CHECK(cudaDeviceSynchronize());
      std::vector<unsigned> h(132 * 36);
      CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
      printf("%d,%d,%d,%d,%d,%d", k.c, ctas, k.ra, k.rb, k.multi, k.stages);
      for (int i = 1; i < 2 + k.stages; ++i) {
        std::vector<unsigned> v;
        for (int c = 0; c < ctas; ++c) v.push_back(h[(c * 3 + 1) * 12 + i]);
        printf("%c%u", i <= 2 ? ',' : ':', median(v));
      }
      printf("\n");
    }
}
void print_fences(const Buffers& with) {
  char* const D = with.D;
  unsigned* const out = with.out;
  printf("ctas,warps,stores,rows,scope,issued,issued_last,over,over_last\n");
  for (int ctas : {2, 132})
    for (int warps : {1, 4, 8})
      for (int rows : {0, 1})
        for (int stores : {0, 1, 4, 16, 32})
          for (int scope : {0, 1, 2, 3}) {
            if (rows && stores < 16) continue;
            if (ctas == 132 && warps == 4) continue;
            const int turns = 4;
            fence_end<<<ctas, warps * 32>>>(out, D, stores, rows, 8192, scope, turns);
            CHECK(cudaDeviceSynchronize());
            std::vector<unsigned> h(turns * ctas * 64);
            CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
            printf("%d,%d,%d,%d,%d", ctas, warps, stores, rows, scope);
            for (int what = 0; what < 2; ++what) {
              std::vector<unsigned> med, most;
              for (int t = 1; t < turns; ++t)
                for (int c = 0; c < ctas; ++c) {
                  std::vector<unsigned> v;
                  for (int w = 0; w < warps; ++w) v.push_back(h[((t * ctas + c) * 32 + w) * 2 + what]);
                  med.push_back(median(v));
                  most.push_back(*std::max_element(v.begin(), v.end()));
                }
              printf(",%u,%u", median(med), median(most));
            }
            printf("\n");
          }
}
int main(int argc, char** argv) {
  char *A, *B, *D;
  unsigned* out;
  CHECK(cudaMalloc(&A, 64 << 20));
  CHECK(cudaMalloc(&B, 64 << 20));
  CHECK(cudaMalloc(&D, 256 << 20));
  CHECK(cudaMalloc(&out, 1 << 20));
  CHECK(cudaMemset(A, 0, 64 << 20));
  CHECK(cudaMemset(B, 0, 64 << 20));
  CHECK(cudaMemset(D, 0, 256 << 20));
  const Buffers with{A, B, D, out};
  argc > 1 && std::strcmp(argv[1], "fences") == 0 ? print_fences(with) : print_copies(with);
}
