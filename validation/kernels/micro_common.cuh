// SPDX-License-Identifier: Apache-2.0
// What every microbenchmark kernel shares: reading the clock and reporting.
//
// A kernel of kind "interval" writes one Interval per warp: clock64 before and after the measured loop and the
// number of measured operations that the warp executed between the two. A kernel of kind "samples" writes 32-bit
// words. Everything is volatile, so that order and count are what the source says.
#pragma once

#include <cstdint>

struct Interval {
  std::uint64_t start, stop;  ///< SM clocks
  std::uint64_t operations;
  std::uint64_t sm;
};

__device__ __forceinline__ std::uint64_t read_clock() {
  std::uint64_t value;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
  return value;
}

/// The low half of the clock: a single register, cheaper to read in a row.
__device__ __forceinline__ std::uint32_t read_clock32() {
  std::uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

__device__ __forceinline__ std::uint32_t sm_id() {
  std::uint32_t value;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
  return value;
}

/// Reports for the whole warp. `keep` is whatever must not be optimised away: it is stored only if it equals a value
/// that the compiler cannot exclude and the host never produces.
__device__ __forceinline__ void report(Interval* out, std::uint64_t start, std::uint64_t stop, std::uint64_t operations,
                                       std::uint32_t keep) {
  const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    out[warp].start = start;
    out[warp].stop = stop;
    out[warp].operations = operations;
    out[warp].sm = sm_id();
  }
  if (keep == 0x9E3779B9u && stop == start) out[warp].sm = keep;
}

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// ldmatrix.x4: four 8x8 matrices of 16-bit elements; a lane's address names one of their rows.
__device__ __forceinline__ void load_matrices(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

/// An asynchronous copy of 16 bytes into shared memory, past L1 (LDGSTS.BYPASS.128).
__device__ __forceinline__ void copy_16(std::uint32_t to, const std::uint8_t* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

/// A store of 8 bytes past which the compiler moves nothing; four lanes fill a sector.
__device__ __forceinline__ void store_8(std::uint8_t* to, std::uint32_t value) {
  asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(to), "r"(value) : "memory");
}

/// Clocks before and after one load of 4 bytes through L2, its value in hand (stored to `scratch`).
struct TimedLoad {
  std::uint64_t start, stop;
};

__device__ __forceinline__ TimedLoad timed_load(const std::uint8_t* address, const void* scratch) {
  [[maybe_unused]] std::uint32_t value;
  TimedLoad load;
  asm volatile(
      "mov.u64 %1, %%clock64;\n\t"
      "ld.global.cg.u32 %0, [%3];\n\t"
      "st.volatile.shared.u32 [%4], %0;\n\t"
      "mov.u64 %2, %%clock64;"
      : "=&r"(value), "=&l"(load.start), "=&l"(load.stop)
      : "l"(address), "r"(shared_address(scratch))
      : "memory");
  return load;
}

/// Waits until all `ctas` CTAs of the launch that take part are here, with kFences also until the others see what was
/// stored before. The counter is never reset.
template <bool kFences>
__device__ __forceinline__ void meet(std::uint8_t* data, unsigned ctas) {
  __syncthreads();
  if (threadIdx.x == 0) {
    if (kFences) __threadfence();
    auto* counter = reinterpret_cast<std::uint32_t*>(data) + ctas;
    const std::uint32_t goal = (atomicAdd(counter, 1) / ctas + 1) * ctas;
    while (*static_cast<volatile std::uint32_t*>(counter) < goal) {
    }
    if (kFences) __threadfence();
  }
  __syncthreads();
}

__device__ __forceinline__ std::uint64_t global_timer() {
  std::uint64_t value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}

/// A CTA of a kernel of kind "ctas" records when and where it ran and stays for `spin` clocks. Eight words: start clock
/// (2), stop clock (2), SM, its own reading of globaltimer at start (2), 0.
__device__ __forceinline__ void stay(std::uint32_t* samples, int spin) {
  const std::uint64_t start = read_clock();
  const std::uint64_t begin = global_timer();
  __syncthreads();
  while (read_clock() - start < static_cast<std::uint64_t>(spin)) {
  }
  const std::uint64_t stop = read_clock();
  if (threadIdx.x != 0) return;
  std::uint32_t* mine = samples + static_cast<std::uint64_t>(blockIdx.x) * 8;
  mine[0] = static_cast<std::uint32_t>(start), mine[1] = static_cast<std::uint32_t>(start >> 32);
  mine[2] = static_cast<std::uint32_t>(stop), mine[3] = static_cast<std::uint32_t>(stop >> 32);
  mine[4] = sm_id();
  mine[5] = static_cast<std::uint32_t>(begin), mine[6] = static_cast<std::uint32_t>(begin >> 32);
  mine[7] = 0;
}
