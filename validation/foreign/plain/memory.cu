// SPDX-License-Identifier: Apache-2.0
// Where data may lie: constants, variables of a module, local arrays, unaligned fields, large shared memory, and what
// kernels do besides: print, assert, allocate.
#include <cassert>
#include <cstring>

#include "validation/foreign/foreign.h"

namespace {

__constant__ float filter[9];
__constant__ int fixed_table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ struct Settings {
  int scale;
  double offset;
  short limits[4];
} settings;
__device__ int counters[4] = {10, 20, 30, 40};
__device__ float scratch[256];

__global__ void constant_filter(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += filter[k] * in[min(max(i + k - 4, 0), n - 1)];
  out[i] = sum;
}

__global__ void constant_divergent(int* out) {
  out[threadIdx.x] = fixed_table[(threadIdx.x * 5) & 7] * settings.scale + settings.limits[threadIdx.x & 3] +
                     static_cast<int>(settings.offset);
}

__global__ void count_up(int by) {
  if (threadIdx.x < 4) counters[threadIdx.x] += by + threadIdx.x;
  scratch[threadIdx.x] = counters[0] + threadIdx.x;
}
__global__ void read_scratch(float* out) { out[threadIdx.x] = scratch[255 - threadIdx.x]; }

__global__ void local_array(const int* in, int* out, int rounds) {
  int mine[32];
  for (int i = 0; i < 32; ++i) mine[i] = in[(threadIdx.x + i) & 63];
  for (int r = 0; r < rounds; ++r) {
    const int a = (r * 7 + threadIdx.x) & 31, b = mine[a] & 31;
    const int t = mine[a];
    mine[a] = mine[b] + r;
    mine[b] = t;
  }
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum = sum * 31 + mine[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct __attribute__((packed)) Record {
  char tag;
  int value;
  short half;
};
__global__ void unaligned(const unsigned char* bytes, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Record record;
  memcpy(&record, bytes + i * sizeof(Record), sizeof record);
  out[i] = record.value * record.tag + record.half;
}

__global__ void large_shared(const int* in, int* out, int n) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[(i * 1237 + 11) % n];
}

__global__ void prints(int n) {
  if (threadIdx.x < n) printf("thread %d of %s: %.2f\n", threadIdx.x, "prints", threadIdx.x * 0.5);
}

__global__ void asserts(const int* in, int* out) {
  assert(in[threadIdx.x] >= 0);
  out[threadIdx.x] = in[threadIdx.x] * 2;
}

__global__ void allocates(const int* in, int* out) {
  int* mine = static_cast<int*>(malloc(8 * sizeof(int)));
  if (mine == nullptr) return;
  for (int i = 0; i < 8; ++i) mine[i] = in[(threadIdx.x + i) & 31];
  int sum = 0;
  for (int i = 7; i >= 0; --i) sum = sum * 3 + mine[i];
  out[threadIdx.x] = sum;
  free(mine);
}

template <typename T>
__global__ void gather(const T* __restrict__ in, const int* __restrict__ where, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __ldg(&in[where[i]]);
}

__global__ void generic_pointers(const int* in, int* out, bool use_shared) {
  __shared__ int s[64];
  int local[4] = {1, 2, 3, 4};
  s[threadIdx.x] = in[threadIdx.x] + 100;
  __syncthreads();
  const int* from = use_shared || threadIdx.x % 3 == 0 ? s : in;
  if (threadIdx.x % 5 == 0) from = local - (threadIdx.x & ~3);
  out[threadIdx.x] = from[threadIdx.x];
}

struct Large {
  int v[200];
};
__global__ void large_parameter(int* out, const __grid_constant__ Large large) {
  out[threadIdx.x] = large.v[threadIdx.x] + large.v[(threadIdx.x * 7) % 200];
}

}  // namespace

FOREIGN_CASE(constant_filter) {
  const int n = 700;
  const std::vector<float> weights = foreign::integers<float>(1, 9, -5, 5),
                           in = foreign::integers<float>(2, n, -50, 50);
  FOREIGN_CUDA(cudaMemcpyToSymbol(filter, weights.data(), 9 * sizeof(float)));
  foreign::Device<float> din(in), dout(n);
  constant_filter<<<6, 128>>>(din.get(), dout.get(), n);
  std::vector<float> e(n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 9; ++k) e[i] += weights[k] * in[std::min(std::max(i + k - 4, 0), n - 1)];
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(constant_divergent) {
  const Settings host{7, 2.5, {10, -20, 30, -40}};
  FOREIGN_CUDA(cudaMemcpyToSymbol(settings, &host, sizeof host));
  foreign::Device<int> out(64);
  constant_divergent<<<1, 64>>>(out.get());
  const int digits[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<int> e(64);
  for (int i = 0; i < 64; ++i) e[i] = digits[i * 5 & 7] * 7 + host.limits[i & 3] + 2;
  return foreign::equal(out.host(), e);
}

FOREIGN_CASE(module_variables) {
  const int start[4] = {10, 20, 30, 40};
  FOREIGN_CUDA(cudaMemcpyToSymbol(counters, start, sizeof start));
  foreign::Device<float> out(256);
  count_up<<<1, 256>>>(5);
  count_up<<<1, 256>>>(1);
  read_scratch<<<1, 256>>>(out.get());
  std::vector<int> got(4), wanted(4);
  FOREIGN_CUDA(cudaMemcpyFromSymbol(got.data(), counters, sizeof start));
  for (int i = 0; i < 4; ++i) wanted[i] = start[i] + 6 + 2 * i;
  const std::vector<float> values = out.host();
  for (int i = 0; i < 256; ++i) {
    const float low = values[i] - (255 - i);  // some warps saw counters[0] before it was counted up
    if (low != 15 && low != 16) return false;
  }
  return foreign::equal(got, wanted);
}

FOREIGN_CASE(local_array) {
  const std::vector<int> in = foreign::integers(3, 64, 0, 9999);
  foreign::Device<int> din(in), dout(128);
  local_array<<<2, 64>>>(din.get(), dout.get(), 40);
  std::vector<int> e(128);
  for (int t = 0; t < 128; ++t) {
    int mine[32];
    unsigned sum = 0;
    for (int i = 0; i < 32; ++i) mine[i] = in[(t % 64 + i) & 63];
    for (int r = 0; r < 40; ++r) {
      const int a = (r * 7 + t % 64) & 31, b = mine[a] & 31, v = mine[a];
      mine[a] = mine[b] + r;
      mine[b] = v;
    }
    for (const int v : mine) sum = sum * 31 + v;
    e[t] = static_cast<int>(sum);
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(unaligned) {
  const int n = 200;
  const std::vector<unsigned char> bytes = foreign::integers<unsigned char>(4, n * sizeof(Record), 0, 255);
  foreign::Device<unsigned char> din(bytes);
  foreign::Device<int> dout(n);
  unaligned<<<2, 128>>>(din.get(), dout.get(), n);
  std::vector<int> e(n);
  for (int i = 0; i < n; ++i) {
    Record record;
    std::memcpy(&record, bytes.data() + i * sizeof(Record), sizeof record);
    e[i] = static_cast<int>(static_cast<unsigned>(record.value) * static_cast<unsigned>(record.tag) + record.half);
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(large_shared) {
  const int n = 24000;
  const std::vector<int> in = foreign::integers(5, n, 0, 99999);
  foreign::Device<int> din(in), dout(n);
  FOREIGN_CUDA(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, n * 4));
  large_shared<<<1, 512, n * 4>>>(din.get(), dout.get(), n);
  std::vector<int> e(n);
  for (int i = 0; i < n; ++i) e[i] = in[static_cast<int>((i * 1237LL + 11) % n)];
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(prints) {
  prints<<<1, 32>>>(3);
  return cudaDeviceSynchronize() == cudaSuccess;
}

FOREIGN_CASE(asserts) {
  const std::vector<int> in = foreign::integers(6, 64, 0, 99);
  foreign::Device<int> din(in), dout(64);
  asserts<<<1, 64>>>(din.get(), dout.get());
  std::vector<int> e;
  for (const int v : in) e.push_back(2 * v);
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(allocates) {
  const std::vector<int> in = foreign::integers(7, 32, -99, 99);
  foreign::Device<int> din(in), dout(32);
  allocates<<<1, 32>>>(din.get(), dout.get());
  std::vector<int> e(32);
  for (int t = 0; t < 32; ++t) {
    for (int i = 7; i >= 0; --i) e[t] = e[t] * 3 + in[(t + i) & 31];
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(gather) {
  const int n = 1000;
  const std::vector<double> in = foreign::reals<double>(8, 5000);
  const std::vector<int> where = foreign::integers(9, n, 0, 4999);
  foreign::Device<double> din(in), dout(n);
  foreign::Device<int> dwhere(where);
  gather<<<8, 128>>>(din.get(), dwhere.get(), dout.get(), n);
  std::vector<double> e;
  for (const int i : where) e.push_back(in[i]);
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(generic_pointers) {
  const std::vector<int> in = foreign::integers(10, 64, 1000, 9999);
  foreign::Device<int> din(in), dout(64);
  generic_pointers<<<1, 64>>>(din.get(), dout.get(), false);
  std::vector<int> e(64);
  for (int i = 0; i < 64; ++i) e[i] = i % 5 == 0 ? i % 4 + 1 : i % 3 == 0 ? in[i] + 100 : in[i];
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(large_parameter) {
  Large large;
  for (int i = 0; i < 200; ++i) large.v[i] = static_cast<int>(foreign::bits(11, i) % 1000);
  foreign::Device<int> out(128);
  large_parameter<<<1, 128>>>(out.get(), large);
  std::vector<int> e(128);
  for (int i = 0; i < 128; ++i) e[i] = large.v[i] + large.v[i * 7 % 200];
  return foreign::equal(out.host(), e);
}
