// SPDX-License-Identifier: Apache-2.0
// How long mbarrier.try_wait suspends one lane of a warp whose others wait at a barrier, and what ends that: an arrival
// of its CTA, of another CTA of the cluster, a bulk copy. The rows of measured/*/try_wait.csv (a round each); the same
// program runs under `stcsim exec`.
//   nvcc -std=c++17 -O2 -arch=sm_90a -cudart shared -I. validation/gpu/try_wait.cu -o try_wait && ./try_wait
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "validation/gpu/checked_call.h"

__device__ unsigned sa(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
// out: polls, from the start until the wait is over, when the arrival was sent
template <int C>
__device__ void body(unsigned* out, const char* data, int delay, int how, int rounds) {
  __shared__ __align__(128) char mem[16384];
  __shared__ __align__(8) std::uint64_t bar;
  __shared__ unsigned sent;
  const unsigned b = sa(&bar);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(b) : "memory");
  __syncthreads();
  if (C > 0) asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  for (int r = 0; r < rounds; ++r) {
    __syncthreads();
    const unsigned t0 = read_clock();
    if (threadIdx.x == 0) {
      unsigned polls = 0, done = 0;
      if (how == 2) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16384;" ::"r"(b) : "memory");
      if (how == 2) {
        spin(t0, delay);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16384, [%2];" ::"r"(sa(mem)),
            "l"(data), "r"(b)
            : "memory");
        sent = read_clock() - t0;
      }
#pragma unroll 1
      while (!done) {
        ++polls;
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(b), "r"(r & 1)
                     : "memory");
      }
      const unsigned t = read_clock() - t0;
      out[(blockIdx.x * rounds + r) * 3] = polls;
      out[(blockIdx.x * rounds + r) * 3 + 1] = t;
    }
    if (threadIdx.x == 32 && how == 0) {
      spin(t0, delay);
      sent = read_clock() - t0;
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
    }
    if (threadIdx.x == 32 && how == 1) {
      spin(t0, delay);
      sent = read_clock() - t0;
      unsigned rank;
      asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
      asm volatile(
          "{.reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];}" ::"r"(b),
          "r"(rank ^ 1)
          : "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) out[(blockIdx.x * rounds + r) * 3 + 2] = sent;
    if (C > 0) asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  }
}
extern "C" __global__ void try_wait_none(unsigned* o, const char* d, int delay, int how, int r) {
  body<0>(o, d, delay, how, r);
}
extern "C" __global__ void __cluster_dims__(1, 1, 1) try_wait_1(unsigned* o, const char* d, int delay, int how, int r) {
  body<1>(o, d, delay, how, r);
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) try_wait_2(unsigned* o, const char* d, int delay, int how, int r) {
  body<2>(o, d, delay, how, r);
}
extern "C" __global__ void __cluster_dims__(4, 1, 1) try_wait_4(unsigned* o, const char* d, int delay, int how, int r) {
  body<4>(o, d, delay, how, r);
}
int main() {
  char* data;
  unsigned* out;
  CHECK(cudaMalloc(&data, 1 << 20));
  CHECK(cudaMemset(data, 0, 1 << 20));
  CHECK(cudaMalloc(&out, 65536));
  printf("cluster,by,delay,polls,sent,over\n");
  for (int c : {0, 1, 2, 4})
    for (int how : {0, 1, 2})
      for (int delay : {100, 200, 250, 300, 350, 400, 500, 600, 700, 800, 1000, 1500, 2000, 3000, 5000, 20000}) {
        if (how == 1 && c < 2) continue;
        const int rounds = 5, ctas = 4;
        auto f = c == 0 ? try_wait_none : c == 1 ? try_wait_1 : c == 2 ? try_wait_2 : try_wait_4;
        f<<<ctas, 64>>>(out, data, delay, how, rounds);
        CHECK(cudaDeviceSynchronize());
        std::vector<unsigned> h(ctas * rounds * 3);
        CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
        printf("%d,%d,%d", c, how, delay);
        for (int w : {0, 2, 1}) {
          std::vector<unsigned> v;
          for (int i = 0; i < ctas; ++i) v.push_back(h[(i * rounds + 1) * 3 + w]);
          std::sort(v.begin(), v.end());
          printf(",%u", v[v.size() / 2]);
        }
        printf("\n");
      }
}
