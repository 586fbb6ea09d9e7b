// SPDX-License-Identifier: Apache-2.0
// Memory instructions between matrix instructions, which both read registers through the ports of a sub-core: an
// iteration is 32 matrix instructions (d: m16n8k16, s: 2:4 m16n8k32) of eight chains and `count` memory instructions
// spread evenly over them, without bank conflicts. None waits for another.
//   micro_memory_<what>_<count>_<d|s>(Interval* out, uint8* data, int iterations, int sub_cores)
//   what: lds32, sts32, sts64, sts128, stg128 (1, 2, 3, 5 and 6 registers), ldgsts (16 bytes a lane, 3 registers; three
//         iterations' copies may be on their way)
//   sub_cores: bit i: warps of sub-core i take part; operations count the memory instructions of a warp.
#include "micro_common.cuh"
#include "probe_asm.cuh"

enum class What { lds32, sts32, sts64, sts128, stg128, ldgsts };
constexpr std::uint32_t kWarpRows = 8192, kWarpLines = 1u << 17;  // bytes of a warp in shared and global memory

struct Places {
  std::uint32_t narrow, wide, wider;  // of the lane, 4, 8 and 16 bytes from the next one's
  std::uint8_t* global;
  uint4 value;
};

template <What kWhat>
__device__ __forceinline__ void access(const Places& p, int i) {
  [[maybe_unused]] const std::uint32_t row = static_cast<std::uint32_t>(i % 16) * 512;
  if constexpr (kWhat == What::lds32) {
    std::uint32_t r;
    asm volatile("ld.volatile.shared.b32 %0, [%1];" : "=r"(r) : "r"(p.narrow + row));
  }
  if constexpr (kWhat == What::sts32) {
    asm volatile("st.volatile.shared.b32 [%0], %1;" ::"r"(p.narrow + row), "r"(p.value.x));
  }
  if constexpr (kWhat == What::sts64) {
    asm volatile("st.volatile.shared.v2.b32 [%0], {%1,%2};" ::"r"(p.wide + row), "r"(p.value.x), "r"(p.value.y));
  }
  if constexpr (kWhat == What::sts128) {
    asm volatile("st.volatile.shared.v4.b32 [%0], {%1,%2,%3,%4};" ::"r"(p.wider + row), "r"(p.value.x), "r"(p.value.y),
                 "r"(p.value.z), "r"(p.value.w));
  }
  if constexpr (kWhat == What::stg128) {
    asm volatile("st.global.v4.b32 [%0], {%1,%2,%3,%4};" ::"l"(p.global + i * 512), "r"(p.value.x), "r"(p.value.y),
                 "r"(p.value.z), "r"(p.value.w));
  }
  if constexpr (kWhat == What::ldgsts) {
    copy_16(p.wider + row, p.global + i * 512);
  }
}

template <What kWhat, int kCount, bool kSparse>
__device__ __forceinline__ void memory_ports(Interval* out, std::uint8_t* data, int iterations, int sub_cores) {
  constexpr int kMmas = 32, kChains = 8;
  extern __shared__ __align__(128) std::uint8_t rows[];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = shared_address(rows) + warp * kWarpRows;
  const std::uint32_t step = static_cast<std::uint32_t>(iterations) >> 20;  // 0, unknown to the compiler
  std::uint8_t* const lines = data + warp * kWarpLines + lane * 16;
  Places places{first + lane * 4, first + lane * 8, first + lane * 16, lines, {step, lane, step + 1, lane + step}};
  std::uint32_t d[kChains][4] = {}, a[2][4], b[4][4], e = 0x44444444u + step;
  for (int i = 0; i < 8; ++i) a[i / 4][i % 4] = lane * i + step;
  for (int i = 0; i < 16; ++i) b[i / 4][i % 4] = lane + i * step;
  asm volatile("" : "+r"(e));
  std::uint64_t start = 0, stop = 0;
  const bool takes_part = (sub_cores >> (warp % 4) & 1) != 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = stop = read_clock();
    if (!takes_part) continue;
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
      if constexpr (kWhat == What::ldgsts) places.global = lines + i * (kCount * 512) % kWarpLines;
#pragma unroll
      for (int m = 0; m < kMmas; ++m) {
        if constexpr (kSparse) {
          STC_MMA_SP_444(STC_SPARSE_PTX(m16n8k32, plain, f32, f16, f16, f32), d[m % 8], a[m % 8 / 4], b[m % 4], e, 0);
        } else {
          STC_MMA_424(STC_DENSE_PTX(m16n8k16, plain, f32, f16, f16, f32), d[m % 8], a[m % 8 / 4], b[m % 4]);
        }
        if ((m + 1) * kCount / kMmas > m * kCount / kMmas) access<kWhat>(places, m * kCount / kMmas);
      }
      if constexpr (kWhat == What::ldgsts) {
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 2;" ::: "memory");
      }
    }
    stop = read_clock();
  }
  std::uint32_t keep = 0;
  for (int i = 0; i < 4 * kChains; ++i) keep ^= d[i / 4][i % 4];
  const int operations = takes_part ? kCount * iterations : 0;
  report(out, start, stop, static_cast<std::uint64_t>(operations), keep);
}

#define MEMORY_PORTS(what, count)                                                                                 \
  extern "C" __global__ void micro_memory_##what##_##count##_d(Interval* out, std::uint8_t* data, int iterations, \
                                                               int sub_cores) {                                   \
    memory_ports<What::what, count, false>(out, data, iterations, sub_cores);                                     \
  }                                                                                                               \
  extern "C" __global__ void micro_memory_##what##_##count##_s(Interval* out, std::uint8_t* data, int iterations, \
                                                               int sub_cores) {                                   \
    memory_ports<What::what, count, true>(out, data, iterations, sub_cores);                                      \
  }
#define MEMORY_PORTS_ALL(what) MEMORY_PORTS(what, 4) MEMORY_PORTS(what, 8) MEMORY_PORTS(what, 16) MEMORY_PORTS(what, 32)
MEMORY_PORTS_ALL(lds32)
MEMORY_PORTS_ALL(sts32)
MEMORY_PORTS_ALL(sts64)
MEMORY_PORTS_ALL(sts128)
MEMORY_PORTS_ALL(stg128)
MEMORY_PORTS_ALL(ldgsts)
