// SPDX-License-Identifier: Apache-2.0
// Kernels that synchronise through mbarrier objects: cuda::barrier, cuda::pipeline, cuda::memcpy_async, cooperative
// groups, and mbarrier instructions one by one.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

/// Every thread reads what its neighbour wrote in this round, then all agree to go on.
extern "C" __global__ void barrier_rounds(const int* in, int* out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ int values[256];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    values[threadIdx.x] = in[r * blockDim.x + threadIdx.x];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    sum = sum * 3 + values[(threadIdx.x + 1) % blockDim.x];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

/// One warp fewer takes part in each round.
extern "C" __global__ void barrier_drop(int* out) {
  __shared__ Barrier barrier;
  __shared__ int count;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    count = 0;
  }
  __syncthreads();
  for (int r = 0; r < 4; ++r) {
    if (threadIdx.x >= 128 - 32 * r) {
      barrier.arrive_and_drop();
      break;
    }
    atomicAdd(&count, 1);
    barrier.arrive_and_wait();
    if (threadIdx.x == 0) out[r] = count;
    barrier.arrive_and_wait();
  }
}

/// A block's words come by asynchronous copies that arrive at the barrier themselves.
extern "C" __global__ void copy_with_barrier(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int words[256];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, words, in + blockIdx.x * 256, cuda::aligned_size_t<4>(sizeof(int) * 256), barrier);
  barrier.arrive_and_wait();
  out[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x ^ 33];
}

extern "C" __global__ void copy_of_group(const int4* in, int4* out) {
  __shared__ int4 rows[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, rows, in + blockIdx.x * 256, sizeof(int4) * 256);
  cg::wait(block);
  out[blockIdx.x * blockDim.x + threadIdx.x] = rows[threadIdx.x ^ 33];
}

extern "C" __global__ void pipeline_of_threads(const int* in, int* out, int n) {
  __shared__ int stages[4][128];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int i = 0, fetched = 0; i < n; ++i) {
    for (; fetched < n && fetched < i + 4; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stages[fetched % 4][threadIdx.x], in + fetched * 128 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + stages[i % 4][threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void pipeline_of_block(const int* in, int* out, int n) {
  __shared__ int stages[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0, fetched = 0; i < n; ++i) {
    for (; fetched < n && fetched < i + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages[fetched % 2], in + fetched * 128, sizeof(int) * 128, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + stages[i % 2][(threadIdx.x + 1) % 128];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

/// Two warps fetch, two compute.
extern "C" __global__ void pipeline_of_roles(const int* in, int* out, int n) {
  __shared__ int stages[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const auto role = threadIdx.x < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    for (int i = 0; i < n; ++i) {
      pipe.producer_acquire();
      for (int half = 0; half < 128; half += 64) {
        cuda::memcpy_async(&stages[i % 2][threadIdx.x + half], in + i * 128 + threadIdx.x + half, sizeof(int), pipe);
      }
      pipe.producer_commit();
    }
    return;
  }
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    pipe.consumer_wait();
    sum = sum * 3 + stages[i % 2][threadIdx.x - 64] - stages[i % 2][(threadIdx.x + 5) % 128];
    pipe.consumer_release();
  }
  out[threadIdx.x - 64] = sum;
}

#if __CUDA_ARCH__ >= 900
using u64 = unsigned long long;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

/// Tokens and phases after each operation, one thread: what is read back is what an H200 was seen to give.
extern "C" __global__ void barrier_states(u64* out) {
  __shared__ alignas(8) u64 word;
  const unsigned b = shared_address(&word);
  int k = 0;
#define INIT(n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(n) : "memory")
#define TX(operation, n) \
  asm volatile("mbarrier." operation ".relaxed.cta.shared.b64 [%0], %1;" ::"r"(b), "r"(n) : "memory")
#define TOKEN(operation, ...)                                      \
  {                                                                \
    u64 token;                                                     \
    asm volatile("mbarrier." operation ".shared.b64 %0, [%1], %2;" \
                 : "=l"(token)                                     \
                 : "r"(b), "r"(__VA_ARGS__)                        \
                 : "memory");                                      \
    out[k++] = token >> 32;                                        \
  }
#define PHASE(parity)                                                                                      \
  {                                                                                                        \
    int over;                                                                                              \
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" \
                 : "=r"(over)                                                                              \
                 : "r"(b), "r"(parity)                                                                     \
                 : "memory");                                                                              \
    out[k++] = over;                                                                                       \
  }
  INIT(5);
  TOKEN("arrive", 1);
  TOKEN("arrive", 2);
  TX("expect_tx", 64);
  TOKEN("arrive", 1);
  PHASE(0);
  PHASE(1);
  TX("complete_tx", 64);
  TOKEN("arrive", 1);
  PHASE(0);
  PHASE(1);
  INIT(1);
  TX("expect_tx", 1);
  TX("expect_tx", 0x1000);
  TOKEN("arrive", 1);
  PHASE(0);
  TX("complete_tx", 0x1000);
  PHASE(0);
  TX("complete_tx", 1);
  PHASE(0);
  INIT(1);
  TX("complete_tx", 256);
  TOKEN("arrive", 1);
  PHASE(0);
  TX("expect_tx", 256);
  PHASE(0);
  INIT(4);
  TOKEN("arrive_drop", 1);
  TOKEN("arrive_drop", 2);
  TOKEN("arrive", 1);
  TOKEN("arrive", 1);
  INIT(2);
  TOKEN("arrive_drop.expect_tx", 32);
  TOKEN("arrive", 1);
  PHASE(0);
  TX("complete_tx", 32);
  PHASE(0);
  INIT(0xfffff);
  TOKEN("arrive", 0xfffff);
  TOKEN("arrive.expect_tx", 512);
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b) : "memory");
}

/// All lanes at once: at one barrier, at two, some of them, with counts and bytes of their own.
extern "C" __global__ void barrier_lanes(u64* out) {
  __shared__ alignas(8) u64 words[2];
  const unsigned b = shared_address(words);
  const int lane = threadIdx.x;
  u64 token = 0;
#define START(n)                                                                                           \
  if (lane < 2) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b + 8 * lane), "r"(n) : "memory"); \
  __syncwarp();
#define STORE(section)                    \
  out[(section)*32 + lane] = token >> 32; \
  __syncwarp();
#define ARRIVE(address) asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(address) : "memory")
  START(40);
  ARRIVE(b);
  STORE(0);
  if (lane < 8) ARRIVE(b);
  STORE(1);
  START(1000);
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(b), "r"(lane + 1) : "memory");
  STORE(2);
  START(40);
  ARRIVE(b + 8 * (lane & 1));
  STORE(3);
  START(1000);
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(b), "r"(lane * 16) : "memory");
  ARRIVE(b);
  STORE(4);
}

/// A try_wait with a time limit on a barrier that nobody completes.
extern "C" __global__ void barrier_time_limit(int* out) {
  __shared__ alignas(8) u64 word;
  const unsigned b = shared_address(&word);
  INIT(1);
  int over;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0, 1000; selp.b32 %0, 1, 0, p;}"
               : "=r"(over)
               : "r"(b)
               : "memory");
  out[0] = over;
}
#endif
