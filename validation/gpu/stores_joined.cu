// SPDX-License-Identifier: Apache-2.0
// What warps of one SM take that store to parts of the same lines of global memory again and again: the rows of
// measured/*/stores_joined.csv. The same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/stores_joined.cu -o stores_joined &&
//   ./stores_joined
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "validation/gpu/checked_call.h"

constexpr int kStores = 256;

/// `kLanes` lanes store kBytes each to a line. Four stores go `step` bytes apart, the next four to the same places;
/// each warp to its own, or `together`. The second of two passes counts. `issued`: null, or when the last 16 stores
/// were; not asked for here, but without it other code is compiled than was measured.
template <int kLanes, int kBytes>
__global__ void again(std::uint8_t* data, unsigned* cycles, int step, int together, unsigned* issued) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  std::uint8_t* const own = data + (together ? 0 : warp * 8192) + lane / kLanes * 128 + lane % kLanes * kBytes;
  unsigned clocks[16];
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    const unsigned start = read_clock();
#pragma unroll 1
    for (int i = 0; i < kStores; i += 16) {
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        store<kBytes>(own + j % 4 * step, static_cast<unsigned>(j));
        if (issued != nullptr) clocks[j] = read_clock();
      }
    }
    if (lane == 0) cycles[warp] = read_clock() - start;
    if (issued != nullptr && pass == 1) {
      for (int j = 0; j < 16; ++j) issued[warp * 16 + j] = clocks[j];
    }
  }
}

template <int kLanes, int kBytes>
void measure(const char* what, std::uint8_t* data, unsigned* cycles, const std::vector<int>& steps) {
  constexpr int kLines = 32 / kLanes;
  for (const int step : steps) {
    for (const int together : {0, 1}) {
      for (const int warps : {1, 2, 4, 8, 16}) {
        if (together && warps == 1) continue;
        for (int i = 0; i < 3; ++i) again<kLanes, kBytes><<<1, warps * 32>>>(data, cycles, step, together, nullptr);
        std::vector<unsigned> got(static_cast<std::size_t>(warps));
        CHECK(cudaMemcpy(got.data(), cycles, got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        const unsigned longest = *std::max_element(got.begin(), got.end());
        std::printf("%s,%d,%d,%d,%d,%.2f\n", what, step, together, warps, together ? kLines : kLines * warps,
                    static_cast<double>(longest) / kStores);
      }
    }
  }
}

int main() {
  std::uint8_t* data = nullptr;
  unsigned* cycles = nullptr;
  CHECK(cudaMalloc(&data, 1 << 20));
  CHECK(cudaMalloc(&cycles, 32 * sizeof(unsigned)));
  CHECK(cudaMemset(data, 0, 1 << 20));
  std::printf("what,step,together,warps,lines,cycles\n");
  measure<4, 8>("sector", data, cycles, {0, 32});
  measure<4, 4>("half_sector", data, cycles, {0, 16, 32});
  measure<8, 8>("two_sectors", data, cycles, {0});
  measure<8, 16>("lines_16", data, cycles, {0});
  measure<16, 8>("lines_8", data, cycles, {0});
  measure<32, 4>("lines_4", data, cycles, {0});
  measure<1, 4>("word", data, cycles, {0});
  measure<8, 4>("sector_4", data, cycles, {0, 32});
  measure<16, 4>("two_sectors_4", data, cycles, {0});
}
