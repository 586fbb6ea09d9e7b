// SPDX-License-Identifier: Apache-2.0
// Global memory: latency by dependent loads over footprint, latency of single lines, bandwidth of loads and stores,
// lines that several SMs read at once, and asynchronous copies to shared memory.
#include "micro_common.cuh"

constexpr int kUnroll = 16;

/// Writes a pointer chase of `lines` (a power of two) places `stride` bytes apart that visits all in scattered order
/// (a full-period linear congruence), then follows it `hops` times with one warp, all lanes together. Launch one CTA.
template <bool kL1>
__device__ __forceinline__ void chase(Interval* out, std::uint8_t* data, int lines, int stride, int hops, int warm) {
  const auto mask = static_cast<std::uint32_t>(lines - 1);
  for (std::uint32_t i = threadIdx.x; i < static_cast<std::uint32_t>(lines); i += blockDim.x) {
    const std::uint32_t next = (i * 1664525u + 1013904223u) & mask;
    *reinterpret_cast<std::uint64_t*>(data + static_cast<std::uint64_t>(i) * static_cast<std::uint32_t>(stride)) =
        reinterpret_cast<std::uint64_t>(data + static_cast<std::uint64_t>(next) * static_cast<std::uint32_t>(stride));
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x >= 32) return;
  std::uint64_t address = reinterpret_cast<std::uint64_t>(data);
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    const int steps = pass == 0 ? warm : hops;
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        if (kL1)
          asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(address)::"memory");
        else
          asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(address)::"memory");
      }
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(hops), static_cast<std::uint32_t>(address));
}

extern "C" __global__ void micro_chase_ca(Interval* out, std::uint8_t* data, int lines, int stride, int hops,
                                          int warm) {
  chase<true>(out, data, lines, stride, hops, warm);
}
extern "C" __global__ void micro_chase_cg(Interval* out, std::uint8_t* data, int lines, int stride, int hops,
                                          int warm) {
  chase<false>(out, data, lines, stride, hops, warm);
}

/// Clocks that one load of each of `lines` lines takes from this SM in the last of `passes` (hits in L2 from the second
/// on): samples[cta][line]; one warp per CTA, one CTA per SM. The word after a CTA's samples is its SM.
extern "C" __global__ void micro_line_latency(std::uint32_t* samples, const std::uint8_t* data, int lines, int stride,
                                              int passes) {
  extern __shared__ std::uint32_t scratch[];
  std::uint32_t* mine = samples + static_cast<std::uint64_t>(blockIdx.x) * static_cast<std::uint32_t>(lines + 1);
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll 1
    for (int i = 0; i < lines; ++i) {
      const std::uint8_t* address = data + static_cast<std::int64_t>(i) * stride;
      const auto [start, stop] = timed_load(address, scratch);
      // All 64 bits are used, so that both readings are the same kind of instruction (CS2R, not S2UR).
      const std::uint64_t taken = stop - start;
      if (threadIdx.x == 0) mine[i] = taken > 0xFFFFFFFFull ? 0xFFFFFFFFu : static_cast<std::uint32_t>(taken);
    }
  }
  if (threadIdx.x == 0) mine[lines] = sm_id();
}

/// Every CTA reads `rounds` x kUnroll chunks of blockDim x kBytes from a region of `region` KiB, starting at its share
/// of the region and wrapping around. operations = bytes read per warp.
template <int kBytes, bool kL1, bool kStore>
__device__ __forceinline__ void stream(Interval* out, std::uint8_t* data, int region_kib, int rounds) {
  const std::uint64_t region = static_cast<std::uint64_t>(region_kib) * 1024;
  const std::uint64_t chunk = static_cast<std::uint64_t>(blockDim.x) * kBytes;
  std::uint64_t offset = region / gridDim.x * blockIdx.x / chunk * chunk;
  std::uint32_t keep = threadIdx.x;
  __syncthreads();
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    std::uint8_t* base = data + offset + threadIdx.x * static_cast<std::uint64_t>(kBytes);
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      std::uint32_t r[4] = {keep, keep, keep, keep};
      std::uint8_t* place = base + u * chunk;
      if constexpr (kStore) {
        asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(place), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
                     : "memory");
      } else if constexpr (kBytes == 16) {
        if (kL1)
          asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                       : "l"(place)
                       : "memory");
        else
          asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                       : "l"(place)
                       : "memory");
        keep ^= r[0] ^ r[1] ^ r[2] ^ r[3];
      } else {
        if (kL1)
          asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(r[0]) : "l"(place) : "memory");
        else
          asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r[0]) : "l"(place) : "memory");
        keep ^= r[0];
      }
    }
    offset += kUnroll * chunk;
    if (offset + kUnroll * chunk > region) offset = 0;
  }
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(rounds) * kUnroll * 32 * kBytes, keep);
}

#define STREAM(name, bytes, l1, store)                                                                     \
  extern "C" __global__ void micro_##name(Interval* out, std::uint8_t* data, int region_kib, int rounds) { \
    stream<bytes, l1, store>(out, data, region_kib, rounds);                                               \
  }
STREAM(ldg_32_ca, 4, true, false)
STREAM(ldg_32_cg, 4, false, false)
STREAM(ldg_128_ca, 16, true, false)
STREAM(ldg_128_cg, 16, false, false)
STREAM(stg_128, 16, false, true)

template <int kBytes, bool kL1>
__device__ __forceinline__ void copy_async(std::uint32_t to, const std::uint8_t* from) {
  if constexpr (kL1)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(kBytes) : "memory");
  else
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(kBytes) : "memory");
}

/// Clocks from the issue of `count` (1..16) copies to the completion of their group, lines in L2 (or L1 for .ca after
/// the first of four passes). A row of the copied tile has `row_lanes` lanes and rows lie `pitch` bytes apart. Every
/// copy in flight has its own destination here and below: an H200 fetches only the last of several copies to one place.
template <int kBytes, bool kL1>
__device__ __forceinline__ void copy_latency(Interval* out, const std::uint8_t* data, int count, int row_lanes,
                                             int pitch) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const std::uint32_t to = shared_address(memory) + (warp * 16 * 512 + lane * kBytes);
  const std::uint8_t* from = data + warp * 65536 + lane / row_lanes * pitch + lane % row_lanes * kBytes;
  const int rows = 32 / row_lanes;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < count; ++i) copy_async<kBytes, kL1>(to + i * 512, from + i * rows * pitch);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(count), 0);
}

/// Copies in flight all the time: groups of four copies per warp, four groups outstanding. Each CTA walks its region of
/// `region_kib` (CTAs `cta_stride_kib` apart), rows as in copy_latency. operations = bytes copied per warp.
template <int kBytes, bool kL1>
__device__ __forceinline__ void copy_rate(Interval* out, const std::uint8_t* data, int region_kib, int cta_stride_kib,
                                          int rounds, int row_lanes, int pitch) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const int warps = static_cast<int>(blockDim.x / 32);
  const int rows = 32 / row_lanes;
  const std::uint32_t to = shared_address(memory) + (warp * 8192 + lane * kBytes);
  const std::uint8_t* base = data + static_cast<std::int64_t>(blockIdx.x) * cta_stride_kib * 1024;
  const std::int64_t region = static_cast<std::int64_t>(region_kib) * 1024;
  const std::int64_t step = static_cast<std::int64_t>(rows) * pitch;
  const std::int64_t lane_offset = lane / row_lanes * pitch + lane % row_lanes * kBytes;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    std::int64_t offset = warp * 4 * step;
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
      for (int u = 0; u < 4; ++u)
        copy_async<kBytes, kL1>(to + (i % 4 * 4 + u) * (32 * kBytes), base + offset + u * step + lane_offset);
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 3;" ::: "memory");
      offset += warps * 4 * step;
      if (offset + 4 * step > region) offset = warp * 4 * step;
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(rounds) * 4 * 32 * kBytes, 0);
}

/// One tile after the other as a GEMM without prefetch fetches them: all warps copy `count` pieces of 512 bytes each
/// (rows of `row_lanes` lanes, `pitch` bytes apart), wait for them and for each other; the next tile lies `step` bytes
/// on. A CTA's rows follow those of the CTA before it (`own`) or are the same. The last of `repeats` rounds counts.
/// operations = tiles.
extern "C" __global__ void micro_ldgsts_tiles(Interval* out, const std::uint8_t* data, int count, int row_lanes,
                                              int pitch, int own, int tiles, int step, int repeats) {
  extern __shared__ __align__(128) std::uint8_t tile_memory[];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const int warps = static_cast<int>(blockDim.x / 32), rows = 32 / row_lanes;
  const std::int64_t piece = static_cast<std::int64_t>(rows) * pitch;
  const std::uint8_t* from = data + (static_cast<std::int64_t>(blockIdx.x) * own * warps + warp) * count * piece +
                             lane / row_lanes * pitch + lane % row_lanes * 16;
  const std::uint32_t to = shared_address(tile_memory) + warp * count * 512 + lane * 16;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int repeat = 0; repeat < repeats; ++repeat) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll 4
      for (int i = 0; i < count; ++i)
        copy_async<16, false>(to + (tile % 2 * warps * count + i) * 512, from + i * piece + tile * step);
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      __syncthreads();
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(tiles), 0);
}

/// SMs that read the same lines at the same time: SM s reads stream (s / divide) % modulo, each `region_kib` long, in
/// rounds of 16 chunks of blockDim x 16 bytes. On an H200 SM s belongs to GPC (s / 2) % 8 (but for a few at the end);
/// only SMs of the first `gpcs` GPCs and of their first `tpcs` pairs take part, `active` in all. One CTA per SM.
/// operations = bytes read per warp.
extern "C" __global__ void micro_lines_together(Interval* out, std::uint8_t* data, int divide, int modulo, int gpcs,
                                                int tpcs, int active, int region_kib, int rounds) {
  const int sm = static_cast<int>(sm_id());
  if (sm / 2 % 8 >= gpcs || sm / 16 >= tpcs) return;
  const std::uint64_t region = static_cast<std::uint64_t>(region_kib) * 1024;
  const std::uint64_t chunk = static_cast<std::uint64_t>(blockDim.x) * 16;
  const std::uint8_t* mine = data + 65536 + sm / divide % modulo * region + threadIdx.x * 16;
  std::uint32_t keep = threadIdx.x;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    meet<false>(data, static_cast<unsigned>(active));
    start = read_clock();
    std::uint64_t offset = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        std::uint32_t r[4];
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "l"(mine + offset + u * chunk)
                     : "memory");
        keep ^= r[0] ^ r[1] ^ r[2] ^ r[3];
      }
      offset += kUnroll * chunk;
      if (offset + kUnroll * chunk > region) offset = 0;
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(rounds) * kUnroll * 32 * 16, keep);
}

#define LDGSTS(name, bytes, l1)                                                                                     \
  extern "C" __global__ void micro_ldgsts_##name##_latency(Interval* out, const std::uint8_t* data, int count,      \
                                                           int row_lanes, int pitch) {                              \
    copy_latency<bytes, l1>(out, data, count, row_lanes, pitch);                                                    \
  }                                                                                                                 \
  extern "C" __global__ void micro_ldgsts_##name##_rate(Interval* out, const std::uint8_t* data, int region_kib,    \
                                                        int cta_stride_kib, int rounds, int row_lanes, int pitch) { \
    copy_rate<bytes, l1>(out, data, region_kib, cta_stride_kib, rounds, row_lanes, pitch);                          \
  }
LDGSTS(4_ca, 4, true)
LDGSTS(8_ca, 8, true)
LDGSTS(16_ca, 16, true)
LDGSTS(16_cg, 16, false)
