// SPDX-License-Identifier: Apache-2.0
// In which order the paths of a diverged warp run. Every kernel leaves a trail: each lane stores, per place that it
// passes, the place's number and the clock. Lanes that passed together have the same clock.
//   path_<what>(Step* trail, const int* data, int* words)
//   trail: per warp kSteps rows of 32; data: one number per thread; words: 64 zeroed words per CTA.
#define STC_TRAIL_STEPS 128
#include "validation/kernels/path_trail.cuh"

#define BEGIN                                                    \
  Trail step(trail);                                             \
  const int v = data[blockIdx.x * blockDim.x + threadIdx.x];     \
  [[maybe_unused]] volatile int* flag = words + blockIdx.x * 64; \
  step(1)

/// Two sides of a branch; the data say who goes where.
PATHS(if) {
  BEGIN;
  if (v & 1) {
    step(10), step(11), step(12);
  } else {
    step(20), step(21), step(22);
  }
  step(30);
}

/// The same, the other side written first.
PATHS(unless) {
  BEGIN;
  if (!(v & 1)) {
    step(20), step(21), step(22);
  } else {
    step(10), step(11), step(12);
  }
  step(30);
}

/// A side that some skip.
PATHS(skip) {
  BEGIN;
  if (v & 1) step(10), step(11), step(12), step(13);
  step(30);
}

/// Four paths by nested branches; regions meet inside and outside.
PATHS(nested) {
  BEGIN;
  if (v & 1) {
    step(10);
    if (v & 2) {
      step(11), step(12), step(13);
    } else {
      step(14), step(15), step(16);
    }
    step(17);
  } else {
    step(20);
    if (v & 2) {
      step(21), step(22), step(23);
    } else {
      step(24), step(25), step(26);
    }
    step(27);
  }
  step(30);
}

/// Loops with a trip count per lane.
PATHS(loop) {
  BEGIN;
#pragma unroll 1
  for (int i = 0; i < v; ++i) step(10);
  step(20);
}

/// A loop with a branch inside and one that lanes leave early.
PATHS(loop_branch) {
  BEGIN;
#pragma unroll 1
  for (int i = 0; i < 6; ++i) {
    step(10);
    if ((v >> i) & 1) {
      step(11), step(12), step(13);
    } else {
      step(14), step(15), step(16);
    }
    if (((v >> 8) & 7) == i) break;
    step(17);
    if (((v >> 12) & 7) == i) continue;
    step(18), step(19), step(20);
  }
  step(30);
}

/// Two nested loops with trip counts per lane.
PATHS(loops) {
  BEGIN;
#pragma unroll 1
  for (int i = 0; i < (v & 7); ++i) {
    step(10);
#pragma unroll 1
    for (int j = 0; j < ((v >> 4) & 7); ++j) step(11);
    step(12);
  }
  step(20);
}

/// A switch with a table of targets.
PATHS(switch) {
  BEGIN;
  switch (v) {
    case 0: step(10), step(11); break;
    case 1: step(12), step(13); break;
    case 2: step(14), step(15), step(16); break;
    case 3: step(17), step(18); break;
    case 4: step(19), step(20), step(21), step(22); break;
    case 5: step(23), step(24); break;
    case 6: step(25), step(26), step(27); break;
    case 7: step(28), step(29); break;
    case 8: step(30), step(31); break;
    default: step(40), step(41); break;
  }
  step(50);
}

__device__ __noinline__ void leaf_a(Trail& step) { step(10), step(11); }
__device__ __noinline__ void leaf_b(Trail& step) { step(12), step(13), step(14); }
__device__ __noinline__ void leaf_c(Trail& step) { step(15), step(16); }
__device__ __noinline__ void leaf_d(Trail& step) { step(17), step(18), step(19), step(20); }
typedef void (*Leaf)(Trail&);
__device__ Leaf leaves[4] = {leaf_a, leaf_b, leaf_c, leaf_d};

/// Calls through a pointer per lane.
PATHS(pointers) {
  BEGIN;
  leaves[v & 3](step);
  step(30);
  leaves[(v >> 2) & 3](step);
  step(31);
}

__device__ __noinline__ int descend(Trail& step, int depth) {
  step(10 + static_cast<unsigned>(depth));
  if (depth <= 1) return 1;
  int sum = descend(step, depth - 1);
  step(20 + static_cast<unsigned>(depth));
  if (depth & 1) sum += descend(step, depth - 2);
  step(30 + static_cast<unsigned>(depth));
  return sum;
}

/// Recursion whose depth differs.
PATHS(recursion) {
  BEGIN;
  words[blockIdx.x * 64 + threadIdx.x] = descend(step, v);
  step(50);
}

/// A function called by two sides: its return goes to two places.
__device__ __noinline__ void shared_leaf(Trail& step) { step(40), step(41); }
PATHS(return ) {
  BEGIN;
  if (v & 1) {
    step(10);
    shared_leaf(step);
    step(11), step(12);
  } else {
    step(20);
    shared_leaf(step);
    step(21), step(22);
  }
  step(30);
}

/// Lanes end at different places.
PATHS(exit) {
  BEGIN;
  if ((v & 3) == 0) {
    step(10), step(11);
    return;
  }
  step(20);
  if ((v & 3) == 1) {
    step(21), step(22), step(23);
    return;
  }
  step(30);
  __syncwarp(__activemask());
  if ((v & 3) == 2) {
    step(31), step(32);
  } else {
    step(33), step(34), step(35);
  }
  step(40);
}

/// One side waits for memory; does the other run meanwhile?
PATHS(load) {
  BEGIN;
  if (v & 1) {
    step(10);
    const int x = *static_cast<volatile const int*>(words + blockIdx.x * 64 + (v >> 1));
    step(11);
    if (x == 77) step(77), step(78), step(79);
    step(12), step(13);
    const int y = *static_cast<volatile const int*>(words + blockIdx.x * 64 + (v >> 1) + 32 + x);
    flag[2] = y;
    step(14);
  } else {
    step(20);
    const int x = *static_cast<volatile const int*>(words + blockIdx.x * 64 + (v >> 1));
    flag[3] = x;
    step(21), step(22), step(23), step(24);
  }
  step(30);
}

/// Long arithmetic on both sides: does a path give way on its own?
PATHS(long) {
  BEGIN;
  int x = v;
  if (v & 1) {
    step(10);
#pragma unroll 1
    for (int i = 0; i < (v >> 4); ++i) {
      asm volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x));
    }
    step(11), step(12);
  } else {
    step(20);
#pragma unroll 1
    for (int i = 0; i < (v >> 4); ++i) {
      asm volatile("mad.lo.s32 %0, %0, 5, 1;" : "+r"(x));
    }
    step(21), step(22);
  }
  words[blockIdx.x * 64 + threadIdx.x] = x;
  step(30);
}

/// Long loops that load on both sides.
PATHS(long_loads) {
  BEGIN;
  int x = 0;
  if (v & 1) {
    step(10);
#pragma unroll 1
    for (int i = 0; i < (v >> 4); ++i) x += flag[x & 1];
    step(11), step(12);
  } else {
    step(20);
#pragma unroll 1
    for (int i = 0; i < (v >> 4); ++i) x += flag[x & 3];
    step(21), step(22);
  }
  words[blockIdx.x * 64 + threadIdx.x] = x;
  step(30);
}

/// Sides that meet in the middle.
PATHS(syncwarp) {
  BEGIN;
  if (v & 1) {
    step(10), step(11);
    __syncwarp();
    step(12), step(13);
  } else {
    step(20), step(21);
    __syncwarp();
    step(22), step(23);
  }
  step(30);
  if (v & 2) {
    step(31), step(32);
    __syncwarp();
    step(33);
  } else {
    step(34), step(35);
    __syncwarp();
    step(36);
  }
  step(40);
}

/// Sides that sleep.
PATHS(sleep) {
  BEGIN;
  if (v & 1) {
    step(10);
    __nanosleep(400);
    step(11);
    __nanosleep(400);
    step(12);
  } else {
    step(20);
    __nanosleep(400);
    step(21);
    __nanosleep(100);
    step(22), step(23);
  }
  step(30);
}

/// Lanes in a loop wait for the others to set a flag; they give up after a while.
template <int kMode>
__device__ __forceinline__ int wait_for(volatile int* flag, int* words) {
  int spins = 0;
  if (kMode == 0) {
    while (flag[0] == 0 && spins < 20000) ++spins;
  } else if (kMode == 1) {
    while (flag[0] == 0 && spins < 20000) ++spins, __nanosleep(40);
  } else if (kMode == 2) {
    while (atomicAdd(words + blockIdx.x * 64, 0) == 0 && spins < 20000) ++spins;
  } else {
    while (atomicCAS(words + blockIdx.x * 64, 7, 7) == 0 && spins < 20000) ++spins;
  }
  return spins;
}

template <int kMode>
__device__ __forceinline__ void waiting(Step* trail, const int* data, int* words) {
  BEGIN;
  int spins = 0;
  if (v & 1) {
    step(10);
    spins = wait_for<kMode>(flag, words);
    step(11), step(12);
  } else {
    step(20), step(21);
    flag[0] = 1;
    step(22), step(23);
  }
  step(30);
  step(0x1000 + static_cast<unsigned>(spins));
}
PATHS(wait_load) { waiting<0>(trail, data, words); }
PATHS(wait_sleep) { waiting<1>(trail, data, words); }
PATHS(wait_add) { waiting<2>(trail, data, words); }
PATHS(wait_cas) { waiting<3>(trail, data, words); }

/// The other polarity: who sets the flag is written first.
PATHS(wait_first) {
  BEGIN;
  int spins = 0;
  if (!(v & 1)) {
    step(20), step(21);
    flag[0] = 1;
    step(22), step(23);
  } else {
    step(10);
    spins = wait_for<0>(flag, words);
    step(11), step(12);
  }
  step(30);
  step(0x1000 + static_cast<unsigned>(spins));
}

/// A lock per thread; the trail holds who got it after how many tries.
template <bool kSleeps>
__device__ __forceinline__ void locked(Step* trail, const int* data, int* words) {
  BEGIN;
  int tries = 1;
  int* lock = words + blockIdx.x * 64 + (v & 31);
#pragma unroll 1
  while (atomicCAS(lock, 0, 1) != 0 && tries < 20000) {
    ++tries;
    if (kSleeps) __nanosleep(20);
  }
  step(10);
  flag[40] = flag[40] + 1;
  __threadfence();
  atomicExch(lock, 0);
  step(20);
  step(0x1000 + static_cast<unsigned>(tries));
}
PATHS(lock) { locked<false>(trail, data, words); }
PATHS(lock_sleep) { locked<true>(trail, data, words); }

/// The same, the critical section inside the loop.
PATHS(lock_inside) {
  BEGIN;
  int tries = 1;
  int* lock = words + blockIdx.x * 64 + (v & 31);
  bool done = false;
#pragma unroll 1
  while (!done && tries < 20000) {
    if (atomicCAS(lock, 0, 1) == 0) {
      step(10);
      flag[40] = flag[40] + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
      step(11);
    } else {
      ++tries;
    }
  }
  step(20);
  step(0x1000 + static_cast<unsigned>(tries));
}

/// Atomics that return a value feed a branch.
PATHS(ticket) {
  BEGIN;
  const int mine = atomicAdd(words + blockIdx.x * 64 + (v & 15), 1);
  step(10);
  if (mine & 1) {
    step(11), step(12);
  } else {
    step(13), step(14), step(15);
  }
  step(20);
  int turns = 0;
#pragma unroll 1
  while (flag[32 + (v & 15)] != mine && turns < 20000) ++turns;
  step(21);
  flag[32 + (v & 15)] = mine + 1;
  step(22);
  step(0x1000 + static_cast<unsigned>(turns));
}

/// A vote and a shuffle in parts of a warp, then a CTA barrier inside each side.
PATHS(votes) {
  BEGIN;
  unsigned b;
  if (v & 1) {
    step(10);
    b = __ballot_sync(__activemask(), v & 2);
    step(11), step(12);
  } else {
    step(20);
    b = __shfl_xor_sync(__activemask(), static_cast<unsigned>(v), 0);
    step(21), step(22);
  }
  words[blockIdx.x * 64 + threadIdx.x % 64] = static_cast<int>(b);
  __syncthreads();
  step(30);
  if (v & 2) {
    step(31);
    __syncthreads();
    step(32);
  } else {
    step(33);
    __syncthreads();
    step(34);
  }
  step(40);
}
