// SPDX-License-Identifier: Apache-2.0
// How many memory instructions a sub-core and the SM take before a warp has to wait: bursts of 1 to 30 of them in a
// row, begun at once behind a barrier by the warps of the first `sub_cores` of four sub-cores; the others stand by.
//   micro_burst_<what>(uint32* samples, const uint8* data, int sub_cores): sample n of a warp is what the issue of n
//   instructions took (clock behind the last less clock before the first), sample 0 is 0. Warps that stand by write
//   what the warp of the first sub-core wrote.
// ldgsts_16, _rows4, _rows2: copies of 512 bytes in 4 lines, of rows of 64 bytes in 8 and of 32 bytes in 16.
// idle: an LDS none of whose lanes is active.
#include "micro_common.cuh"

constexpr int kMost = 30;
constexpr int kWarps = 16;

enum class What { lds_32, ldsm_x4, sts_32, ldgsts_16, ldgsts_16_rows4, ldgsts_16_rows2, idle };

/// Lanes of a row of which each lies in a line of its own; 0: all lanes in one row.
__device__ constexpr int row_lanes(What what) {
  return what == What::ldgsts_16_rows4 ? 4 : what == What::ldgsts_16_rows2 ? 2 : 0;
}
/// Bytes of memory from one copy to the next.
__device__ constexpr int step(What what) { return row_lanes(what) == 0 ? 512 : 32 / row_lanes(what) * 128; }

template <What kWhat>
__device__ __forceinline__ void send(std::uint32_t (&r)[4], std::uint32_t near, const std::uint8_t* far, int i) {
  if constexpr (kWhat == What::lds_32) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(near + i * 128));
  } else if constexpr (kWhat == What::sts_32) {
    asm volatile("st.volatile.shared.u32 [%0], %0;" ::"r"(near + i * 128));
  } else if constexpr (kWhat == What::idle) {
    asm volatile(
        "{ .reg .pred p; setp.eq.u32 p, %1, 0xFFFFFFFF;\n\t"
        "@p ld.volatile.shared.u32 %0, [%1]; }"
        : "+r"(r[0])
        : "r"(near));
  } else if constexpr (kWhat == What::ldgsts_16 || row_lanes(kWhat) != 0) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(near + i * 512), "l"(far + i * step(kWhat)));
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(near + i * 512));
  }
}

/// A function of its own, so that it begins with nothing on its way that the compiler would make it wait for.
template <What kWhat, int kCount>
__device__ __noinline__ std::uint32_t burst(std::uint32_t near, const std::uint8_t* far) {
  std::uint32_t r[kCount][4] = {}, keep = 0;
  const std::uint32_t start = read_clock32();
#pragma unroll
  for (int i = 0; i < kCount; ++i) send<kWhat>(r[i], near, far, i);
  const std::uint32_t stop = read_clock32();
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    asm volatile("" : "+r"(r[i][0]), "+r"(r[i][1]), "+r"(r[i][2]), "+r"(r[i][3])::"memory");
    keep ^= r[i][0] ^ r[i][1] ^ r[i][2] ^ r[i][3];
  }
  return keep == 0x9E3779B9u ? keep : stop - start;
}

template <What kWhat, int kCount>
__device__ __forceinline__ void bursts(std::uint32_t* samples, std::uint32_t* took, std::uint32_t near,
                                       const std::uint8_t* far, int sub_cores) {
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool bursts_itself = static_cast<int>(warp % 4) < sub_cores;
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  if (bursts_itself) took[warp] = burst<kWhat, kCount>(near, far);
  __syncthreads();
  if (lane == 0) samples[kCount] = took[bursts_itself ? warp : warp / 4 * 4];
  if constexpr (kCount < kMost) bursts<kWhat, kCount + 1>(samples, took, near, far, sub_cores);
}

template <What kWhat>
__device__ __forceinline__ void all_bursts(std::uint32_t* samples, const std::uint8_t* data, int sub_cores) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  __shared__ std::uint32_t took[kWarps];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool words = kWhat == What::lds_32 || kWhat == What::sts_32 || kWhat == What::idle;
  const std::uint32_t near = shared_address(memory) + lane * (words ? 4 : 16);
  constexpr int kRow = row_lanes(kWhat);
  // Lines of its own for each instruction
  const std::uint8_t* far =
      data + warp * kMost * step(kWhat) +
      (kRow == 0 ? lane * 16 : lane / (kRow + (kRow == 0)) * 128 + lane % (kRow + (kRow == 0)) * 16);
  samples += warp * (kMost + 1);
  samples[0] = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) bursts<kWhat, 1>(samples, took, near, far, sub_cores);
}

#define BURST(name)                                                                         \
  extern "C" __global__ void __launch_bounds__(32 * kWarps)                                 \
      micro_burst_##name(std::uint32_t* samples, const std::uint8_t* data, int sub_cores) { \
    all_bursts<What::name>(samples, data, sub_cores);                                       \
  }
BURST(lds_32)
BURST(ldsm_x4)
BURST(sts_32)
BURST(ldgsts_16)
BURST(ldgsts_16_rows4)
BURST(ldgsts_16_rows2)
BURST(idle)
