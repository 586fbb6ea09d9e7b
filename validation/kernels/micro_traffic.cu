// SPDX-License-Identifier: Apache-2.0
// What L2 keeps and what goes to device memory: reads and stores of known volume, counted by ncu; and two SMs of a GPC
// that ask for one line a known time apart.
#include "micro_common.cuh"

__device__ __forceinline__ std::uint32_t read_16(const std::uint8_t* place) {
  std::uint32_t r[4];
  asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(place)
               : "memory");
  return r[0] ^ r[1] ^ r[2] ^ r[3];
}

__device__ __forceinline__ void write_16(std::uint8_t* place, std::uint32_t value) {
  asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(place), "r"(value) : "memory");
}

/// One phase: `kib` KiB from `base`, by those CTAs together that take part, in chunks of blockDim x 16 bytes dealt out
/// in turn (so that lines are touched in the order of their addresses); with one rank in all, by every CTA all of it.
template <bool kStore>
__device__ __forceinline__ std::uint32_t sweep(std::uint8_t* base, int kib, int rank, int ranks) {
  const std::uint64_t chunk = static_cast<std::uint64_t>(blockDim.x) * 16;
  const std::uint64_t bytes = static_cast<std::uint64_t>(kib) * 1024;
  std::uint32_t keep = threadIdx.x;
#pragma unroll 4
  for (std::uint64_t at = static_cast<std::uint64_t>(rank) * chunk; at < bytes;
       at += static_cast<std::uint64_t>(ranks) * chunk) {
    if (kStore)
      write_16(base + at + threadIdx.x * 16, keep);
    else
      keep ^= read_16(base + at + threadIdx.x * 16);
  }
  return keep;
}

/// `first_kib` KiB stored `stores` times, then `read_kib` KiB (behind them) read `reads` times, then `last_kib` KiB
/// (behind those) stored, all CTAs waiting for each other after each. From one reading to the next a CTA's share moves
/// on by `shift` SMs; `alone` 0: every CTA reads everything. One CTA per SM. operations = bytes of a reading.
extern "C" __global__ void micro_l2_volume(Interval* out, std::uint8_t* data, int first_kib, int stores, int read_kib,
                                           int reads, int shift, int alone, int last_kib) {
  const int ranks = static_cast<int>(gridDim.x), rank = static_cast<int>(sm_id());
  std::uint8_t* const first = data + 65536;
  std::uint8_t* const middle = first + static_cast<std::uint64_t>(first_kib) * 1024;
  std::uint8_t* const last = middle + static_cast<std::uint64_t>(read_kib) * 1024;
  std::uint32_t keep = 0;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < stores; ++i) {
    sweep<true>(first, first_kib, rank, ranks);
    meet<true>(data, gridDim.x);
  }
#pragma unroll 1
  for (int i = 0; i < reads; ++i) {
    keep ^= alone != 0 ? sweep<false>(middle, read_kib, (rank + i * shift) % ranks, ranks)
                       : sweep<false>(middle, read_kib, 0, 1);
    meet<true>(data, gridDim.x);
  }
  sweep<true>(last, last_kib, rank, ranks);
  report(out, start, read_clock(), static_cast<std::uint64_t>(read_kib) * 1024, keep);
}

/// Every CTA reads 4 bytes of each sector in the mask `sectors` of each line of its share of `kib` KiB, once.
extern "C" __global__ void micro_l2_sectors(Interval* out, const std::uint8_t* data, int kib, int sectors) {
  const std::uint64_t lines = static_cast<std::uint64_t>(kib) * 8;
  std::uint32_t keep = 0;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (std::uint64_t line = blockIdx.x * blockDim.x + threadIdx.x; line < lines; line += gridDim.x * blockDim.x) {
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      std::uint32_t value = 0;
      if ((sectors >> s & 1) != 0)
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data + 65536 + line * 128 + s * 32) : "memory");
      keep ^= value;
    }
  }
  report(out, start, read_clock(), lines, keep);
}

/// SM `early` and SM `late` of one GPC, whose SMs share a clock, read `pairs` lines, each 4000 clocks after the one
/// before; the second SM reads line i by `from` + i x `step` clocks later. Four words per CTA and line: clocks from the
/// line's moment to the load and from the load to its value, of the last of `passes`; words of other SMs stay zero. One
/// warp.
extern "C" __global__ void micro_two_readers(std::uint32_t* samples, std::uint8_t* data, int early, int late, int pairs,
                                             int from, int step, int passes) {
  extern __shared__ std::uint32_t scratch[];
  const int sm = static_cast<int>(sm_id());
  std::uint32_t* mine = samples + static_cast<std::uint64_t>(blockIdx.x) * static_cast<std::uint32_t>(2 * pairs + 1);
  if (threadIdx.x == 0) mine[2 * pairs] = static_cast<std::uint32_t>(sm);
  if (sm != early && sm != late) return;
  auto* begin = reinterpret_cast<volatile std::uint64_t*>(data + 4096);
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    meet<true>(data, 2);
    if (sm == early && threadIdx.x == 0) *begin = read_clock() + 20000;
    meet<true>(data, 2);
    const std::uint64_t origin = *begin;
#pragma unroll 1
    for (int i = 0; i < pairs; ++i) {
      const std::uint64_t moment = origin + static_cast<std::uint64_t>(i) * 4000;
      const std::uint64_t due = moment + static_cast<std::uint64_t>(sm == late ? from + i * step : 0);
      const std::uint8_t* address = data + 65536 + static_cast<std::int64_t>(i) * 4224;
      while (read_clock() < due) {
      }
      const auto [start, stop] = timed_load(address, scratch);
      if (threadIdx.x == 0) {
        mine[2 * i] = static_cast<std::uint32_t>(start - moment);
        mine[2 * i + 1] = static_cast<std::uint32_t>(stop - start);
      }
    }
  }
}

/// SM `first` reads `lines` lines, each `stride` bytes after the one before; then SM `second` reads each of them twice,
/// timed: samples[cta][2 x line] and [2 x line + 1]; words of other SMs stay zero. One warp.
extern "C" __global__ void micro_second_reader(std::uint32_t* samples, std::uint8_t* data, int first, int second,
                                               int lines, int stride) {
  extern __shared__ std::uint32_t scratch[];
  const int sm = static_cast<int>(sm_id());
  std::uint32_t* mine = samples + static_cast<std::uint64_t>(blockIdx.x) * static_cast<std::uint32_t>(2 * lines + 1);
  if (threadIdx.x == 0) mine[2 * lines] = static_cast<std::uint32_t>(sm);
  if (sm != first && sm != second) return;
  for (int pass = 0; pass < 3; ++pass) {
    meet<true>(data, 2);
    if ((sm == first) != (pass == 0)) continue;
#pragma unroll 1
    for (int i = 0; i < lines; ++i) {
      const std::uint8_t* address = data + 65536 + static_cast<std::int64_t>(i) * stride;
      const auto [start, stop] = timed_load(address, scratch);
      if (threadIdx.x == 0 && pass > 0) mine[2 * i + pass - 1] = static_cast<std::uint32_t>(stop - start);
    }
  }
}
