// SPDX-License-Identifier: Apache-2.0
// Atomics of several lanes, one instruction after the other.
//   micro_atomic_<what>(Interval* out, uint8* data, int lanes, int stride, int count)
//   lanes: how many of a warp take part; stride: words between the addresses of two lanes, 0: all at one address;
//   every CTA has words of its own.
// "chain": each needs the value of the one before it. "stream": none waits.
#include "micro_common.cuh"

enum class Operation {
  global_add,     // value returned
  global_reduce,  // no value
  global_cas,
  global_exchange,
  shared_add,
  shared_reduce,
  shared_count,  // adds 1, for which there is an instruction of its own
  shared_cas,
  shared_exchange
};

template <Operation kOperation>
__device__ __forceinline__ std::uint32_t apply(std::uint64_t global, std::uint32_t shared, std::uint32_t value) {
  std::uint32_t old = 0;
  if constexpr (kOperation == Operation::global_add)
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(global), "r"(value) : "memory");
  if constexpr (kOperation == Operation::global_reduce)
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(global), "r"(value) : "memory");
  if constexpr (kOperation == Operation::global_cas)
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;" : "=r"(old) : "l"(global), "r"(value) : "memory");
  if constexpr (kOperation == Operation::global_exchange)
    asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(global), "r"(value) : "memory");
  if constexpr (kOperation == Operation::shared_add)
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(shared), "r"(value) : "memory");
  if constexpr (kOperation == Operation::shared_reduce)
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(shared), "r"(value) : "memory");
  if constexpr (kOperation == Operation::shared_count)
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(shared) : "memory");
  if constexpr (kOperation == Operation::shared_cas)
    asm volatile("atom.shared.cas.b32 %0, [%1], %2, %2;" : "=r"(old) : "r"(shared), "r"(value) : "memory");
  if constexpr (kOperation == Operation::shared_exchange)
    asm volatile("atom.shared.exch.b32 %0, [%1], %2;" : "=r"(old) : "r"(shared), "r"(value) : "memory");
  return old;
}

template <Operation kOperation, bool kChain>
__device__ __forceinline__ void atomics(Interval* out, std::uint8_t* data, int lanes, int stride, int count) {
  __shared__ std::uint32_t words[2048];
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  const int place = lane * stride;
  std::uint64_t global = reinterpret_cast<std::uint64_t>(data) + blockIdx.x * 16384 + place * 4;
  std::uint32_t shared = shared_address(words) + place * 4, keep = 0;
  const std::uint64_t start = read_clock();
  if (lane < lanes) {
#pragma unroll 1
    for (int i = 0; i < count; i += 4) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const std::uint32_t old = apply<kOperation>(global, shared, kChain ? keep : 3);
        keep |= old & 0x80000000u;
        if (kChain) global += keep, shared += keep;
      }
    }
  }
  __syncwarp();
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), keep);
}

#define ATOMIC(what)                                                                                              \
  extern "C" __global__ void micro_atomic_chain_##what(Interval* out, std::uint8_t* data, int lanes, int stride,  \
                                                       int count) {                                               \
    atomics<Operation::what, true>(out, data, lanes, stride, count);                                              \
  }                                                                                                               \
  extern "C" __global__ void micro_atomic_stream_##what(Interval* out, std::uint8_t* data, int lanes, int stride, \
                                                        int count) {                                              \
    atomics<Operation::what, false>(out, data, lanes, stride, count);                                             \
  }
ATOMIC(global_add)
ATOMIC(global_reduce)
ATOMIC(global_cas)
ATOMIC(global_exchange)
ATOMIC(shared_add)
ATOMIC(shared_reduce)
ATOMIC(shared_count)
ATOMIC(shared_cas)
ATOMIC(shared_exchange)

/// One word that all CTAs of the launch work on.
extern "C" __global__ void micro_atomic_contended(Interval* out, std::uint8_t* data, int lanes, int returned,
                                                  int count) {
  const int lane = threadIdx.x % 32;
  const std::uint64_t global = reinterpret_cast<std::uint64_t>(data);
  std::uint32_t keep = 0;
  const std::uint64_t start = read_clock();
  if (lane < lanes) {
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      if (returned != 0)
        keep = apply<Operation::global_cas>(global + (keep & 0x80000000u), 0, 5 + (keep & 0x80000000u));
      else
        apply<Operation::global_reduce>(global, 0, 1);
    }
  }
  __syncwarp();
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), keep);
}
