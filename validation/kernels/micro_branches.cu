// SPDX-License-Identifier: Apache-2.0
// What a taken branch, a divergent branch, a call and a nap cost.
//   micro_branch_<what>(Interval* out, int count)
#include "micro_common.cuh"

/// An empty loop: one taken branch and its count.
extern "C" __global__ void micro_branch_loop(Interval* out, int count) {
  std::uint32_t x = threadIdx.x;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) asm volatile("" : "+r"(x));
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), x);
}

/// Loops of kBody dependent additions.
template <int kBody>
__device__ __forceinline__ void loop_of(Interval* out, int count) {
  std::uint32_t x = threadIdx.x;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
#pragma unroll
    for (int k = 0; k < kBody; ++k) asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
  }
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), x);
}
extern "C" __global__ void micro_branch_loop_4(Interval* out, int count) { loop_of<4>(out, count); }
extern "C" __global__ void micro_branch_loop_8(Interval* out, int count) { loop_of<8>(out, count); }
extern "C" __global__ void micro_branch_loop_9(Interval* out, int count) { loop_of<9>(out, count); }
extern "C" __global__ void micro_branch_loop_16(Interval* out, int count) { loop_of<16>(out, count); }
extern "C" __global__ void micro_branch_loop_40(Interval* out, int count) { loop_of<40>(out, count); }

/// A branch inside a loop that `lanes` of 32 lanes take: none, all or some.
extern "C" __global__ void micro_branch_side(Interval* out, int lanes, int count) {
  std::uint32_t x = threadIdx.x;
  const bool taken = static_cast<int>(threadIdx.x % 32) < lanes;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    if (taken) {
#pragma unroll
      for (int k = 0; k < 12; ++k) asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
    } else {
#pragma unroll
      for (int k = 0; k < 12; ++k) asm volatile("mad.lo.u32 %0, %0, 5, 1;" : "+r"(x));
    }
  }
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), x);
}

/// A side that `lanes` of 32 lanes run and the others skip.
extern "C" __global__ void micro_branch_skip(Interval* out, int lanes, int count) {
  std::uint32_t x = threadIdx.x;
  const bool taken = static_cast<int>(threadIdx.x % 32) < lanes;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    if (taken) {
#pragma unroll
      for (int k = 0; k < 12; ++k) asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
    }
  }
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), x);
}

__device__ __noinline__ std::uint32_t leaf(std::uint32_t x) {
  asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
  return x;
}

extern "C" __global__ void micro_branch_call(Interval* out, int count) {
  std::uint32_t x = threadIdx.x;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) x = leaf(x);
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), x);
}

/// A jump through a table: `kinds` different targets within a warp.
extern "C" __global__ void micro_branch_table(Interval* out, int kinds, int count) {
  std::uint32_t x = threadIdx.x;
  const int kind = static_cast<int>(threadIdx.x % 32) % kinds;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
#define SIDE(n) \
  case n: _Pragma("unroll") for (int k = 0; k < 8; ++k) asm volatile("mad.lo.u32 %0, %0, " #n "3, 1;" : "+r"(x)); break
    switch (kind) {
      SIDE(1);
      SIDE(2);
      SIDE(3);
      SIDE(4);
      SIDE(5);
      SIDE(6);
      SIDE(7);
      SIDE(8);
      SIDE(9);
      SIDE(10);
      SIDE(11);
      SIDE(12);
      default: asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
    }
  }
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), x);
}

/// Clocks of kNaps naps in a row, per warp.
constexpr int kNaps = 64;
extern "C" __global__ void micro_nanosleep(std::uint32_t* samples, int nanoseconds) {
  const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  std::uint32_t clock = read_clock32();
  if (threadIdx.x % 32 == 0) samples[warp * (kNaps + 1)] = clock;
#pragma unroll 1
  for (int i = 1; i <= kNaps; ++i) {
    __nanosleep(static_cast<unsigned>(nanoseconds));
    clock = read_clock32();
    if (threadIdx.x % 32 == 0) samples[warp * (kNaps + 1) + i] = clock;
  }
}
