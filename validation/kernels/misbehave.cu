// SPDX-License-Identifier: Apache-2.0
// Kernels that go wrong in one way each: what the simulator must say about them is tested in validation/unit/sim.

/// Warp 0 waits for 64 threads at barrier 1, but nobody else ever comes.
extern "C" __global__ void deadlock(int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = 1;
}

/// Thread i of CTA 0 writes element first + i.
extern "C" __global__ void write_at(int* out, int first) { out[first + static_cast<int>(threadIdx.x)] = 1; }

/// Reads 4 bytes at any byte offset.
extern "C" __global__ void read_at(const char* in, int offset, int* out) {
  out[threadIdx.x] = *reinterpret_cast<const int*>(in + offset);
}

/// Counts until `stop` changes, which it never does.
extern "C" __global__ void never_ends(const volatile int* stop, int* out) {
  int count = 0;
  while (*stop == 0) ++count;
  out[threadIdx.x] = count;
}

/// Thread 0 counts through `rounds` reads of one word, then sets the flag that CTA 1 asks for all the time.
extern "C" __global__ void waits_long(volatile int* words, int rounds) {
  if (blockIdx.x == 1) {
    while (words[0] == 0) {
    }
    words[1 + threadIdx.x % 32] = 1;
  } else if (threadIdx.x == 0) {
    int sum = 1;
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) sum += words[63];
    words[0] = sum;
  }
}

/// Lane 0 of each warp asks for a lock that nobody holds or gives; the others wait for it.
extern "C" __global__ void lock_for_ever(int* lock, int* out) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 1, 2) == 0) __nanosleep(20);
  }
  __syncthreads();
  out[threadIdx.x] = 1;
}

/// Static shared memory that fits, dynamic shared memory as asked for.
extern "C" __global__ void use_shared(int* out) {
  __shared__ int buffer[1024];
  extern __shared__ int more[];
  buffer[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x ^ 1u] + (out == nullptr ? more[0] : 0);
}

/// Asks for what no GPU here has: it is refused when it comes to that.
extern "C" __global__ void asks_for_grid_id(unsigned long long* out) {
  unsigned long long id;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(id));
  out[threadIdx.x] = id;
}
