// SPDX-License-Identifier: Apache-2.0
// Recursive functions whose lanes walk trees of their own: loops around calls, two calls a frame, votes behind them.
// Trails as those of path_frames.cu.
//   path_<what>(Step* trail, const int* data, int* words)
#include <cstdint>

struct Step {
  std::uint32_t place;
  std::uint32_t clock;
};

constexpr int kSteps = 1024;

struct Trail {
  Step* at;
  __device__ __forceinline__ explicit Trail(Step* trail) {
    const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    at = trail + warp * kSteps * 32 + threadIdx.x % 32;
  }
  __device__ __forceinline__ void operator()(std::uint32_t place) {
    std::uint32_t clock;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(place), "r"(clock) : "memory");
    at += 32;
  }
};

#define PATHS(name) extern "C" __global__ void path_##name(Step* trail, const int* data, int* words)
#define BEGIN                                                                 \
  Trail step(trail);                                                          \
  [[maybe_unused]] const int v = data[blockIdx.x * blockDim.x + threadIdx.x]; \
  step(1)

/// Quick sort as users write it: the compiler makes a loop of the second call.
__device__ __noinline__ void sort(Trail& step, int* data, int low, int high) {
  step(0x1000 + low * 32 + (high & 31));
  if (low >= high) return;
  const int pivot = data[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) {
      const int t = data[i];
      data[i++] = data[j];
      data[j--] = t;
    }
  }
  step(0x3000 + low * 32 + high);
  sort(step, data, low, j);
  step(0x4000 + low * 32 + high);
  sort(step, data, i, high);
}

template <int kCount>
__device__ __forceinline__ void sort_few(Trail& step, int v, int* words) {
  int* d = words + threadIdx.x * 8;
  unsigned s = static_cast<unsigned>(v) * 2654435761u + 12345u;
  for (int i = 0; i < kCount; ++i) {
    s = s * 1664525u + 1013904223u;
    d[i] = static_cast<int>(s >> 24);
  }
  sort(step, d, 0, kCount - 1);
  step(2);
}
PATHS(sort4) {
  BEGIN;
  sort_few<4>(step, v, words);
}
PATHS(sort6) {
  BEGIN;
  sort_few<6>(step, v, words);
}

/// Bits say whether a frame ends; the second call becomes a loop.
__device__ __noinline__ void tail(Trail& step, int& v, int depth) {
  step(0x100 + depth);
  const bool ends = !(v & 1) || depth > 6;
  v >>= 1;
  if (ends) return;
  step(0x200 + depth);
  tail(step, v, depth + 1);
  step(0x300 + depth);
  tail(step, v, depth + 1);
}
PATHS(tail) {
  BEGIN;
  int x = v;
  tail(step, x, 0);
  words[threadIdx.x] = x;
  step(2);
}

/// A call in a loop whose length is in the bits.
__device__ __noinline__ void loop(Trail& step, int& v, int depth) {
  step(0x100 + depth);
  if (v & 1) {
    do {
      v >>= 1;
      step(0x200 + depth);
      if (depth < 6) loop(step, v, depth + 1);
      step(0x300 + depth);
    } while (v & 1);
  }
  v >>= 1;
  step(0x400 + depth);
}
PATHS(call_in_loop) {
  BEGIN;
  int x = v;
  loop(step, x, 0);
  words[threadIdx.x] = x;
  step(2);
}

/// Two calls a frame.
__device__ __noinline__ int walk(Trail& step, int& v, int depth) {
  step(0x100 + depth);
  const bool goes = (v & 1) && depth < 8;
  v >>= 1;
  if (!goes) return v;
  step(0x200 + depth);
  const int a = walk(step, v, depth + 1);
  step(0x300 + depth);
  const int b = walk(step, v, depth + 1);
  step(0x400 + depth);
  return a * 3 + b;
}
PATHS(walk) {
  BEGIN;
  int x = v;
  words[threadIdx.x] = walk(step, x, 0);
  step(2);
}
/// A vote behind the walk.
PATHS(vote) {
  BEGIN;
  int x = v;
  int s = walk(step, x, 0);
  step(3);
  s += static_cast<int>(__ballot_sync(~0u, s & 1));
  step(4);
  words[threadIdx.x] = s;
  step(2);
}

/// Two calls, each in a region of its own.
__device__ __noinline__ int fork(Trail& step, int& v, int depth) {
  step(0x100 + depth);
  const int goes = v & 3;
  v >>= 2;
  int s = 0;
  if (goes & 1) {
    step(0x200 + depth);
    if (depth < 6) s += fork(step, v, depth + 1);
    step(0x300 + depth);
  }
  step(0x400 + depth);
  if (goes & 2) {
    step(0x500 + depth);
    if (depth < 6) s += fork(step, v, depth + 1);
    step(0x600 + depth);
  }
  step(0x700 + depth);
  return v + s;
}
PATHS(fork) {
  BEGIN;
  int x = v;
  words[threadIdx.x] = fork(step, x, 0);
  step(2);
}
