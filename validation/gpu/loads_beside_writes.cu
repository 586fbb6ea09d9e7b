// SPDX-License-Identifier: Apache-2.0
// What loads wait for while L2 writes to device memory: 128 SMs store whole lines without end, at a pace or as fast as
// they can, to places that have long left L2; four others load one line after the other. The rows of
// measured/*/loads_beside_writes.csv; the same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/loads_beside_writes.cu -o loads_beside_writes &&
//   ./loads_beside_writes
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "validation/gpu/checked_call.h"

constexpr int kCtas = 132, kQuiet = 4, kStoring = kCtas - kQuiet, kProbes = 96, kStep = 4096;
constexpr unsigned kWarm = 10000, kEnd = 60000;
constexpr std::size_t kTo = std::size_t{1} << 30, kFrom = std::size_t{64} << 20, kRegion = 600064;

/// Each CTA that stores does so 4 KiB at a time, one every `period` clocks; 0: without a pause. Of a load: when it
/// began and what it took. `hot`: from 16 lines; else of each ninth one.
__global__ void __launch_bounds__(288, 1)
    stores_and_loads(std::uint8_t* to, const std::uint8_t* from, uint2* seen, unsigned* stored, unsigned period,
                     int hot, unsigned* count) {
  const unsigned warp = threadIdx.x / 32, cta = blockIdx.x;
  if (threadIdx.x == 0) meet(count);
  __syncthreads();
  const unsigned begin = read_clock();
  if (cta < kStoring && warp < 8) {
    const unsigned late = cta * 37 % kCtas * period / kCtas;
    for (unsigned i = 0;; ++i) {
      if (read_clock() - begin > kEnd) {
        if (threadIdx.x == 0) stored[cta] = i;
        break;
      }
      if (period != 0) spin(begin, late + i * period);
      const std::size_t at = ((static_cast<std::size_t>(i) * kStoring + cta) * kStep + threadIdx.x * 16) & (kTo - 1);
      asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(to + at), "r"(cta) : "memory");
    }
  } else if (cta >= kStoring && warp == 8) {
    unsigned last = 0;
    for (unsigned i = 0; i < kProbes; ++i) {
      const unsigned number = i * kQuiet + cta - kStoring;
      const unsigned line = hot ? number * 2654435761u >> 28 : number * 9;
      const TimedLoad load = load_line(from, line, last);
      if (threadIdx.x % 32 == 0) seen[number] = make_uint2(load.start - begin, load.stop - load.start);
      if (load.stop - begin > kEnd) break;
      spin(load.stop, 300);
    }
  }
}

int main() {
  std::uint8_t *to = nullptr, *from = nullptr;
  unsigned *stored = nullptr, *count = nullptr;
  uint2* seen = nullptr;
  constexpr int kSeen = kProbes * kQuiet;
  CHECK(cudaMalloc(&to, kTo));
  CHECK(cudaMalloc(&from, kFrom));
  CHECK(cudaMalloc(&stored, kStoring * sizeof(unsigned)));
  CHECK(cudaMalloc(&count, sizeof(unsigned)));
  CHECK(cudaMalloc(&seen, kSeen * sizeof(uint2)));
  CHECK(cudaMemset(from, 0, kFrom));
  CHECK(cudaMemset(to, 0, kTo));
  std::printf("bytes_asked,hot,bytes,loads,mean,p10,p50,p90\n");
  std::size_t launches = 0;
  for (const int hot : {1, 0}) {
    for (const unsigned period : {3200, 1600, 800, 400, 300, 260, 230, 215, 205, 190, 150, 0}) {
      for (int i = 0; i < 2; ++i) {
        CHECK(cudaMemset(count, 0, sizeof(unsigned)));
        CHECK(cudaMemset(seen, 0, kSeen * sizeof(uint2)));
        const std::size_t region = hot ? 0 : ++launches % 100 * kRegion;
        stores_and_loads<<<kCtas, 288>>>(to, from + region / 128 * 128, seen, stored, period, hot, count);
        CHECK(cudaDeviceSynchronize());
      }
      std::vector<unsigned> steps(kStoring);
      std::vector<uint2> got(kSeen);
      CHECK(cudaMemcpy(steps.data(), stored, steps.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
      CHECK(cudaMemcpy(got.data(), seen, got.size() * sizeof(uint2), cudaMemcpyDeviceToHost));
      double bytes = 0, sum = 0;
      for (const unsigned n : steps) bytes += static_cast<double>(n) * kStep;
      std::vector<unsigned> cycles;
      for (const uint2 one : got) {
        if (one.y != 0 && one.x > kWarm) cycles.push_back(one.y);
      }
      for (const unsigned one : cycles) sum += one;
      std::sort(cycles.begin(), cycles.end());
      const std::size_t n = cycles.size();
      if (n == 0) continue;
      std::printf("%u,%d,%.0f,%zu,%.0f,%u,%u,%u\n", period != 0 ? (kStoring * kStep + period / 2) / period : 0, hot,
                  bytes / kEnd, n, sum / static_cast<double>(n), cycles[n / 10], cycles[n / 2], cycles[n * 9 / 10]);
    }
  }
}
