// SPDX-License-Identifier: Apache-2.0
// Recursive functions whose lanes stand in different frames: which of them meet at a BSYNC, and where. Trails as those
// of paths.cu, of up to 1024 steps a lane.
//   path_<what>(Step* trail, const int* data, int* words)
#define STC_TRAIL_STEPS 1024
#include "validation/kernels/path_trail.cuh"

#define BEGIN                                                                 \
  Trail step(trail);                                                          \
  [[maybe_unused]] const int v = data[blockIdx.x * blockDim.x + threadIdx.x]; \
  step(1)

__device__ __noinline__ int fib(Trail& step, int n) {
  step(0x100 + n);
  if (n < 2) {
    step(0x200 + n);
    return n;
  }
  const int a = fib(step, n - 1);
  step(0x300 + n);
  const int b = fib(step, n - 2);
  step(0x400 + n);
  return a + b;
}
PATHS(fib) {
  BEGIN;
  words[threadIdx.x] = fib(step, v);
  step(2);
}

/// One call a frame.
__device__ __noinline__ int once(Trail& step, int n) {
  int s = 1;
  step(0x100 + n);
  if (n > 0) {
    step(0x200 + n);
    s = once(step, n - 1) + n;
    step(0x300 + n);
  }
  step(0x400 + n);
  return s;
}
PATHS(once) {
  BEGIN;
  words[threadIdx.x] = once(step, v);
  step(2);
}

__device__ __noinline__ int ack(Trail& step, int m, int n) {
  step(0x100 + 16 * m + n);
  int r;
  if (m == 0) {
    r = n + 1;
    step(0x200 + 16 * m + n);
  } else if (n == 0) {
    r = ack(step, m - 1, 1);
    step(0x300 + 16 * m + n);
  } else {
    r = ack(step, m, n - 1);
    step(0x400 + 16 * m + n);
    r = ack(step, m - 1, r);
    step(0x500 + 16 * m + n);
  }
  step(0x600 + 16 * m + n);
  return r;
}
PATHS(ack) {
  BEGIN;
  words[threadIdx.x] = ack(step, v >> 4, v & 15);
  step(2);
}

__device__ __noinline__ int tree(Trail& step, const int* data, int node, int limit) {
  step(0x1000 + node);
  if (node >= limit) {
    step(0x2000 + node);
    return 0;
  }
  int sum = data[node];
  if (sum & 1) {
    step(0x3000 + node);
    sum += tree(step, data, 2 * node + 1, limit);
    step(0x4000 + node);
  }
  step(0x5000 + node);
  if (data[node] & 2) {
    step(0x6000 + node);
    sum += tree(step, data, 2 * node + 2, limit);
    step(0x7000 + node);
  }
  step(0x8000 + node);
  return sum;
}
PATHS(tree) {
  BEGIN;
  words[threadIdx.x] = tree(step, data, threadIdx.x & 7, 20 + (threadIdx.x & 15));
  step(2);
}
PATHS(tree2) {
  BEGIN;
  words[threadIdx.x] = tree(step, data, threadIdx.x & 1, 14 + (threadIdx.x & 1));
  step(2);
}

__device__ __noinline__ void qsort(Trail& step, int* d, int low, int high) {
  step(0x1000 + low * 32 + (high & 31));
  if (low >= high) return;
  const int pivot = d[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (d[i] < pivot) ++i;
    while (d[j] > pivot) --j;
    step(0x2000);
    if (i <= j) {
      const int t = d[i];
      d[i++] = d[j];
      d[j--] = t;
    }
  }
  step(0x3000 + low * 32 + high);
  qsort(step, d, low, j);
  step(0x4000 + low * 32 + high);
  qsort(step, d, i, high);
  step(0x5000 + low * 32 + high);
}
PATHS(qsort) {
  BEGIN;
  int* d = words + threadIdx.x * 8;
  for (int i = 0; i < 8; ++i) d[i] = ((v * 7 + i) * 40503 >> 5) & 31;
  qsort(step, d, 0, 5);
  step(2);
}

/// A call in a loop.
__device__ __noinline__ int loops(Trail& step, int n) {
  step(0x100 + n);
  int s = 1;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    step(0x200 + 16 * n + i);
    s += loops(step, i);
    step(0x300 + 16 * n + i);
  }
  step(0x400 + n);
  return s;
}
PATHS(callloop) {
  BEGIN;
  words[threadIdx.x] = loops(step, v);
  step(2);
}

/// Two functions that call each other.
__device__ __noinline__ int even(Trail& step, int n);
__device__ __noinline__ int odd(Trail& step, int n) {
  step(0x100 + n);
  int r = 0;
  if (n > 0) {
    step(0x200 + n);
    r = even(step, n - 1) + 1;
    step(0x300 + n);
  }
  step(0x400 + n);
  return r;
}
__device__ __noinline__ int even(Trail& step, int n) {
  step(0x500 + n);
  int r = 7;
  if (n > 0) {
    step(0x600 + n);
    r = odd(step, n - 1) * 2;
    step(0x700 + n);
  }
  step(0x800 + n);
  return r;
}
PATHS(mutual) {
  BEGIN;
  words[threadIdx.x] = even(step, v);
  step(2);
}
