// SPDX-License-Identifier: Apache-2.0
// Lanes that leave a loop which waits, one after the other, and meet behind it: some wait at a WARPSYNC while others
// are still inside regions that use the same convergence barriers.

/// Thread 32 opens 32 flags in the order of `order`.
__device__ __forceinline__ bool opens_flags(const int* order, volatile int* flags) {
  if (threadIdx.x < 32) return false;
  if (threadIdx.x == 32) {
    for (int i = 0; i < 32; ++i) flags[order[i]] = 1;
  }
  return true;
}

/// Four rounds; in round i lane i goes on without the others, who count one another.
///   flags: 128 zeroed words; counts: 32
extern "C" __global__ void leave_one_by_one(const int* order, volatile int* flags, int* counts) {
  if (opens_flags(order, flags)) return;
  const unsigned lane = threadIdx.x;
  int count = 0;
  for (unsigned i = 0; i < 4; ++i) {
    int tries = 0;
    while (true) {
      if (flags[(lane + i) & 31]) break;
      if (++tries > 3 && flags[64] == 3 && flags[31]) break;
      if (flags[lane]) {
        flags[96 + lane] = tries;
        if (tries > 5) break;
      }
    }
    if (lane == i) continue;
    __syncwarp(~(1u << i));
    count += __popc(__ballot_sync(~(1u << i), 1));
  }
  __syncwarp();
  counts[lane] = count;
}
