// SPDX-License-Identifier: Apache-2.0
// Constant memory whose index the compiler does not know: what an access costs when lanes agree and when they do not,
// and what the caches of constants hold.
//   micro_constant_chase(Interval* out, int words, int step, int lane_words, int count)
//   words: of the table that are visited, a power of two; step: words between one access and the next, which needs its
//   value; lane_words: between the words of two lanes.
#include "micro_common.cuh"

__constant__ std::uint32_t constant_table[16384];  // zeros

extern "C" __global__ void micro_constant_chase(Interval* out, int words, int step, int lane_words, int count) {
  const std::uint32_t mask = static_cast<std::uint32_t>(words) - 1;
  std::uint32_t place = (threadIdx.x % 32) * static_cast<std::uint32_t>(lane_words) & mask;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) place = (place + static_cast<std::uint32_t>(step) + constant_table[place]) & mask;
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), place * 0x9E3779B9u);
}
