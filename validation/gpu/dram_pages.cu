// SPDX-License-Identifier: Apache-2.0
// Loads of lines that were dropped from L2 before: on which side of L2 the first buffers of a process lie, and when
// pages of device memory are refreshed. The rows of measured/*/sides.csv and refresh.csv.
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. validation/gpu/dram_pages.cu -o dram_pages
//   ./dram_pages sides && ./dram_pages refresh
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "validation/gpu/checked_call.h"

namespace {

constexpr unsigned kNever = 0x9E3779B9u;  // no word of the buffers: whoever tests for it waits for the load

__device__ __forceinline__ long long read_clock64() {
  long long value;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
  return value;
}
__device__ __forceinline__ void drop(const std::uint8_t* line) {
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(line) : "memory");
}
__device__ __forceinline__ void load(const std::uint8_t* place) {
  unsigned value;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
  if (value == kNever) __trap();
}
__device__ __forceinline__ std::uint64_t draw(std::uint64_t& x) {
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x >> 11;
}

constexpr int kChunks = 16, kChunk = 4096, kTimes = 12;

/// CTA `who` loads lines of each chunk; the shortest time of each, then its SM.
__global__ void sides(std::uint8_t* data, unsigned* out, unsigned who) {
  if (blockIdx.x != who || threadIdx.x != 0) return;
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    unsigned best = ~0u;
    for (int i = 0; i < kTimes; ++i) {
      std::uint8_t* const line = data + chunk * kChunk + i * 128;
      drop(line);
      __threadfence();
      const long long start = read_clock64();
      load(line);
      best = min(best, static_cast<unsigned>(read_clock64() - start));
    }
    out[chunk] = best;
  }
  asm("mov.u32 %0, %%smid;" : "=r"(out[kChunks]));
}

struct Late {
  unsigned page;
  long long arrived;
};
constexpr unsigned kLate = 850, kLongest = 1400, kPages = 1024, kMost = 1 << 18;

/// One thread loads from pages drawn by chance; those that came late are kept.
__global__ void visit(std::uint8_t* data, int visits, Late* late, unsigned* kept) {
  std::uint64_t x = 88172645463325252ull;
  unsigned count = 0;
  for (int i = 0; i < visits; ++i) {
    const auto page = static_cast<unsigned>(draw(x) % kPages);
    std::uint8_t* const line = data + page * std::uint64_t{1024};
    drop(line);
    __threadfence();
    const long long start = read_clock64();
    load(line);
    const long long stop = read_clock64();
    const auto took = static_cast<unsigned>(stop - start);
    if (took >= kLate && took < kLongest && count < kMost) late[count++] = {page, stop};
  }
  *kept = count;
}

/// The first lanes of a warp load from places a stride apart, the first drawn by chance.
__global__ void together(std::uint8_t* data, std::uint64_t bytes, std::uint64_t stride, int lanes, int visits,
                         unsigned* took) {
  std::uint64_t x = 88172645463325252ull + stride * 977 + static_cast<unsigned>(lanes);
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = 0; i < visits; ++i) {
    std::uint8_t* const place = data + draw(x) % (bytes / 4096 - 4096) * 4096 + lane * stride;
    if (lane < lanes) drop(place);
    __threadfence();
    __syncwarp();
    const long long start = read_clock64();
    if (lane < lanes) load(place);
    const long long stop = read_clock64();
    if (lane == 0) took[i] = static_cast<unsigned>(stop - start);
    __nanosleep(static_cast<unsigned>(x >> 40) % 2000);
  }
}

template <class T>
T* allocate(std::size_t count) {
  T* data = nullptr;
  CHECK(cudaMallocManaged(&data, count * sizeof(T)));
  return data;
}

void print_sides() {
  std::uint8_t *first = nullptr, *data = nullptr;
  unsigned* out = nullptr;
  CHECK(cudaMalloc(&first, 512));
  CHECK(cudaMalloc(&data, kChunks * kChunk));
  CHECK(cudaMalloc(&out, 256));
  CHECK(cudaMemset(data, 0, kChunks * kChunk));
  constexpr unsigned kCtas = 132;
  std::printf("process,sm,place,cycles\n");
  for (unsigned who = 0; who < kCtas; ++who) {
    unsigned got[kChunks + 1];
    sides<<<kCtas, 32>>>(data, out, who);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int chunk = 0; chunk < kChunks; ++chunk) std::printf("0,%u,%d,%u\n", got[kChunks], chunk * kChunk, got[chunk]);
  }
}

/// Of each page the sum of the angles at which its late loads arrive, a period being a whole turn.
std::vector<std::complex<double>> angles(const Late* late, unsigned count, double period) {
  std::vector<std::complex<double>> sums(kPages);
  constexpr double kTurn = 6.283185307179586;
  for (unsigned i = 0; i < count; ++i) {
    sums[late[i].page] +=
        std::polar(1.0, kTurn * std::fmod(static_cast<double>(late[i].arrived - late[0].arrived), period) / period);
  }
  return sums;
}

/// The period near `guess` at which the late loads of a page arrive at one angle.
double period_near(const Late* late, unsigned count, double guess, double reach, double step) {
  double best = guess, most = 0;
  for (double period = guess - reach; period <= guess + reach; period += step) {
    double sum = 0;
    for (const auto& angle : angles(late, count, period)) sum += std::abs(angle);
    if (sum > most) most = sum, best = period;
  }
  return best;
}

void print_refresh() {
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  constexpr int kVisits = 250000, kWarps = 1500;
  std::uint8_t* data = nullptr;
  CHECK(cudaMalloc(&data, kBytes));
  CHECK(cudaMemset(data, 0, kBytes));
  Late* const late = allocate<Late>(kMost);
  auto* const kept = allocate<unsigned>(1);
  auto* const took = allocate<unsigned>(kWarps);
  visit<<<1, 1>>>(data, kVisits, late, kept);
  CHECK(cudaDeviceSynchronize());
  const double coarse = period_near(late, std::min(*kept, 2000u), 3888, 60, 0.05);
  const double period = period_near(late, *kept, period_near(late, *kept, coarse, 0.5, 0.002), 0.004, 0.0001);
  std::printf("what,bytes,lanes,value\nperiod,0,1,%.3f\nlate,%d,1,%u\n", period, kVisits, *kept);
  const auto sums = angles(late, *kept, period);
  for (unsigned page = 0; page < kPages; ++page) {
    const double turn = std::arg(sums[page]) / 6.283185307179586;
    std::printf("phase,%u,1,%d\n", page * 1024, static_cast<int>((turn < 0 ? turn + 1 : turn) * period));
  }
  for (const std::uint64_t stride : {128, 512, 1024, 2048, 4096, 8192, 32768, 65536, 262144}) {
    for (const int lanes : {1, 2, 4, 8, 12, 16, 32}) {
      together<<<1, 32>>>(data, kBytes, stride, lanes, kWarps, took);
      CHECK(cudaDeviceSynchronize());
      double sum = 0;
      for (int i = 0; i < kWarps; ++i) sum += took[i];
      std::printf("together,%d,%d,%.1f\n", static_cast<int>(stride), lanes, sum / kWarps);
    }
  }
}

}  // namespace

int main(int count, char** words) {
  const bool wants_sides = count > 1 && std::strcmp(words[1], "sides") == 0;
  wants_sides ? print_sides() : print_refresh();
}
