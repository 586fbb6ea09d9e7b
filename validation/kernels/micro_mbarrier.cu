// SPDX-License-Identifier: Apache-2.0
// mbarrier objects (sm_90): what a round of arriving and waiting costs, and what arrivals cost alone.
//   micro_mbarrier_<what>(Interval* out, int iterations)
#include "micro_common.cuh"

#if __CUDA_ARCH__ >= 900

__device__ __forceinline__ void set_barrier(std::uint32_t barrier, unsigned arrivals) {
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
  __syncthreads();
}
__device__ __forceinline__ void arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}
template <bool kSuspends>
__device__ __forceinline__ void wait(std::uint32_t barrier, unsigned parity) {
  int over = 0;
  while (over == 0) {
    if (kSuspends) {
      asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                   : "=r"(over)
                   : "r"(barrier), "r"(parity)
                   : "memory");
    } else {
      asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                   : "=r"(over)
                   : "r"(barrier), "r"(parity)
                   : "memory");
    }
  }
}

template <bool kSuspends>
__device__ __forceinline__ void rounds(Interval* out, int iterations) {
  __shared__ alignas(8) std::uint64_t word;
  const std::uint32_t barrier = shared_address(&word);
  set_barrier(barrier, blockDim.x);
  const std::uint64_t start = read_clock();
  for (int i = 0; i < iterations; ++i) {
    arrive(barrier);
    wait<kSuspends>(barrier, i & 1);
  }
  report(out, start, read_clock(), static_cast<std::uint64_t>(iterations), 0);
}
extern "C" __global__ void micro_mbarrier_try(Interval* out, int iterations) { rounds<true>(out, iterations); }
extern "C" __global__ void micro_mbarrier_test(Interval* out, int iterations) { rounds<false>(out, iterations); }

/// Each thread copies a word that is in the L1, and the copies arrive themselves.
extern "C" __global__ void micro_mbarrier_copies(Interval* out, int iterations, const std::uint32_t* data) {
  __shared__ alignas(8) std::uint64_t word;
  __shared__ std::uint32_t place[1024];
  const std::uint32_t barrier = shared_address(&word), to = shared_address(&place[threadIdx.x]);
  set_barrier(barrier, blockDim.x);
  std::uint64_t start = 0;
  for (int i = -2; i < iterations; ++i) {
    if (i == 0) start = read_clock();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(data + threadIdx.x) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
    wait<true>(barrier, i & 1);
  }
  report(out, start, read_clock(), static_cast<std::uint64_t>(iterations), 0);
}

/// Arrivals that nobody waits for: of all lanes at one barrier, and of `barriers` groups of lanes at one each.
extern "C" __global__ void micro_mbarrier_arrive(Interval* out, int iterations, int barriers) {
  __shared__ alignas(8) std::uint64_t words[32];
  for (int i = 0; i < 32; ++i) set_barrier(shared_address(&words[i]), 0xfffff);
  const std::uint32_t barrier = shared_address(&words[threadIdx.x % 32 % barriers]);
  arrive(barrier);
  const std::uint64_t start = read_clock();
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int k = 0; k < 8; ++k) arrive(barrier);
  }
  wait<false>(barrier, 1);
  report(out, start, read_clock(), static_cast<std::uint64_t>(iterations) * 8, 0);
}

#endif
