// SPDX-License-Identifier: Apache-2.0
// Launch and dispatch of CTAs: every CTA records when and where it ran and stays for `spin` clocks.
// Per CTA eight words: start clock (2), stop clock (2), SM, CTA's own reading of globaltimer at start (2), 0.
#include "micro_common.cuh"

__device__ __forceinline__ std::uint64_t global_timer() {
  std::uint64_t value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}

extern "C" __global__ void micro_ctas(std::uint32_t* samples, int spin) {
  const std::uint64_t start = read_clock();
  const std::uint64_t begin = global_timer();
  __syncthreads();
  while (read_clock() - start < static_cast<std::uint64_t>(spin)) {
  }
  const std::uint64_t stop = read_clock();
  if (threadIdx.x != 0) return;
  std::uint32_t* mine = samples + static_cast<std::uint64_t>(blockIdx.x) * 8;
  mine[0] = static_cast<std::uint32_t>(start), mine[1] = static_cast<std::uint32_t>(start >> 32);
  mine[2] = static_cast<std::uint32_t>(stop), mine[3] = static_cast<std::uint32_t>(stop >> 32);
  mine[4] = sm_id();
  mine[5] = static_cast<std::uint32_t>(begin), mine[6] = static_cast<std::uint32_t>(begin >> 32);
  mine[7] = 0;
}

extern "C" __global__ void micro_empty() {}
