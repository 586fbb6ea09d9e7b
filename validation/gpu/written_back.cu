// SPDX-License-Identifier: Apache-2.0
// What has L2 write stored lines to device memory: 36 MiB are stored, then other lines or the same are used, at once or
// after a while. ncu counts what each launch of `stored_and_used` writes: measured/*/written_back.csv.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/written_back.cu -o written_back &&
//   ncu --clock-control none --cache-control none -k stored_and_used --metrics dram__bytes_write.sum ./written_back
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#include "validation/gpu/checked_call.h"

enum Use { kHits, kMisses, kStores, kStored, kFew };
constexpr const char* kNames[] = {"hits", "misses", "stores", "stored", "few"};
constexpr std::size_t kMib = 1 << 20, kVolume = 36 * kMib, kPieces = kVolume / 16;

__global__ void read_all(const uint4* from, std::size_t pieces, unsigned* keep) {
  unsigned all = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < pieces; i += gridDim.x * blockDim.x)
    all ^= __ldcg(from + i).x;
  if (all == 77) *keep = all;
}

__global__ void __launch_bounds__(256, 1)
    stored_and_used(uint4* to, const uint4* from, Use use, int kib, unsigned wait, unsigned* keep, unsigned* count) {
  const std::size_t first = blockIdx.x * 256 + threadIdx.x, apart = gridDim.x * 256;
  for (std::size_t i = first; i < kPieces; i += apart) to[i] = make_uint4(1, 2, 3, 4);
  __syncthreads();
  if (threadIdx.x == 0) meet(count);
  __syncthreads();
  spin(read_clock(), wait);
  unsigned all = 0;
  for (std::size_t i = first; i < static_cast<std::size_t>(kib) * 1024 / 16; i += apart) {
    if (use == kHits) all ^= __ldcg(from + i % (4 * kMib / 16)).x;
    if (use == kMisses) all ^= __ldcg(from + 16 * kMib / 16 + i).x;
    if (use == kStores) to[kPieces - 1 - i % (16 * kMib / 16)] = make_uint4(4, 3, 2, 1);
    if (use == kStored) all ^= __ldcg(to + kPieces - 1 - i % (4 * kMib / 16)).x;
    if (use == kFew) all ^= __ldcg(from + i % (64 * 8)).x;
  }
  if (all == 77) *keep = all;
}

int main() {
  constexpr std::size_t kFrom = 256 * kMib;
  uint4 *to = nullptr, *from = nullptr;
  unsigned *keep = nullptr, *count = nullptr;
  CHECK(cudaMalloc(&to, kVolume));
  CHECK(cudaMalloc(&from, kFrom));
  CHECK(cudaMalloc(&keep, sizeof(unsigned)));
  CHECK(cudaMalloc(&count, sizeof(unsigned)));
  CHECK(cudaMemset(from, 0, kFrom));
  std::printf("use,wait,kib\n");
  for (const unsigned wait : {0, 8000}) {
    for (const Use use : {kHits, kMisses, kStores, kStored, kFew}) {
      for (const int kib : {0, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536}) {
        if (wait != 0 && (kib < 256 || kib > 8192)) continue;
        read_all<<<264, 512>>>(from, kFrom / 16, keep);     // nothing stored is left in L2,
        read_all<<<132, 512>>>(from, 4 * kMib / 16, keep);  // and of these all
        CHECK(cudaMemset(count, 0, sizeof(unsigned)));
        stored_and_used<<<132, 256>>>(to, from, use, kib, wait, keep, count);
        CHECK(cudaDeviceSynchronize());
        std::printf("%s,%u,%d\n", kNames[use], wait, kib);
      }
    }
  }
}
