// SPDX-License-Identifier: Apache-2.0
// What L2 and device memory give for each SM clock while tensor cores of all SMs work (mma.sync), or FFMA, or nothing:
// eight warps of each CTA read, store or follow a chain of addresses beside four that compute. The rows of
// measured/*/matrix_clock.csv (medians of nine runs); the same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O2 -arch=sm_90a -cudart shared -I. validation/gpu/matrix_clock.cu -o matrix_clock &&
//   ./matrix_clock
//   ./matrix_clock quick   (one run each, of a sixteenth of the bytes and of 200 loads)
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "validation/gpu/checked_call.h"

constexpr size_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr int kCtas = 132, kThreads = 384, kMemoryWarps = 8;
constexpr int kRowBytes = kMemoryWarps * 512;  // 16 bytes of each lane
constexpr int kRowsAtOnce = 4;
constexpr int kLineWords = 32;

enum Access { kRead, kStore, kChase };
enum Beside { kNone, kFfma, kMma };
const char* const kBesideNames[] = {"none", "ffma", "mma"};

struct Times {
  unsigned cycles, ns;
};
struct Work {
  Access access;
  Beside beside;
  char* data;
  size_t slice;  // bytes of a CTA
  int rounds;    // over the slice, or loads of a chase
  const std::uint32_t* chain;
};

__device__ __forceinline__ std::uint64_t read_ns() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}
__device__ __forceinline__ unsigned read_slice(const char* slice, size_t bytes, int rounds) {
  unsigned all = 0;
  for (int round = 0; round < rounds; ++round)
    for (size_t at = threadIdx.x * 16; at + kRowBytes * (kRowsAtOnce - 1) < bytes; at += kRowBytes * kRowsAtOnce) {
      uint4 words[kRowsAtOnce];
#pragma unroll
      for (int i = 0; i < kRowsAtOnce; ++i) words[i] = __ldcg((const uint4*)(slice + at + kRowBytes * i));
      all ^= words[0].x ^ words[1].y ^ words[2].z ^ words[3].w;
    }
  return all;
}
__device__ __forceinline__ void store_slice(char* slice, size_t bytes, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (size_t at = threadIdx.x * 16; at < bytes; at += kRowBytes)
      __stcg((uint4*)(slice + at), make_uint4(round, threadIdx.x % 32, threadIdx.x / 32, (unsigned)at));
}
__device__ __forceinline__ unsigned follow(const std::uint32_t* chain, int loads) {
  std::uint32_t place = blockIdx.x * 977;
  for (int i = 0; i < loads; ++i) place = __ldcg(chain + place);
  return place;
}
__device__ __forceinline__ float multiply_numbers(const volatile int& done) {
  float a = threadIdx.x % 32, c = 0.5f, d = 2;
  const float b = 1.0001f;
  while (!done) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      a = a * b + c;
      d = d * b + c;
      c = c * b + a;
    }
  }
  return a + d + c;
}
__device__ __forceinline__ float multiply_matrices(const volatile int& done) {
  float sums[4][4] = {};
  const unsigned lane = threadIdx.x % 32;
  while (!done) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      float* d = sums[i % 4];
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(lane), "r"(lane * 3), "r"(5), "r"(7), "r"(lane), "r"(9));
    }
  }
  return sums[0][0] + sums[1][0] + sums[2][1] + sums[3][2];
}
extern "C" __global__ void __launch_bounds__(kThreads)
    access_beside(const __grid_constant__ Work work, Times* times, float* sink) {
  __shared__ volatile int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  if (threadIdx.x < kMemoryWarps * 32) {
    const unsigned start = read_clock();
    const std::uint64_t start_ns = read_ns();
    char* const slice = work.data + blockIdx.x * work.slice;
    unsigned all = 0;
    if (work.access == kRead) all = read_slice(slice, work.slice, work.rounds);
    if (work.access == kStore) store_slice(slice, work.slice, work.rounds);
    if (work.access == kChase && threadIdx.x < 32) all = follow(work.chain, work.rounds);
    if (all == 0x12345) sink[threadIdx.x] = all;
    asm volatile("bar.sync 1, %0;" ::"n"(kMemoryWarps * 32) : "memory");
    if (threadIdx.x == 0) {
      times[blockIdx.x] = {read_clock() - start, (unsigned)(read_ns() - start_ns)};
      done = 1;
    }
  } else if (work.beside == kFfma) {
    sink[blockIdx.x * kThreads + threadIdx.x] = multiply_numbers(done);
  } else if (work.beside == kMma) {
    sink[blockIdx.x * kThreads + threadIdx.x] = multiply_matrices(done);
  }
}
// every word of a line leads to the same line, in an order without a pattern that takes all lines
std::uint32_t* make_chain(size_t bytes) {
  std::vector<std::uint32_t> words(bytes / 4);
  const size_t lines = words.size() / kLineWords;
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = (std::uint32_t)((i / kLineWords * 1103515245ull + 12345) % lines * kLineWords);
  std::uint32_t* chain;
  CHECK(cudaMalloc(&chain, bytes));
  CHECK(cudaMemcpy(chain, words.data(), bytes, cudaMemcpyHostToDevice));
  return chain;
}
double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}
struct Buffers {
  char *data, *flush;
  size_t flush_bytes;
  std::uint32_t *chain_l2, *chain_dram;
  Times* times;
  float* sink;
};
struct Case {
  const char* what;
  Access access;
  size_t slice;
  int rounds, ctas;
  bool warm;  // a run before brings the data into L2
};
void print_row(const Buffers& with, const Case& of, Beside beside, int runs) {
  const std::uint32_t* chain = of.warm ? with.chain_l2 : with.chain_dram;
  const double bytes = (double)of.ctas * of.slice * of.rounds;
  std::vector<double> cycles, rates, clocks;
  for (int run = 0; run < runs; ++run) {
    CHECK(cudaMemset(with.flush, run, with.flush_bytes));
    Work work = {of.access, kNone, with.data, of.slice, of.rounds, chain};
    if (of.warm) access_beside<<<of.ctas, kThreads>>>(work, with.times, with.sink);
    work.beside = beside;
    access_beside<<<of.ctas, kThreads>>>(work, with.times, with.sink);
    CHECK(cudaDeviceSynchronize());
    std::vector<Times> times(of.ctas);
    CHECK(cudaMemcpy(times.data(), with.times, times.size() * sizeof(Times), cudaMemcpyDeviceToHost));
    Times most = {};
    double mhz = 0;
    for (const Times& cta : times) {
      most = {std::max(most.cycles, cta.cycles), std::max(most.ns, cta.ns)};
      mhz += (double)cta.cycles / cta.ns * 1000 / of.ctas;
    }
    cycles.push_back(most.cycles);
    rates.push_back(bytes / most.ns);
    clocks.push_back(mhz);
  }
  std::printf("%s,%d,%s,%.0f,", of.what, of.ctas, kBesideNames[beside], median(cycles));
  if (of.access == kChase)
    std::printf("%.1f,,,", median(cycles) / of.rounds);
  else
    std::printf(",%.1f,%.2f,", bytes / median(cycles), median(rates));
  std::printf("%.2f\n", median(clocks));
  std::fflush(stdout);
}
Case made_small(Case of) {
  if (of.access == kChase)
    of.rounds = 200;
  else if (of.rounds > 1)
    of.rounds /= 16;
  else
    of.slice = std::max<size_t>(of.slice / 16, kRowBytes * kRowsAtOnce);
  return of;
}
int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
  const size_t data_bytes = kCtas * 16 * kMiB / (quick ? 16 : 1);
  Buffers with;
  with.flush_bytes = 256 * kMiB;
  CHECK(cudaMalloc(&with.data, data_bytes));
  CHECK(cudaMemset(with.data, 0, data_bytes));
  CHECK(cudaMalloc(&with.flush, with.flush_bytes));
  CHECK(cudaMalloc(&with.sink, kCtas * kThreads * sizeof(float)));
  CHECK(cudaMalloc(&with.times, kCtas * sizeof(Times)));
  with.chain_l2 = make_chain(8 * kMiB);
  with.chain_dram = make_chain(quick ? 64 * kMiB : 1024 * kMiB);
  std::printf("what,ctas,beside,cycles,cycles_per_load,bytes_per_cycle,bytes_per_ns,mhz\n");
  for (const Case& of : {Case{"read_l2", kRead, 176 * kKiB, 40, kCtas, true},
                         {"read_dram", kRead, 16 * kMiB, 1, kCtas, false},
                         {"store_l2", kStore, 128 * kKiB, 40, kCtas, true},
                         {"store_dram", kStore, 16 * kMiB, 1, kCtas, false},
                         {"store_64MiB", kStore, 512 * kKiB, 1, kCtas, false},
                         {"read_24MiB_cold", kRead, 176 * kKiB, 1, kCtas, false},
                         {"chase_l2", kChase, 0, 4000, kCtas, true},
                         {"chase_dram", kChase, 0, 4000, kCtas, false},
                         {"chase_l2", kChase, 0, 4000, 1, true},
                         {"chase_dram", kChase, 0, 4000, 1, false}})
    for (Beside beside : {kNone, kFfma, kMma}) print_row(with, quick ? made_small(of) : of, beside, quick ? 1 : 9);
}
