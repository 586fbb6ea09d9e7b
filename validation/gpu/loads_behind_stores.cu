// SPDX-License-Identifier: Apache-2.0
// What a single load waits for behind bursts of stores: every so many clocks most CTAs, one an SM, store a number of
// KiB all at one time; one warp of each then loads one line after the other, at times of CTAs that store nothing, too.
// The rows of measured/*/loads_behind_stores.csv; the same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/loads_behind_stores.cu -o loads_behind_stores &&
//   ./loads_behind_stores
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "validation/gpu/checked_call.h"

constexpr int kCtas = 132, kRounds = 16, kProbes = 48, kQuiet = 4, kBin = 500, kBins = 24, kPeriod = 12000;

/// A CTA of 256 threads, of which the last warp loads; those from `storing` on store nothing.
/// `hot`: from 128 KiB that all load again and again; else each line once. `places`: rounds of places that are stored
/// to.
__global__ void __launch_bounds__(288, 1) stores_and_loads(std::uint8_t* to, const std::uint8_t* from, uint2* seen,
                                                           int kib, int places, int hot, int storing, unsigned* count) {
  const unsigned warp = threadIdx.x / 32, cta = blockIdx.x;
  if (threadIdx.x == 0) meet(count);
  __syncthreads();
  const unsigned begin = read_clock();
  unsigned last = 0;
  for (int r = 0; r < kRounds; ++r) {
    const unsigned burst = begin + static_cast<unsigned>(r * kPeriod);
    spin(begin, static_cast<unsigned>(r * kPeriod));
    if (warp < 8) {
      std::uint8_t* const own =
          to + (static_cast<std::size_t>(r % places) * kCtas + cta) * static_cast<unsigned>(kib) * 1024 +
          threadIdx.x * 16;
      if (static_cast<int>(cta) < storing) {
        for (int i = 0; i < kib / 4; ++i)
          asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(own + i * 4096), "r"(cta) : "memory");
      }
    } else {
      for (int i = 0; i < kProbes; ++i) {
        const unsigned number = (static_cast<unsigned>(r * kProbes + i) * kCtas + cta);
        const unsigned line = hot ? number * 2654435761u >> 22 : number;
        const TimedLoad load = load_line(from, line, last);
        if (threadIdx.x % 32 == 0) seen[number] = make_uint2(load.start - burst, load.stop - load.start);
        if (load.stop - burst > kPeriod - 2000) break;
      }
    }
    __syncthreads();
  }
}

int main() {
  std::uint8_t *to = nullptr, *from = nullptr;
  unsigned* count = nullptr;
  uint2* seen = nullptr;
  constexpr std::size_t kProbed = static_cast<std::size_t>(kCtas) * kRounds * kProbes, kTo = std::size_t{256} << 20,
                        kFrom = std::size_t{128} << 20;
  CHECK(cudaMalloc(&to, kTo));
  CHECK(cudaMalloc(&from, kFrom));
  CHECK(cudaMalloc(&count, sizeof(unsigned)));
  CHECK(cudaMalloc(&seen, kProbed * sizeof(uint2)));
  CHECK(cudaMemset(to, 0, kTo));
  CHECK(cudaMemset(from, 0, kFrom));
  std::printf("kib,written_back,hot,stores,since,loads,cycles\n");
  std::vector<uint2> got(kProbed);
  for (const int kib : {0, 16, 64}) {
    for (const bool written : {false, true}) {
      for (const bool hot : {true, false}) {
        if (kib == 0 && written) continue;
        for (int i = 0; i < 2; ++i) {
          CHECK(cudaMemset(count, 0, sizeof(unsigned)));
          CHECK(cudaMemset(seen, 0, kProbed * sizeof(uint2)));
          stores_and_loads<<<kCtas, 288>>>(to, from + (hot ? 0 : (i + 1) * (kFrom / 4)), seen, kib,
                                           written ? kRounds : 1, hot, kCtas - kQuiet, count);
          CHECK(cudaDeviceSynchronize());
        }
        CHECK(cudaMemcpy(got.data(), seen, kProbed * sizeof(uint2), cudaMemcpyDeviceToHost));
        for (const bool stores : {true, false}) {
          double cycles[kBins] = {};
          int loads[kBins] = {};
          for (std::size_t n = kProbed / kRounds * (kRounds / 4); n < kProbed; ++n) {
            if (got[n].y == 0 || (static_cast<int>(n % kCtas) < kCtas - kQuiet) != stores) continue;
            const unsigned bin = got[n].x / kBin;
            if (bin >= kBins) continue;
            cycles[bin] += got[n].y;
            ++loads[bin];
          }
          for (int bin = 0; bin < kBins; ++bin) {
            if (loads[bin] != 0)
              std::printf("%d,%d,%d,%d,%d,%d,%.0f\n", kib, written, hot, stores, bin * kBin, loads[bin],
                          cycles[bin] / loads[bin]);
          }
        }
      }
    }
  }
  return 0;
}
