// SPDX-License-Identifier: Apache-2.0
// Reductions as the ends of GEMM kernels make them, each warp at words of its own: no lane meets another.
//   micro_pattern_<type>_<lanes>(Interval* out, uint8* data, int count), type u32 or f32
//   lanes: fragment: as an accumulator of m16n8 lies, four lanes at every second word of a sector, eight rows
//          sectors:  eight lanes at a sector, four rows
//          line:     32 lanes at a line
// A CTA of four warps adds to 128 rows of 128 words, which are 2560 bytes apart. Operations count instructions.
#include "micro_common.cuh"

enum class Lanes { fragment, sectors, line };
constexpr int kRowWords = 640;

template <class T, Lanes kLanes>
__device__ __forceinline__ void add_all(Interval* out, std::uint8_t* data, int count) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = kLanes == Lanes::fragment ? lane / 4 : kLanes == Lanes::sectors ? lane / 8 : 0;
  const int column = kLanes == Lanes::fragment ? lane % 4 * 2 : kLanes == Lanes::sectors ? lane % 8 : lane;
  T* const words =
      reinterpret_cast<T*>(data) + (static_cast<std::int64_t>(blockIdx.x) * 128 + warp * 32 + row) * kRowWords + column;
  __syncthreads();
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; i += 16) {
    T* const block = words + i / 16 % 4 * 32;
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      const int down = kLanes == Lanes::fragment ? j % 2 * 8 : kLanes == Lanes::sectors ? j % 4 * 4 : j;
      const int right = kLanes == Lanes::fragment ? j / 4 * 8 + j / 2 % 2 : kLanes == Lanes::sectors ? j / 4 * 8 : 0;
      atomicAdd(block + down * kRowWords + right, T{1});
    }
  }
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), 0);
}

#define PATTERN(type, word, lanes)                                                                          \
  extern "C" __global__ void micro_pattern_##type##_##lanes(Interval* out, std::uint8_t* data, int count) { \
    add_all<word, Lanes::lanes>(out, data, count);                                                          \
  }
PATTERN(u32, std::uint32_t, fragment)
PATTERN(u32, std::uint32_t, sectors)
PATTERN(u32, std::uint32_t, line)
PATTERN(f32, float, fragment)
PATTERN(f32, float, sectors)
PATTERN(f32, float, line)
