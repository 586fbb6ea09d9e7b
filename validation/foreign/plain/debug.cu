// SPDX-License-Identifier: Apache-2.0
// Ordinary code as debuggers need it, compiled with -G: the host runs the same functions.
#include <cstring>

#include "validation/foreign/foreign.h"

namespace {

using Words = const std::uint32_t*;

struct Shape {
  __host__ __device__ virtual std::uint32_t area(std::uint32_t x) const = 0;
  __host__ __device__ virtual std::uint32_t kind() const { return 1; }
};
struct Square : Shape {
  std::uint32_t side;
  __host__ __device__ explicit Square(std::uint32_t s) : side(s) {}
  __host__ __device__ std::uint32_t area(std::uint32_t x) const override { return side * side + x; }
};
struct Rectangle : Shape {
  std::uint32_t a, b;
  __host__ __device__ Rectangle(std::uint32_t width, std::uint32_t height) : a(width), b(height) {}
  __host__ __device__ std::uint32_t area(std::uint32_t x) const override { return a * b - x; }
  __host__ __device__ std::uint32_t kind() const override { return 2; }
};
struct Virtual {
  __host__ __device__ std::uint32_t operator()(int i, Words in) const {
    const Square square(in[i] & 255);
    const Rectangle rectangle(in[i] >> 3 & 127, i);
    const Shape* const shapes[2] = {&square, &rectangle};
    std::uint32_t sum = 0;
    for (int k = 0; k < 5; ++k) {
      const Shape* const shape = shapes[in[i + k] >> 2 & 1];
      sum = sum * 31 + shape->area(k) * shape->kind();
    }
    return sum;
  }
};

__host__ __device__ std::uint32_t ackermann(std::uint32_t m, std::uint32_t n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
struct Recursive {
  __host__ __device__ std::uint32_t operator()(int i, Words in) const {
    return ackermann(2, in[i] & 1) + ackermann(1, i % 4);
  }
};

struct Sorted {
  __host__ __device__ std::uint32_t operator()(int i, Words in) const {
    std::uint32_t a[24];
    for (int k = 0; k < 24; ++k) a[k] = in[i + k] >> (k & 7);
    for (int x = 1; x < 24; ++x) {
      const std::uint32_t value = a[x];
      int y = x;
      for (; y > 0 && a[y - 1] > value; --y) a[y] = a[y - 1];
      a[y] = value;
    }
    std::uint32_t sum = 0;
    for (const std::uint32_t value : a) sum = sum * 33 + value;
    return sum;
  }
};

#pragma pack(push, 1)
struct Record {
  unsigned char tag;
  std::uint32_t word;
  unsigned short half;
  std::uint64_t wide;
};
#pragma pack(pop)
struct Packed {
  __host__ __device__ std::uint32_t operator()(int i, Words in) const {
    Record records[3];
    for (int k = 0; k < 3; ++k) {
      records[k] = {static_cast<unsigned char>(in[i] >> k), in[i + 1] * (k + 1), static_cast<unsigned short>(in[i + 2]),
                    std::uint64_t{in[i + 3]} << 20};
    }
    Record& one = records[in[i] % 3];
    one.word += one.half;
    one.wide ^= one.word;
    const auto* bytes = reinterpret_cast<const unsigned char*>(records);
    std::uint32_t sum = 0;
    for (unsigned k = 0; k < sizeof records; ++k) sum = sum * 257 + bytes[k];
    return sum;
  }
};

using Step = std::uint32_t (*)(std::uint32_t, std::uint32_t);
__host__ __device__ std::uint32_t add(std::uint32_t a, std::uint32_t b) { return a + b; }
__host__ __device__ std::uint32_t mix(std::uint32_t a, std::uint32_t b) { return a * b ^ 7; }
struct Pointers {
  __host__ __device__ std::uint32_t operator()(int i, Words in) const {
    const Step steps[2] = {add, mix};
    std::uint32_t sum = i;
    for (int k = 0; k < 9; ++k) sum = steps[in[i + k] >> 1 & 1](sum, in[i]);
    return sum;
  }
};

template <class Function>
__global__ void apply(Function function, Words in, std::uint32_t* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = function(i, in);
}

template <class Function>
bool agrees(Function function) {
  const auto in = foreign::integers<std::uint32_t>(9, 160, 0, 0xffffffff);
  foreign::Device<std::uint32_t> device(in), out(128);
  apply<<<2, 64>>>(function, device.get(), out.get());
  std::vector<std::uint32_t> expected;
  for (int i = 0; i < 128; ++i) expected.push_back(function(i, in.data()));
  return foreign::equal(out.host(), expected);
}

}  // namespace

FOREIGN_CASE(virtual_calls) { return agrees(Virtual{}); }
FOREIGN_CASE(ackermann) { return agrees(Recursive{}); }
FOREIGN_CASE(local_arrays) { return agrees(Sorted{}); }
FOREIGN_CASE(packed_records) { return agrees(Packed{}); }
FOREIGN_CASE(function_pointers) { return agrees(Pointers{}); }
