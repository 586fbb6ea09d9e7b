// SPDX-License-Identifier: Apache-2.0
// Kernels whose functions are compiled elsewhere (-rdc=true) and linked in.
#include "sample_linked.h"

extern __shared__ int linked_dynamic[];

extern "C" __global__ void linked_calls(int* out, double* waves, int n) {
  const int i = static_cast<int>(threadIdx.x);
  linked_dynamic[i] = 3 * i;
  __syncthreads();
  int* const slot = linked_slot();
  out[i] = linked_power(i, n) + linked_table[i & 7] + linked_dynamic[(i + 1) % blockDim.x] + *slot + *linked_pointer;
  waves[i] = linked_wave(i * 0.5);
}

extern "C" __global__ void linked_pointers(int* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = linked_steps[i % 3](n + i);
  atomicAdd(&linked_counter[i & 3], i);
}

/// Reaches a function that starts kernels from the device: only this kernel is refused.
extern "C" __global__ void linked_launches(int* out) {
  linked_launch();
  out[0] = 1;
}

/// Jumps through a table, which the linker places: each read of it takes the place of the table off again.
extern "C" __global__ void linked_switch(int* out, int first) {
  const int i = static_cast<int>(threadIdx.x);
  switch (first + i / 32) {
    case 10: out[i] = 1; break;
    case 11: atomicAdd(&linked_counter[0], i); break;
    case 12: out[i] = i * i; break;
    case 13: out[i ^ 1] = 7; break;
    case 14: out[i] = __popc(i); break;
    case 15:
      __threadfence();
      out[i] = -i;
      break;
    default: out[i] = 99;
  }
}

extern "C" __global__ void linked_none(int* out) { out[threadIdx.x] = 7; }
