// SPDX-License-Identifier: Apache-2.0
// Functions of the linked sample: calls across sections, tables of functions, variables that hold addresses.
#include <cstdio>

#include "sample_linked.h"

__shared__ int linked_slots[64];
__device__ int linked_counter[4] = {10, 20, 30, 40};
__device__ int* linked_pointer = &linked_counter[2];
__constant__ int linked_table[8] = {5, 4, 3, 2, 1, 0, -1, -2};

extern "C" __device__ __noinline__ int linked_square(int x) { return x * x; }
extern "C" __device__ int linked_power(int base, int exponent) {
  int result = 1;
  for (; exponent > 1; exponent -= 2) result *= linked_square(base);
  return exponent == 1 ? result * base : result;
}
extern "C" __device__ double linked_wave(double x) { return 2.0 * sin(x) + x; }
extern "C" __device__ int* linked_slot() {
  linked_slots[threadIdx.x] = static_cast<int>(threadIdx.x) + 100;
  return &linked_slots[threadIdx.x];
}

__device__ int twice(int x) { return 2 * x; }
__device__ int cube(int x) { return x * linked_square(x); }
__device__ int loud(int x) {
  printf("loud %d\n", x);
  return -x;
}
__device__ LinkedStep linked_steps[3] = {twice, cube, loud};

/// What the device runtime calls to launch a kernel from a kernel.
extern "C" __device__ void* __cuda_syscall_cnpv2GetParameterBufferV2(void*, dim3, dim3, unsigned);
extern "C" __device__ void linked_launch() { __cuda_syscall_cnpv2GetParameterBufferV2(nullptr, dim3(1), dim3(1), 0); }
