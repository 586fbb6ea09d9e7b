// SPDX-License-Identifier: Apache-2.0
// Loads of all SMs at one time behind stores of all: every so many clocks each CTA, one an SM, stores a number of KiB
// and then copies 32 KiB to shared memory. The rows of measured/*/loads_together_behind_stores.csv; the same program
// runs under `stcsim exec`.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/loads_together_behind_stores.cu
//   ./a.out [KIB [LAUNCHES]]   (only bursts of so many KiB; the last of so many launches, 3 if not given, counts)
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "validation/gpu/checked_call.h"

constexpr int kCtas = 132, kThreads = 256, kRounds = 24, kLoaded = 32 << 10, kHotParts = 128;

/// cycles[round * kCtas + CTA]: from the first copy to the last one's data, `since` clocks behind the last store.
extern "C" __global__ void __launch_bounds__(kThreads)
    together(std::uint8_t* stored, const std::uint8_t* loaded, int hot, int kib, int since, int period,
             unsigned* cycles) {
  extern __shared__ __align__(128) std::uint8_t shared[];
  const unsigned thread = threadIdx.x, begin = read_clock();
  const auto target = static_cast<unsigned>(__cvta_generic_to_shared(shared)) + thread * 16;
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t part = static_cast<std::size_t>(round) * kCtas + blockIdx.x;
    std::uint8_t* const to = stored + part * kib * 1024 + thread * 16;
    for (int i = 0; i < kib * 1024; i += kThreads * 16) store<16>(to + i, thread);
    __syncthreads();
    spin(read_clock(), since);
    __syncthreads();
    const std::size_t from_part = hot ? (round * 7 + blockIdx.x) % kHotParts : part;
    const std::uint8_t* const from = loaded + from_part * kLoaded + thread * 16;
    const unsigned start = read_clock();
#pragma unroll
    for (int i = 0; i < kLoaded; i += kThreads * 16) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target + i), "l"(from + i) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (thread == 0) cycles[part] = read_clock() - start;
    spin(begin, period * (round + 1));
    __syncthreads();
  }
}

int main(int argc, char** argv) {
  constexpr std::size_t kParts = static_cast<std::size_t>(kRounds) * kCtas;
  std::uint8_t *stored, *loaded;
  unsigned* cycles;
  CHECK(cudaMalloc(&stored, kParts * (64 << 10)));
  CHECK(cudaMalloc(&loaded, kParts * kLoaded));
  CHECK(cudaMalloc(&cycles, kParts * sizeof(unsigned)));
  CHECK(cudaMemset(stored, 0, kParts * (64 << 10)));
  CHECK(cudaMemset(loaded, 0, kParts * kLoaded));
  CHECK(cudaFuncSetAttribute(together, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));  // one CTA an SM
  const int launches = argc > 2 ? std::atoi(argv[2]) : 3;
  std::printf("kib,hot,since,cycles\n");
  for (int kib : {0, 16, 64}) {
    if (argc > 1 && std::atoi(argv[1]) != kib) continue;
    for (int hot : {1, 0}) {
      for (int since : {0, 500, 1000, 2000, 4000}) {
        for (int i = 0; i < launches; ++i) {
          together<<<kCtas, kThreads, 100000>>>(stored, loaded, hot, kib, since, kib == 64 ? 10000 : 8000, cycles);
          CHECK(cudaDeviceSynchronize());
        }
        std::vector<unsigned> all(kParts);
        CHECK(cudaMemcpy(all.data(), cycles, kParts * sizeof(unsigned), cudaMemcpyDeviceToHost));
        const double sum = std::accumulate(all.begin() + kParts / 2, all.end(), 0.0);
        std::printf("%d,%d,%d,%.0f\n", kib, hot, since, sum / (kParts / 2));
      }
    }
  }
}
