// SPDX-License-Identifier: Apache-2.0
// Shared memory: LDS and STS of each width over address patterns in which lanes share words.
//   micro_<lds|sts>_<bits>_pattern(Interval* out, int iterations, int lanes, int b0, int b1, int b2, int b3, int b4)
//     lanes: bit per lane that takes part; bit i of a lane's number adds b<i> bytes to its offset
//   micro_lds_<bits>_pattern_chase(...)                          the same as a dependent chain: latency
//   micro_<lds|sts>_<bits>_random(Interval* out, int iterations, int seed, int words)
//     a lane's offset is one of `words` multiples of the width, chosen by `random_word`
// Accesses of an iteration are 128 bytes apart, so that none names the words of another.
#include "micro_common.cuh"

constexpr int kUnroll = 16;
constexpr int kPlaceBytes = 128;  // keeps the banks

/// One of `words`, by a multiplicative hash.
__device__ __forceinline__ std::uint32_t random_word(std::uint32_t seed, std::uint32_t words) {
  const std::uint32_t mixed = (seed * 32u + threadIdx.x % 32) * 2654435761u;
  return ((mixed >> 16 ^ mixed) * 2246822519u >> 16) % words;
}

template <int kBytes>
__device__ __forceinline__ void load(std::uint32_t (&r)[4], std::uint32_t place) {
  if constexpr (kBytes == 4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(place));
  if constexpr (kBytes == 8)
    asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(place));
  if constexpr (kBytes == 16)
    asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(place));
}

template <int kBytes>
__device__ __forceinline__ void store(std::uint32_t place, std::uint32_t value) {
  if constexpr (kBytes == 4) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(place), "r"(value));
  if constexpr (kBytes == 8) asm volatile("st.volatile.shared.v2.u32 [%0], {%1,%1};" ::"r"(place), "r"(value));
  if constexpr (kBytes == 16) asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(place), "r"(value));
}

/// An iteration: kUnroll loads, eight of them before the first result is looked at, or kUnroll stores.
template <int kBytes, bool kStore>
__device__ __forceinline__ std::uint32_t iteration(std::uint32_t address, std::uint32_t keep) {
  constexpr int kAtOnce = 8;
#pragma unroll
  for (int first = 0; first < kUnroll; first += kAtOnce) {
    std::uint32_t r[kAtOnce][4] = {};
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u) {
      const std::uint32_t place = address + (first + u) * kPlaceBytes;
      if constexpr (kStore) store<kBytes>(place, keep);
      if constexpr (!kStore) load<kBytes>(r[u], place);
    }
    if constexpr (!kStore) {
#pragma unroll
      for (int u = 0; u < kAtOnce; ++u) keep ^= r[u][0] ^ r[u][1] ^ r[u][2] ^ r[u][3];
    }
  }
  return keep;
}

template <int kBytes, bool kStore>
__device__ __forceinline__ void rate(Interval* out, int iterations, std::uint32_t offset, bool takes_part) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  std::uint32_t address = shared_address(memory) + offset;
  const std::uint32_t step = static_cast<std::uint32_t>(iterations) >> 20;  // 0, unknown to the compiler
  std::uint32_t keep = threadIdx.x;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
    if (takes_part) {
#pragma unroll 1
      for (int i = 0; i < iterations; ++i) {
        address += step;
        keep = iteration<kBytes, kStore>(address, keep);
      }
    }
    __syncwarp();
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kUnroll, keep);
}

/// The first word loaded is the lane's own address again.
template <int kBytes>
__device__ __forceinline__ void chase(Interval* out, int iterations, std::uint32_t offset, bool takes_part) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  std::uint32_t address = shared_address(memory) + offset;
  *reinterpret_cast<std::uint32_t*>(memory + offset) = address;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
    if (takes_part) {
#pragma unroll 1
      for (int i = 0; i < iterations; ++i) {
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) {
          std::uint32_t r[4];
          load<kBytes>(r, address);
          address = r[0];
        }
      }
    }
    __syncwarp();
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kUnroll, address);
}

enum class Loop { kLoads, kStores, kChase };

template <int kBytes, Loop kLoop>
__device__ __forceinline__ void of_bits(Interval* out, int iterations, int lanes, const int (&bytes)[5]) {
  std::uint32_t offset = 0;
  for (int bit = 0; bit < 5; ++bit) offset += threadIdx.x >> bit & 1u ? static_cast<std::uint32_t>(bytes[bit]) : 0u;
  const bool takes_part = (static_cast<std::uint32_t>(lanes) >> threadIdx.x % 32 & 1u) != 0;
  if constexpr (kLoop == Loop::kChase) {
    chase<kBytes>(out, iterations, offset, takes_part);
  } else {
    rate<kBytes, kLoop == Loop::kStores>(out, iterations, offset, takes_part);
  }
}

#define BY_BITS(name, bytes, loop)                                                                                    \
  extern "C" __global__ void name(Interval* out, int iterations, int lanes, int b0, int b1, int b2, int b3, int b4) { \
    of_bits<bytes, loop>(out, iterations, lanes, {b0, b1, b2, b3, b4});                                               \
  }
#define AT_RANDOM(name, bytes, stores)                                                                   \
  extern "C" __global__ void name(Interval* out, int iterations, int seed, int words) {                  \
    const auto place = random_word(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(words)); \
    rate<bytes, stores>(out, iterations, place * bytes, true);                                           \
  }
#define WIDTH(bits, bytes)                                       \
  BY_BITS(micro_lds_##bits##_pattern, bytes, Loop::kLoads)       \
  BY_BITS(micro_sts_##bits##_pattern, bytes, Loop::kStores)      \
  BY_BITS(micro_lds_##bits##_pattern_chase, bytes, Loop::kChase) \
  AT_RANDOM(micro_lds_##bits##_random, bytes, false)             \
  AT_RANDOM(micro_sts_##bits##_random, bytes, true)
WIDTH(32, 4)
WIDTH(64, 8)
WIDTH(128, 16)
