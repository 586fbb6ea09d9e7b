// SPDX-License-Identifier: Apache-2.0
// Ordinary kernels whose control flow diverges or whose threads wait for each other. Without races between warps the
// number of warp instructions is the same in every run.
//   count_<what>(const int* data, int* words)
//   data: one number per thread; words: zeroed; each thread leaves its result at words[256 + thread of the grid].
#include <cstdint>

#define COUNT(name) extern "C" __global__ void count_##name(const int* data, int* words)
#define ME const int me = blockIdx.x * blockDim.x + threadIdx.x

__device__ __noinline__ int fibonacci(int n) {
  if (n < 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

COUNT(recursion) {
  ME;
  words[256 + me] = fibonacci(data[me] & 7);
}

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

COUNT(deep_recursion) {
  ME;
  words[256 + me] = ackermann(2, data[me] & 7);
}

/// Sum over a tree whose shape is in the data.
__device__ __noinline__ int tree_sum(const int* data, int node, int limit) {
  if (node >= limit) return 0;
  int sum = data[node];
  if (data[node] & 1) sum += tree_sum(data, 2 * node + 1, limit);
  if (data[node] & 2) sum += tree_sum(data, 2 * node + 2, limit);
  return sum;
}

COUNT(tree) {
  ME;
  words[256 + me] = tree_sum(data, me & 7, 60 + (me & 31));
}

COUNT(big_switch) {
  ME;
  int x = data[me];
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    switch ((x >> i) & 31) {
      case 0: x += 3 * i; break;
      case 1: x ^= 0x55; break;
      case 2: x = x * 7 + i; break;
      case 3: x -= data[(me + 1) & 63]; break;
      case 4: x = (x << 3) | (x >> 29 & 7); break;
      case 5: x += __popc(x); break;
      case 6: x = x * x + 1; break;
      case 7: x ^= x >> 7; break;
      case 8: x += data[x & 63]; break;
      case 9: x = -x; break;
      case 10: x += 1000; break;
      case 11: x = __brev(x); break;
      case 12: x |= 0x10101; break;
      case 13: x = x / 3; break;
      case 14: x = x % 1001; break;
      case 15: x = x * 31 + data[i]; break;
      case 16: x &= 0xffffff; break;
      case 17: x += __clz(x); break;
      case 18: x ^= data[(x >> 5) & 63]; break;
      case 19: x = 5 - x; break;
      case 20: x = x * 3 - i * i; break;
      case 21: x = x >> 1; break;
      case 22: x += 77; break;
      case 23: x = x ^ (x << 5); break;
      case 24: x = abs(x); break;
      case 25: x = min(x, 100000); break;
      case 26: x = max(x, -100000); break;
      case 27: x += i * 12345; break;
      default: x += 1; break;
    }
  }
  words[256 + me] = x;
}

__device__ __noinline__ int function_a(int x, int y) { return x * y + 3; }
__device__ __noinline__ int function_b(int x, int y) { return (x ^ y) - 7 * x; }
__device__ __noinline__ int function_c(int x, int y) {
  int s = 0;
  for (int i = 0; i < (y & 3); ++i) s += x >> i;
  return s;
}
__device__ __noinline__ int function_d(int x, int y) { return x > y ? x - y : y / (1 + (x & 7)); }
typedef int (*Function)(int, int);
__device__ Function functions[4] = {function_a, function_b, function_c, function_d};

COUNT(pointers) {
  ME;
  int x = data[me];
#pragma unroll 1
  for (int i = 0; i < 4; ++i) x = functions[(x + i) & 3](x, me) & 0xffff;
  words[256 + me] = x;
}

struct Shape {
  int size;
  __device__ explicit Shape(int s) : size(s) {}
  __device__ virtual int area(int x) const = 0;
  __device__ virtual int edge(int x) const { return 4 * size + x; }
};
struct Square : Shape {
  using Shape::Shape;
  __device__ int area(int x) const override { return size * size + x; }
};
struct Round : Shape {
  using Shape::Shape;
  __device__ int area(int x) const override { return size * size * 355 / 113 - x; }
  __device__ int edge(int x) const override { return 2 * size * 355 / 113 + x; }
};
struct Line : Shape {
  using Shape::Shape;
  __device__ int area(int) const override { return 0; }
};

COUNT(virtuals) {
  ME;
  Square square(data[me] & 15);
  Round round(data[me] & 31);
  Line line(data[me] & 7);
  const Shape* shapes[3] = {&square, &round, &line};
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    const Shape* shape = shapes[static_cast<unsigned>(data[me] + i * me) % 3];
    sum += shape->area(i) + shape->edge(me);
  }
  words[256 + me] = sum;
}

COUNT(mandelbrot) {
  ME;
  const float cx = -2.0f + 3.0f * static_cast<float>(threadIdx.x % 64) / 64.0f;
  const float cy = -1.0f + 2.0f * static_cast<float>((me / 64) % 8) / 8.0f;
  float x = 0, y = 0;
  int i = 0;
  while (i < 200 && x * x + y * y < 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++i;
  }
  words[256 + me] = i;
}

/// Collatz steps: loops of very different length, with a branch inside.
COUNT(collatz) {
  ME;
  unsigned n = static_cast<unsigned>(data[me]) & 1023u;
  int steps = 0;
  while (n > 1) {
    if (n & 1)
      n = 3 * n + 1;
    else
      n /= 2;
    ++steps;
  }
  words[256 + me] = steps;
}

/// Binary search and quicksort-like loops with several exits.
COUNT(search) {
  ME;
  int low = 0, high = 255, found = -1;
  const int key = data[me] & 255;
  while (low <= high) {
    const int middle = (low + high) / 2;
    const int value = middle * middle % 256;
    if (value == key) {
      found = middle;
      break;
    }
    if (value < key) {
      low = middle + 1;
      if ((data[middle & 63] & 3) == 0) continue;
      ++low;
    } else {
      high = middle - 1;
    }
  }
  words[256 + me] = found;
}

/// A lock that every thread takes.
COUNT(lock_per_thread) {
  ME;
  while (atomicCAS(words, 0, 1) != 0) __nanosleep(20);
  const int v = *static_cast<volatile int*>(words + 1);
  *static_cast<volatile int*>(words + 1) = v + data[me];
  __threadfence();
  atomicExch(words, 0);
  words[256 + me] = v;
}

COUNT(lock_per_cta) {
  if (threadIdx.x == 0) {
    while (atomicCAS(words, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int v = static_cast<volatile int*>(words)[32 + threadIdx.x];
    static_cast<volatile int*>(words)[32 + threadIdx.x] = v + 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(words, 0);
  }
}

COUNT(ticket_per_cta) {
  if (threadIdx.x == 0) {
    const int mine = atomicAdd(words, 1);
    while (*static_cast<volatile int*>(words + 1) != mine) {
    }
    __threadfence();
    static_cast<volatile int*>(words)[2] = words[2] + 1;
    __threadfence();
    *static_cast<volatile int*>(words + 1) = mine + 1;
  }
}

/// One address, no value returned.
COUNT(histogram) {
  ME;
  for (int i = 0; i < 8; ++i) atomicAdd(words + ((data[(me + i) & 63] >> i) & 3), 1);
}

/// Values returned, by lanes that share addresses.
COUNT(append) {
  ME;
  for (int i = 0; i < 4; ++i) {
    if ((data[me] >> i) & 1) {
      const int at = atomicAdd(words + (i & 1), 1);
      words[256 + 4096 + (i & 1) * 8192 + at] = me;
    }
  }
}

COUNT(returned) {
  ME;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    if (atomicAdd(words + ((data[me] >> i) & 7), 1) & 1) sum += i;
    if (atomicMax(words + 8 + (i & 1), data[me] & 1023) > 512) sum += 2;
  }
  words[256 + me] = sum;
}

/// Floating-point maximum by compare and swap, as users write it.
COUNT(cas_maximum) {
  ME;
  const float value = static_cast<float>(data[me] & 255);
  int* address = words + 64 + (data[me] & 3);
  int old = *static_cast<volatile int*>(address);
  while (__int_as_float(old) < value) {
    const int assumed = old;
    old = atomicCAS(address, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
}

/// Shared memory: bins of one CTA, with and without a value returned.
COUNT(shared_bins) {
  __shared__ int bins[32];
  __shared__ int order[32];
  ME;
  if (threadIdx.x < 32) bins[threadIdx.x] = order[threadIdx.x] = 0;
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    atomicAdd(&bins[(data[me] >> i) & 7], 1);
    sum += atomicAdd(&order[(data[me] >> i) & 3], 1);
    atomicMax(&bins[8 + (i & 7)], me);
  }
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(words + threadIdx.x, bins[threadIdx.x]);
  words[256 + me] = sum & 0;
}

/// Early exits and a tail, as grid-stride code has them.
COUNT(guards) {
  ME;
  if (data[me] % 5 == 0) return;
  int s = 0;
  for (int i = me; i < 64; i += 1 + (data[me] & 7)) {
    if (data[i] % 3 == 0) continue;
    if (data[i] % 17 == 0) break;
    s += data[i];
  }
  if (s & 1) {
    words[256 + me] = s;
    return;
  }
  words[256 + me] = -s;
}
