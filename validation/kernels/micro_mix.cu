// SPDX-License-Identifier: Apache-2.0
// Reads and stores at once: streams of both in several mixes, side by side in every CTA or in CTAs of their own.
#include "micro_common.cuh"

/// Where a CTA is in a region of `bytes` that it or all CTAs together walk through, round after round.
struct Walk {
  std::uint8_t* at;  ///< of this thread
  std::uint64_t step, offset, begin, bytes;

  /// `together`: the CTAs' chunks follow one another; else each CTA walks from its share of the region on.
  __device__ Walk(std::uint8_t* region, int kib, int lane_bytes, bool together) {
    const std::uint64_t chunk = static_cast<std::uint64_t>(blockDim.x) * static_cast<std::uint32_t>(lane_bytes);
    bytes = static_cast<std::uint64_t>(kib) * 1024;
    step = together ? chunk * gridDim.x : chunk;
    offset = together ? chunk * blockIdx.x : bytes / gridDim.x * blockIdx.x / chunk * chunk;
    begin = together ? offset : 0;
    at = region + threadIdx.x * static_cast<std::uint64_t>(lane_bytes);
  }
  __device__ std::uint8_t* place(int n) const { return at + offset + static_cast<std::uint32_t>(n) * step; }
  __device__ void next(int count) {
    offset += static_cast<std::uint32_t>(count) * step;
    if (offset + static_cast<std::uint32_t>(count) * step > bytes) offset = begin;
  }
};

__device__ __forceinline__ void read_16(const std::uint8_t* place, std::uint32_t (&r)[4]) {
  asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(place)
               : "memory");
}

__device__ __forceinline__ void store_16(std::uint8_t* place, std::uint32_t word) {
  asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(place), "r"(word) : "memory");
}

/// `rounds` times kReads reads, then kStores stores of 16 bytes a lane, lanes `lane_bytes` apart. Reads walk through
/// `read_kib` at the start of the buffer, stores through `store_kib` from `store_at_mib` on. With kTied stores wait for
/// the round's reads. Only SMs of the GPCs in the mask `gpcs` take part (on an H200 SM s belongs to GPC (s / 2) % 8,
/// but for a few at the end, which stay out where the mask names some GPCs). operations = bytes read and stored per
/// warp.
template <int kReads, int kStores, bool kTied>
__device__ __forceinline__ void mix(Interval* out, std::uint8_t* data, int read_kib, int store_kib, int store_at_mib,
                                    int lane_bytes, int together, int rounds, int gpcs = 0xff) {
  if (gpcs != 0xff) {
    const int sm = static_cast<int>(sm_id());
    if (sm >= 120 || (gpcs >> (sm / 2 % 8) & 1) == 0) return;
  }
  Walk reads(data, read_kib, lane_bytes, together != 0);
  Walk stores(data + (static_cast<std::uint64_t>(store_at_mib) << 20), store_kib, lane_bytes, together != 0);
  std::uint32_t keep = threadIdx.x;
  __syncthreads();
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    std::uint32_t r[kReads == 0 ? 1 : kReads][4];
#pragma unroll
    for (int u = 0; u < kReads; ++u) read_16(reads.place(u), r[u]);
    if (kTied) {
#pragma unroll
      for (int u = 0; u < kReads; ++u) keep ^= r[u][0] ^ r[u][1] ^ r[u][2] ^ r[u][3];
    }
#pragma unroll
    for (int u = 0; u < kStores; ++u) store_16(stores.place(u), kTied ? keep : threadIdx.x);
    if (!kTied) {
#pragma unroll
      for (int u = 0; u < kReads; ++u) keep ^= r[u][0] ^ r[u][1] ^ r[u][2] ^ r[u][3];
    }
    reads.next(kReads);
    stores.next(kStores);
  }
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(rounds) * (kReads + kStores) * 32 * 16, keep);
}

#define MIX(name, reads, stores, tied)                                                                        \
  extern "C" __global__ void micro_mix_##name(Interval* out, std::uint8_t* data, int read_kib, int store_kib, \
                                              int store_at_mib, int lane_bytes, int together, int rounds) {   \
    mix<reads, stores, tied>(out, data, read_kib, store_kib, store_at_mib, lane_bytes, together, rounds);     \
  }
MIX(8_0, 8, 0, false)
MIX(8_1, 8, 1, false)
MIX(8_2, 8, 2, false)
MIX(8_4, 8, 4, false)
MIX(8_8, 8, 8, false)
MIX(4_8, 4, 8, false)
MIX(2_8, 2, 8, false)
MIX(0_8, 0, 8, false)
MIX(tied_8_4, 8, 4, true)
MIX(tied_4_4, 4, 4, true)
MIX(tied_2_1, 2, 1, true)

#define MIX_GPCS(name, reads, stores)                                                                              \
  extern "C" __global__ void micro_mix_gpcs_##name(Interval* out, std::uint8_t* data, int read_kib, int store_kib, \
                                                   int store_at_mib, int gpcs, int rounds) {                       \
    mix<reads, stores, false>(out, data, read_kib, store_kib, store_at_mib, 16, 0, rounds, gpcs);                  \
  }
MIX_GPCS(8_0, 8, 0)
MIX_GPCS(8_2, 8, 2)
MIX_GPCS(8_4, 8, 4)
MIX_GPCS(8_8, 8, 8)
MIX_GPCS(2_8, 2, 8)
MIX_GPCS(0_8, 0, 8)

/// Of every four CTAs the first `readers` read, the others store, eight accesses a round. Those that are not measured
/// make three times as many rounds. operations = bytes read or stored per warp.
extern "C" __global__ void micro_mix_roles(Interval* out, std::uint8_t* data, int read_kib, int store_kib,
                                           int store_at_mib, int readers, int measure_readers, int rounds) {
  const bool reader = static_cast<int>(blockIdx.x % 4) < readers;
  const bool measured = reader == (measure_readers != 0);
  Walk walk(data + (reader ? 0 : static_cast<std::uint64_t>(store_at_mib) << 20), reader ? read_kib : store_kib, 16,
            false);
  const int own = measured ? rounds : 3 * rounds;
  std::uint32_t keep = threadIdx.x;
  __syncthreads();
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < own; ++i) {
    if (reader) {
      std::uint32_t r[8][4];
#pragma unroll
      for (int u = 0; u < 8; ++u) read_16(walk.place(u), r[u]);
#pragma unroll
      for (int u = 0; u < 8; ++u) keep ^= r[u][0] ^ r[u][1] ^ r[u][2] ^ r[u][3];
    } else {
#pragma unroll
      for (int u = 0; u < 8; ++u) store_16(walk.place(u), threadIdx.x);
    }
    walk.next(8);
  }
  const std::uint64_t stop = read_clock();
  if (measured) report(out, start, stop, static_cast<std::uint64_t>(rounds) * 8 * 32 * 16, keep);
  if (keep == 0x9E3779B9u) out[0].sm = keep;
}

/// One pass of many CTAs, as elementwise kernels make: a thread reads 16 bytes of each of kReads arrays, then stores 16
/// bytes to each of kStores arrays, arrays `array_kib` apart, those to store to behind the others. CTA 0 reports alone.
template <int kReads, int kStores>
__device__ __forceinline__ void once(Interval* out, std::uint8_t* data, int array_kib) {
  const std::uint64_t start = read_clock();
  const std::uint64_t array = static_cast<std::uint64_t>(array_kib) << 10;
  std::uint8_t* at = data + (static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * 16;
  std::uint32_t keep = threadIdx.x;
  std::uint32_t r[kReads == 0 ? 1 : kReads][4];
#pragma unroll
  for (int u = 0; u < kReads; ++u) read_16(at + static_cast<std::uint32_t>(u) * array, r[u]);
#pragma unroll
  for (int u = 0; u < kReads; ++u) keep ^= r[u][0] ^ r[u][1] ^ r[u][2] ^ r[u][3];
#pragma unroll
  for (int u = 0; u < kStores; ++u) store_16(at + static_cast<std::uint32_t>(kReads + u) * array, keep);
  const std::uint64_t stop = read_clock();
  if (blockIdx.x == 0) report(out, start, stop, (kReads + kStores) * 32 * 16, keep);
  if (keep == 0x9E3779B9u) out[0].sm = keep;
}

#define ONCE(name, reads, stores)                                                                  \
  extern "C" __global__ void micro_once_##name(Interval* out, std::uint8_t* data, int array_kib) { \
    once<reads, stores>(out, data, array_kib);                                                     \
  }
ONCE(1_0, 1, 0)
ONCE(2_0, 2, 0)
ONCE(4_0, 4, 0)
ONCE(0_1, 0, 1)
ONCE(1_1, 1, 1)
ONCE(2_1, 2, 1)
ONCE(4_1, 4, 1)
ONCE(1_2, 1, 2)
ONCE(2_2, 2, 2)
