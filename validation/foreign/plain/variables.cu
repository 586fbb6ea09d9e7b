// SPDX-License-Identifier: Apache-2.0
// Variables of a program's module: managed ones, pointers to others that launches move, strings; parameters whose
// addresses are taken; a stack of the host's choice.
#include <array>
#include <cstring>

#include "validation/foreign/foreign.h"

__managed__ int managed_count = 5;
__managed__ float managed_table[64];

__device__ int counter = 3;
__device__ int places[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int* current = &counter;
__device__ int* several[3] = {&places[2], &counter, places + 7};
__device__ int** indirect = &current;
__device__ const char* const names[3] = {"one", "two", "three"};

namespace {

__global__ void use_managed(float factor) {
  atomicAdd(&managed_count, static_cast<int>(threadIdx.x));
  managed_table[threadIdx.x] += factor * threadIdx.x;
}

__global__ void follow_pointers() {
  *current += 1;
  *several[0] += 10;
  *several[2] += 100;
  **indirect *= 2;
  current = current == &counter ? &places[0] : &counter;
}

__global__ void copy_names(char* out) {
  const char* const name = names[threadIdx.x];
  for (int i = 0; name[i] != 0; ++i) out[threadIdx.x * 8 + i] = name[i];
}

struct Table {
  int values[200];
};
__device__ __noinline__ int sum_of(const int* values, int step) {
  int sum = 0;
  for (int i = 0; i < 200; i += step) sum += values[i];
  return sum;
}
__global__ void sum_parameter(const __grid_constant__ Table table, int* out) {
  out[threadIdx.x] = sum_of(table.values, threadIdx.x + 1) + table.values[threadIdx.x * 3];
}

__host__ __device__ __noinline__ unsigned descend(unsigned depth, const unsigned* values) {
  unsigned kept[12];
  for (unsigned i = 0; i < 12; ++i) kept[i] = values[(depth + i) % 12];
  return (depth == 0 ? 0 : descend(depth - 1, kept)) + kept[depth % 12];
}
__global__ void deep(unsigned* out, unsigned depth) {
  unsigned values[12];
  for (unsigned i = 0; i < 12; ++i) values[i] = i * i + out[threadIdx.x];
  out[threadIdx.x] = descend(depth, values);
}

}  // namespace

FOREIGN_RACE(managed) {  // the pages move while it runs: its time is the host's
  managed_count = 7;
  for (int i = 0; i < 64; ++i) managed_table[i] = static_cast<float>(i);
  use_managed<<<1, 64>>>(2);
  FOREIGN_CUDA(cudaDeviceSynchronize());
  bool right = managed_count == 7 + 2016;
  for (int i = 0; i < 64; ++i) right = right && managed_table[i] == static_cast<float>(3 * i);
  managed_table[3] = 100;
  use_managed<<<1, 64>>>(1);
  FOREIGN_CUDA(cudaDeviceSynchronize());
  return right && managed_count == 7 + 2 * 2016 && managed_table[3] == 103;
}

FOREIGN_CASE(pointers_that_move) {
  int count = 3;
  std::array<int, 8> all{1, 2, 3, 4, 5, 6, 7, 8};
  int* at = &count;
  for (int launch = 0; launch < 3; ++launch) {
    follow_pointers<<<1, 1>>>();
    *at += 1;
    all[2] += 10;
    all[7] += 100;
    *at *= 2;
    at = at == &count ? all.data() : &count;
  }
  int got = 0;
  std::array<int, 8> got_all{};
  FOREIGN_CUDA(cudaMemcpyFromSymbol(&got, counter, sizeof got));
  FOREIGN_CUDA(cudaMemcpyFromSymbol(got_all.data(), places, sizeof got_all));
  return got == count && got_all == all;
}

FOREIGN_CASE(strings) {
  foreign::Device<char> out(24);
  copy_names<<<1, 3>>>(out.get());
  const std::vector<char> got = out.host();
  return std::strcmp(&got[0], "one") == 0 && std::strcmp(&got[8], "two") == 0 && std::strcmp(&got[16], "three") == 0;
}

FOREIGN_CASE(address_of_a_parameter) {
  Table table;
  for (int i = 0; i < 200; ++i) table.values[i] = i * 3 + 1;
  foreign::Device<int> out(32);
  sum_parameter<<<1, 32>>>(table, out.get());
  std::vector<int> expected(32);
  for (int t = 0; t < 32; ++t) {
    for (int i = 0; i < 200; i += t + 1) expected[t] += table.values[i];
    expected[t] += table.values[t * 3];
  }
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(deep_stack) {
  FOREIGN_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  foreign::Device<unsigned> out(32);
  deep<<<1, 32>>>(out.get(), 100);
  unsigned values[12];
  for (unsigned i = 0; i < 12; ++i) values[i] = i * i;
  return foreign::equal(out.host(), std::vector<unsigned>(32, descend(100, values)));
}
