// SPDX-License-Identifier: Apache-2.0
// CTAs that meet in global memory: a lock, turns that pass from CTA to CTA, tickets, the last one that adds up.
// What they give depends on who comes first only where that is the point.

/// A counter behind a lock, taken by one thread of each CTA `rounds` times; `order` notes which CTA was when inside.
extern "C" __global__ void locked_counter(int* lock, int* counter, int* order, int rounds) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < rounds; ++i) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    const int at = *reinterpret_cast<volatile int*>(counter);
    order[at] = static_cast<int>(blockIdx.x);
    *reinterpret_cast<volatile int*>(counter) = at + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

/// As the fix-up of a stream-K GEMM: CTAs of a group add their parts one after the other, each when `turn` has come to
/// it. Sums of f32 in a fixed order.
extern "C" __global__ void add_in_turn(const float* parts, float* sum, int* turn, int group) {
  const int tile = static_cast<int>(blockIdx.x) / group, mine = static_cast<int>(blockIdx.x) % group;
  const int at = tile * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
  const float part = parts[blockIdx.x * blockDim.x + threadIdx.x];
  if (threadIdx.x == 0) {
    while (*reinterpret_cast<volatile int*>(turn + tile) != mine) {
    }
    __threadfence();
  }
  __syncthreads();
  const float before = mine == 0 ? 0.0f : *reinterpret_cast<volatile float*>(sum + at);
  *reinterpret_cast<volatile float*>(sum + at) = before + part;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *reinterpret_cast<volatile int*>(turn + tile) = mine + 1;
}

/// Every thread takes tickets and leaves its number there; f32 sums in the order in which the atomics come.
extern "C" __global__ void tickets(unsigned* next, unsigned* owner, float* sum, int rounds) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const unsigned ticket = atomicAdd(next, 1u);
    owner[ticket] = thread;
    atomicAdd(sum + thread % 7, 1.0f / static_cast<float>(ticket + 1));
  }
}
