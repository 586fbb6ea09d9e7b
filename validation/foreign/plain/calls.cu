// SPDX-License-Identifier: Apache-2.0
// Control flow: recursion, function pointers, virtual calls, an interpreter, loops that lanes leave at different times.
#include <algorithm>

#include "validation/foreign/foreign.h"

namespace {

__host__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__host__ __device__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recursive(int* out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 9) + 1000 * ackermann(2, threadIdx.x % 3);
}

__device__ void quick_sort(int* data, int low, int high) {
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
  quick_sort(data, low, j);
  quick_sort(data, i, high);
}

__global__ void quick_sorts(int* data) { quick_sort(data + threadIdx.x * 20, 0, 19); }

__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__device__ int minus_three(int v) { return v - 3; }
using Function = int (*)(int);
__device__ Function table[3] = {twice, square, minus_three};

__global__ void function_pointers(const int* in, int* out, int which) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[which](in[i]) + table[i / 32 % 3](in[i]);
}
__global__ void divergent_pointers(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[in[i] % 3](in[i]);
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
  __device__ explicit Square(float a) : a(a) {}
  __device__ float area() const override { return a * a; }
  __device__ int corners() const override { return 4; }
  float a;
};
struct Circle : Shape {
  __device__ explicit Circle(float r) : r(r) {}
  __device__ float area() const override { return 3 * r * r; }
  float r;
};

__global__ void virtual_calls(const int* kinds, float* areas, int* corners, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Square square(static_cast<float>(i % 10));
  Circle circle(static_cast<float>(i % 7));
  const Shape* shape = kinds[i] ? static_cast<const Shape*>(&square) : &circle;
  areas[i] = shape->area();
  corners[i] = shape->corners();
}

// An interpreter of a little language: one switch, a program a lane.
__host__ __device__ int interpret(const unsigned char* code, int size, int input) {
  int a = input, b = 1, steps = 0;
  for (int pc = 0; pc < size && steps < 64; ++pc, ++steps) {
    switch (code[pc] % 16) {
      case 0: a += b; break;
      case 1: a -= 7; break;
      case 2: a *= 3; break;
      case 3: b = a ^ b; break;
      case 4: a = a / (b | 1); break;
      case 5: a = a % ((b & 15) + 1); break;
      case 6: b += pc; break;
      case 7: a <<= 1; break;
      case 8: a >>= 2; break;
      case 9:
        if (a & 1) ++pc;
        break;
      case 10: b = -b; break;
      case 11: {
        const int t = a;
        a = b;
        b = t;
        break;
      }
      case 12: a &= 0xffff; break;
      case 13: a |= b & 0xff; break;
      case 14:
        if (b > 0 && steps < 40) pc = pc / 2;
        break;
      default: b = ~a; break;
    }
  }
  return a + 31 * b;
}

__global__ void interpreter(const unsigned char* code, int* out, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = interpret(code + i * size, size, i);
}

__global__ void uniform_switch(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  switch (blockIdx.x % 5) {
    case 0: v += 11; break;
    case 1: v = v * v; break;
    case 2: v ^= 0x55; break;
    case 3: v = __popc(v); break;
    default: v = -v;
  }
  out[i] = v;
}

__host__ __device__ int collatz(unsigned n) {
  int steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    if (++steps > 200) break;
  }
  return steps;
}

__global__ void collatz_lengths(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = collatz(i + 1);
}

__host__ __device__ int nested(int seed) {
  int found = 0;
  for (int a = 1; a < 12; ++a) {
    if ((a + seed) % 5 == 0) continue;
    for (int b = a; b < 12; ++b) {
      if ((a * b + seed) % 7 == 3) break;
      for (int c = b; c < 14; ++c) {
        if (a * a + b * b == c * c + seed % 3) ++found;
        if (c > 10 && seed % 2) break;
      }
    }
    if (found > 4) return found * 100 + a;
  }
  return found;
}

__global__ void nested_loops(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = nested(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void early_exit(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[threadIdx.x] % 4 == 0) return;  // the rest go on to barriers without them
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
}

}  // namespace

FOREIGN_CASE(recursion) {
  foreign::Device<int> out(64);
  recursive<<<1, 64>>>(out.get());
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) expected[i] = fibonacci(i % 9) + 1000 * ackermann(2, i % 3);
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(quick_sorts) {
  std::vector<int> data = foreign::integers(1, 20 * 64, -500, 500);
  foreign::Device<int> device(data);
  quick_sorts<<<1, 64>>>(device.get());
  for (int i = 0; i < 64; ++i) std::sort(data.begin() + i * 20, data.begin() + (i + 1) * 20);
  return foreign::equal(device.host(), data);
}

namespace {
int apply(int which, int v) { return which == 0 ? 2 * v : which == 1 ? v * v : v - 3; }
}  // namespace

FOREIGN_CASE(function_pointers) {
  const std::vector<int> in = foreign::integers(2, 256, 0, 999);
  foreign::Device<int> din(in), dout(256);
  function_pointers<<<2, 128>>>(din.get(), dout.get(), 2);
  std::vector<int> expected(256);
  for (int i = 0; i < 256; ++i) expected[i] = in[i] - 3 + apply(i / 32 % 3, in[i]);
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(divergent_pointers) {
  const std::vector<int> in = foreign::integers(3, 128, 0, 999);
  foreign::Device<int> din(in), dout(128);
  divergent_pointers<<<1, 128>>>(din.get(), dout.get());
  std::vector<int> expected(128);
  for (int i = 0; i < 128; ++i) expected[i] = apply(in[i] % 3, in[i]);
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(virtual_calls) {
  const int n = 200;
  const std::vector<int> kinds = foreign::integers(4, n, 0, 1);
  foreign::Device<int> dk(kinds), corners(n);
  foreign::Device<float> areas(n);
  virtual_calls<<<4, 64>>>(dk.get(), areas.get(), corners.get(), n);
  std::vector<float> e(n);
  std::vector<int> c(n);
  for (int i = 0; i < n; ++i) {
    const float s = i % 10, r = i % 7;
    e[i] = kinds[i] ? s * s : 3 * r * r;
    c[i] = kinds[i] ? 4 : 0;
  }
  return foreign::equal(areas.host(), e) && foreign::equal(corners.host(), c);
}

FOREIGN_CASE(interpreter) {
  const int n = 256, size = 24;
  const std::vector<unsigned char> code = foreign::integers<unsigned char>(5, n * size, 0, 255);
  foreign::Device<unsigned char> dcode(code);
  foreign::Device<int> out(n);
  interpreter<<<2, 128>>>(dcode.get(), out.get(), size);
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = interpret(code.data() + i * size, size, i);
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(uniform_switch) {
  const std::vector<int> in = foreign::integers(6, 640, 0, 9999);
  foreign::Device<int> din(in), dout(640);
  uniform_switch<<<10, 64>>>(din.get(), dout.get());
  std::vector<int> e(640);
  for (int i = 0; i < 640; ++i) {
    const int k = i / 64 % 5, v = in[i];
    e[i] = k == 0 ? v + 11 : k == 1 ? v * v : k == 2 ? v ^ 0x55 : k == 3 ? __builtin_popcount(v) : -v;
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(collatz) {
  foreign::Device<int> out(1024);
  collatz_lengths<<<8, 128>>>(out.get());
  std::vector<int> expected(1024);
  for (int i = 0; i < 1024; ++i) expected[i] = collatz(i + 1);
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(nested_loops) {
  foreign::Device<int> out(128);
  nested_loops<<<2, 64>>>(out.get());
  std::vector<int> expected(128);
  for (int i = 0; i < 128; ++i) expected[i] = nested(i);
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(early_exit) {
  const std::vector<int> in = foreign::integers(7, 96, 0, 99);
  foreign::Device<int> din(in), dout(96);
  early_exit<<<1, 96>>>(din.get(), dout.get());
  const int count = static_cast<int>(std::count_if(in.begin(), in.end(), [](int v) { return v % 4 != 0; }));
  std::vector<int> expected(96);
  for (int i = 0; i < 96; ++i) expected[i] = in[i] % 4 ? count : 0;
  return foreign::equal(dout.host(), expected);
}
