// SPDX-License-Identifier: Apache-2.0
// What warps of one SM take that store to the same lines of global memory again and again: the rows of
// measured/*/stores_repeated.csv. The same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/stores_repeated.cu -o stores_repeated &&
//   ./stores_repeated
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "validation/gpu/checked_call.h"

constexpr int kWarps = 32, kStores = 256;

/// Each warp stores kBytes a lane `kStores` times, to places of its own of which `mask` + 32 kBytes bytes are
/// different. The second of two passes counts.
template <int kBytes>
__global__ void again(std::uint8_t* data, unsigned* cycles, unsigned mask, unsigned warp_bytes) {
  const unsigned warp = threadIdx.x / 32;
  std::uint8_t* const own = data + warp * warp_bytes + threadIdx.x % 32 * kBytes;
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    const unsigned start = read_clock();
#pragma unroll 1
    for (unsigned i = 0; i < kStores; i += 16) {
#pragma unroll
      for (unsigned j = 0; j < 16; ++j) store<kBytes>(own + (((i + j) * kBytes * 32) & mask), i + j);
    }
    if (threadIdx.x % 32 == 0) cycles[warp] = read_clock() - start;
  }
}

template <int kBytes>
void measure(std::uint8_t* data, unsigned* cycles, const std::vector<unsigned>& masks) {
  for (const int warps : {1, 2, 4, 8, 16}) {
    for (const unsigned mask : masks) {
      const unsigned warp_bytes = warps > 4 ? 8192 : 32768;
      for (int i = 0; i < 3; ++i) again<kBytes><<<1, warps * 32>>>(data, cycles, mask, warp_bytes);
      std::vector<unsigned> got(static_cast<std::size_t>(warps));
      CHECK(cudaMemcpy(got.data(), cycles, got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
      const unsigned longest = *std::max_element(got.begin(), got.end());
      std::printf("%d,%d,%d,%.2f\n", kBytes, warps, warps * static_cast<int>(mask + kBytes * 32) / 128,
                  static_cast<double>(longest) / kStores);
    }
  }
}

int main() {
  std::uint8_t* data = nullptr;
  unsigned* cycles = nullptr;
  CHECK(cudaMalloc(&data, 32768 * kWarps));
  CHECK(cudaMalloc(&cycles, kWarps * sizeof(unsigned)));
  CHECK(cudaMemset(data, 0, 32768 * kWarps));
  std::printf("bytes,warps,lines,cycles\n");
  measure<4>(data, cycles, {0, 128, 384, 896, 3968});
  measure<8>(data, cycles, {0, 1792, 3840});
  measure<16>(data, cycles, {0, 512, 1536, 3584});
}
