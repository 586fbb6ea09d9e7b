// SPDX-License-Identifier: Apache-2.0
// Issue of memory instructions: clocks around each of kCount back-to-back loads, which shows how many a sub-core
// queues before it stalls. Per warp kCount + 1 samples of the clock, in order. Also the cost of reading the clock.
//   micro_issue_<what>(uint32* samples, const uint8* data)
#include "micro_common.cuh"

constexpr int kCount = 24;

enum class Load { lds_32, lds_128, ldsm_x4, ldg_32, ldg_128, ldgsts_16, sts_32, none };

template <Load kLoad>
__device__ __forceinline__ void issue(std::uint32_t* samples, const std::uint8_t* data) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint32_t clock[kCount + 1];
  std::uint32_t r[kCount][4] = {};
  const std::uint32_t near = shared_address(memory) + lane * 16;
  const std::uint8_t* far = data + warp * 65536 + lane * 16;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    clock[0] = read_clock32();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if constexpr (kLoad == Load::lds_32)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[i][0]) : "r"(near + i * 512) : "memory");
      if constexpr (kLoad == Load::lds_128)
        asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3])
                     : "r"(near + i * 512)
                     : "memory");
      if constexpr (kLoad == Load::ldsm_x4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3])
                     : "r"(near + i * 512)
                     : "memory");
      if constexpr (kLoad == Load::ldg_32)
        asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(r[i][0]) : "l"(far + i * 512) : "memory");
      if constexpr (kLoad == Load::ldg_128)
        asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3])
                     : "l"(far + i * 512)
                     : "memory");
      if constexpr (kLoad == Load::ldgsts_16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(near + i * 512), "l"(far + i * 512) : "memory");
      if constexpr (kLoad == Load::sts_32)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(near + i * 512), "r"(lane) : "memory");
      clock[i + 1] = read_clock32();
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
  }
  std::uint32_t keep = 0;
  for (int i = 0; i < kCount; ++i) keep ^= r[i][0] ^ r[i][1] ^ r[i][2] ^ r[i][3];
  for (int i = 0; i <= kCount; ++i)
    if (lane == 0 || keep == 0x9E3779B9u) samples[warp * (kCount + 1) + i] = clock[i];
}

#define ISSUE(name)                                                                           \
  extern "C" __global__ void micro_issue_##name(std::uint32_t* samples, std::uint8_t* data) { \
    issue<Load::name>(samples, data);                                                         \
  }
ISSUE(lds_32)
ISSUE(lds_128)
ISSUE(ldsm_x4)
ISSUE(ldg_32)
ISSUE(ldg_128)
ISSUE(ldgsts_16)
ISSUE(sts_32)
ISSUE(none)
