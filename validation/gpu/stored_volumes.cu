// SPDX-License-Identifier: Apache-2.0
// What is written to device memory of volumes that are stored between others that are read: the launches of
// measured/*/stored_volumes.csv, which `validation/gpu/stored_volumes.py` counts.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/stored_volumes.cu -o stored_volumes &&
//   validation/gpu/stored_volumes.py ./stored_volumes stored_volumes.csv
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#include "validation/gpu/checked_call.h"

constexpr std::uint64_t kMib = 1 << 20, kApart = 128 * kMib;
constexpr int kThreads = 1024;
constexpr std::uint64_t kChunk = kThreads * 16;

/// All threads of the launch wait for one another.
__device__ void meet_all(unsigned* count) {
  __syncthreads();
  if (threadIdx.x == 0) meet(count);
  __syncthreads();
}

/// `mib` MiB: of all CTAs together in chunks, one after the other, or by every CTA all of it.
__device__ unsigned read(const std::uint8_t* from, int mib, bool by_all) {
  unsigned keep = 0;
  const std::uint64_t rank = by_all ? 0 : blockIdx.x, ranks = by_all ? 1 : gridDim.x;
  for (std::uint64_t at = rank * kChunk; at < mib * kMib; at += ranks * kChunk) {
    unsigned r[4];
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(from + at + threadIdx.x * 16)
                 : "memory");
    keep ^= r[0] ^ r[1] ^ r[2] ^ r[3];
  }
  return keep;
}

/// Whole lines in the order of their addresses.
__device__ void store_lines(std::uint8_t* to, int mib, unsigned value) {
  for (std::uint64_t at = blockIdx.x * kChunk; at < mib * kMib; at += gridDim.x * kChunk) {
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to + at + threadIdx.x * 16), "r"(value) : "memory");
  }
}

/// Tiles of 128 rows of 512 bytes of a matrix with rows of 8 KiB, as matrix instructions leave them: 32 bytes of each
/// of eight rows at a time.
__device__ void store_tiles(std::uint8_t* to, int mib, unsigned value) {
  constexpr std::uint64_t kRow = 8192, kTile = 512;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned tile = blockIdx.x; tile < static_cast<unsigned>(mib) * 16; tile += gridDim.x) {
    std::uint8_t* const first = to + tile / 16 * 128 * kRow + tile % 16 * kTile;
    std::uint8_t* const own = first + (warp % 16 * 8 + lane / 4) * kRow + warp / 16 * (kTile / 2) + lane % 4 * 8;
    for (int i = 0; i < 8; ++i) {
      asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(own + i * 32), "r"(value) : "memory");
    }
  }
}

struct Volumes {
  int first, first_by_all, stored, tiles, last, last_by_all;  // MiB, 1 or 0
};

/// `counts`: two zeros, and whatever is read.
__global__ void volumes(std::uint8_t* data, Volumes of, unsigned* counts) {
  unsigned keep = read(data, of.first, of.first_by_all != 0);
  meet_all(counts);
  if (of.tiles != 0) {
    store_tiles(data + kApart, of.stored, keep);
  } else {
    store_lines(data + kApart, of.stored, keep);
  }
  meet_all(counts + 1);
  keep ^= read(data + 2 * kApart, of.last, of.last_by_all != 0);
  if (keep == 0x12345) counts[2] = keep;
}

int main() {
  std::uint8_t* data = nullptr;
  unsigned* counts = nullptr;
  constexpr std::size_t kCountBytes = 3 * sizeof *counts;
  CHECK(cudaMalloc(&data, 3 * kApart));
  CHECK(cudaMalloc(&counts, kCountBytes));
  CHECK(cudaMemset(data, 0, 3 * kApart));
  cudaDeviceProp gpu;
  CHECK(cudaGetDeviceProperties(&gpu, 0));
  const auto launch = [&](const Volumes& of) {
    CHECK(cudaMemset(counts, 0, kCountBytes));
    volumes<<<gpu.multiProcessorCount, kThreads>>>(data, of, counts);
    CHECK(cudaDeviceSynchronize());
    std::printf("point %d,%d,%d,%s,%d,%d\n", of.first, of.first_by_all, of.stored, of.tiles != 0 ? "tiles" : "lines",
                of.last, of.last_by_all);
  };
  for (int tiles = 0; tiles < 2; ++tiles) {
    for (int stored = 12; stored <= 44; stored += 4) launch({0, 0, stored, tiles, 0, 0});
    for (int first = 4; first <= 28; first += 4) launch({first, 1, 16, tiles, 0, 0});
    for (int first = 8; first <= 44; first += 6) launch({first, 0, 16, tiles, 0, 0});
    for (int last = 4; last <= 36; last += 4) launch({0, 0, 16, tiles, last, 1});
    for (int last = 8; last <= 64; last += 8) launch({0, 0, 8, tiles, last, 0});
    for (int last = 8; last <= 64; last += 8) launch({0, 0, 16, tiles, last, 0});
    for (int last = 4; last <= 32; last += 4) launch({0, 0, 32, tiles, last, 0});
  }
}
