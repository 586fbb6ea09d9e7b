// SPDX-License-Identifier: Apache-2.0
// Launches whose warps access memory or not, for a profiler: the rows of measured/*/ends.csv are medians of four.
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. validation/gpu/launch_ends.cu -o launch_ends
//   ncu --clock-control none --cache-control all --metrics sm__cycles_elapsed.max,sm__cycles_active.max ./launch_ends
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#include "validation/gpu/checked_call.h"

namespace {

__device__ __forceinline__ void read(const unsigned* place) {
  unsigned value;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
  if (value == 0x9E3779B9u) __trap();
}
__device__ __forceinline__ unsigned own() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void k_empty() {}
__global__ void k_spin(unsigned*, unsigned cycles) { spin(read_clock(), cycles); }
__global__ void k_load(unsigned* data, unsigned cycles) {
  read(data + own());
  spin(read_clock(), cycles);
}
__global__ void k_store(unsigned* data, unsigned cycles) {
  data[own()] = 1;
  spin(read_clock(), cycles);
}
__global__ void k_late_load(unsigned* data, unsigned cycles) {
  spin(read_clock(), cycles);
  read(data + own());
}
__global__ void k_late_store(unsigned* data, unsigned cycles) {
  spin(read_clock(), cycles);
  data[own()] = 1;
}
__global__ void k_both(unsigned* data, unsigned cycles) {
  read(data + own());
  spin(read_clock(), cycles);
  data[own()] = 1;
}
__global__ void k_atomic(unsigned* data, unsigned cycles) {
  atomicAdd(data + own(), 1u);
  spin(read_clock(), cycles);
}
__global__ void k_shared(unsigned*, unsigned cycles) {
  extern __shared__ unsigned words[];
  words[threadIdx.x] = cycles;
  __syncthreads();
  spin(read_clock(), cycles);
  if (words[threadIdx.x ^ 1] == 0x9E3779B9u) __trap();
}
__global__ void k_one_store(unsigned* data, unsigned cycles) {
  spin(read_clock(), cycles);
  if (threadIdx.x == 0) data[blockIdx.x] = 1;
}

/// Each kernel four times for each number of cycles.
void launch_all(unsigned* data, unsigned ctas, unsigned threads) {
  constexpr int kTimes = 4;
  using Kernel = void (*)(unsigned*, unsigned);
  const Kernel kernels[] = {k_spin, k_load,   k_store,  k_late_load, k_late_store,
                            k_both, k_atomic, k_shared, k_one_store};
  for (int i = 0; i < kTimes; ++i) k_empty<<<ctas, threads>>>();
  for (const unsigned cycles : {0u, 700u, 1500u, 3000u}) {
    for (int i = 0; i < kTimes; ++i) {
      for (const Kernel kernel : kernels) kernel<<<ctas, threads, kernel == k_shared ? 4096 : 0>>>(data, cycles);
    }
  }
}

}  // namespace

int main() {
  unsigned* data = nullptr;
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  CHECK(cudaMalloc(&data, kBytes));
  CHECK(cudaMemset(data, 0, kBytes));
  for (const unsigned ctas : {1u, 4u, 24u, 132u}) {
    for (const unsigned warps : {1u, 8u}) launch_all(data, ctas, 32 * warps);
  }
  CHECK(cudaDeviceSynchronize());
}
