// SPDX-License-Identifier: Apache-2.0
// Which lines of global memory share a unit of L2 that works on atomics: the rows of measured/*/atomic_units.csv.
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. validation/gpu/atomic_units.cu -o atomic_units && ./atomic_units
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "validation/gpu/checked_call.h"

__device__ void reduce(std::uint8_t* at) { asm volatile("red.global.inc.u32 [%0], 16;" ::"l"(at) : "memory"); }

/// The longest time in which a warp gets `count` reductions at each of two places done, in turn.
__global__ void take_turns(std::uint8_t* first, std::uint8_t* second, int count, unsigned* longest) {
  const unsigned start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    reduce(first);
    reduce(second);
  }
  __threadfence();
  const unsigned stop = read_clock();
  if (threadIdx.x % 32 == 0) atomicMax(longest, stop - start);
}

constexpr std::size_t kLine = 128, kLines = 4096, kPage = std::size_t{2} << 20;

class Memory {
 public:
  Memory() {
    CHECK(cudaMalloc(&data_, 2 * kPage));
    CHECK(cudaMalloc(&times_, kLines * sizeof(unsigned)));
    CHECK(cudaMemset(data_, 0, 2 * kPage));
    const auto address = reinterpret_cast<std::uintptr_t>(data_);
    data_ += (address + kPage - 1) / kPage * kPage - address;
  }
  /// Of `line` with each of the others.
  std::vector<unsigned> times(std::size_t line, const std::vector<std::size_t>& others) {
    CHECK(cudaMemset(times_, 0, kLines * sizeof(unsigned)));
    for (std::size_t i = 0; i < others.size(); ++i) {
      take_turns<<<8, 128>>>(data_ + line * kLine, data_ + others[i] * kLine, 8, times_ + i);
    }
    std::vector<unsigned> got(others.size());
    CHECK(cudaMemcpy(got.data(), times_, got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return got;
  }

 private:
  std::uint8_t* data_ = nullptr;
  unsigned* times_ = nullptr;
};

int main() {
  std::printf("what,bytes,value\n");
  std::uintptr_t first = 0;
  for (const std::size_t bytes : {2048, 32, 8, 4096, 32, 32, 24, 8, 16384, 4, 12000, 4096}) {
    void* pointer = nullptr;
    CHECK(cudaMalloc(&pointer, bytes));
    if (first == 0) first = reinterpret_cast<std::uintptr_t>(pointer);
    std::printf("buffer,%zu,%zu\n", bytes, static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(pointer) - first));
  }
  Memory memory;
  std::vector<std::size_t> open(kLines);
  for (std::size_t i = 0; i < kLines; ++i) open[i] = i;
  memory.times(0, {0, 0, 0});
  const unsigned shared = memory.times(0, {0, 0})[1];
  const std::vector<unsigned> near = memory.times(0, {open.begin(), open.begin() + 32});
  for (std::size_t i = 0; i < near.size(); ++i) std::printf("pair,%zu,%u\n", i * kLine, near[i]);
  std::vector<int> set(kLines);
  for (int number = 0; !open.empty(); ++number) {
    const std::vector<unsigned> times = memory.times(open[0], open);
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (i == 0 || times[i] > shared * 3 / 4)
        set[open[i]] = number;
      else
        rest.push_back(open[i]);
    }
    open = rest;
  }
  for (std::size_t i = 0; i < kLines; ++i) std::printf("line,%zu,%d\n", i * kLine, set[i]);
}
