// SPDX-License-Identifier: Apache-2.0
// Issue of memory instructions: clocks around each of kCount back-to-back loads, which shows how many a sub-core
// queues before it stalls. Per warp kCount + 1 samples of the clock, in order. Also the cost of reading the clock.
//   micro_issue_<what>(uint32* samples, const uint8* data)
// And what a warp still issues after BAR.SYNC before it waits for the others: micro_issue_after_barrier.
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
      if constexpr (kLoad == Load::ldgsts_16) copy_16(near + i * 512, far + i * 512);
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

/// Clocks of a warp around instructions that follow a barrier at which every warp but the last to arrive must wait;
/// warp w arrives 2000 w clocks late. Clocks 0 and 1 lie before and behind the barrier; then one integer addition,
/// eight of them, a matrix instruction, and a load from shared memory come before the next five; the rest repeat the
/// last.
extern "C" __global__ void micro_issue_after_barrier(std::uint32_t* samples, std::uint8_t*) {
  extern __shared__ __align__(128) std::uint8_t word_memory[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint32_t clock[7], r[4] = {lane, lane + 1, lane + 2, lane + 3}, d[2] = {}, loaded = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    const std::uint64_t until = read_clock() + 2000 * warp;
    while (read_clock() < until) {
    }
    clock[0] = read_clock32();
    asm volatile("bar.sync 0;" ::: "memory");
    clock[1] = read_clock32();
    asm volatile("add.u32 %0, %0, %1;" : "+r"(r[0]) : "r"(r[1]) : "memory");
    clock[2] = read_clock32();
#pragma unroll
    for (int i = 0; i < 8; ++i) asm volatile("add.u32 %0, %0, %1;" : "+r"(r[i % 4]) : "r"(r[(i + 1) % 4]) : "memory");
    clock[3] = read_clock32();
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(r[0] & 0x03FF03FFu), "r"(r[1] & 0x03FF03FFu), "r"(r[2] & 0x03FF03FFu)
                 : "memory");
    clock[4] = read_clock32();
    asm volatile("ld.volatile.shared.u32 %0, [%1];"
                 : "=r"(loaded)
                 : "r"(shared_address(word_memory) + lane * 4)
                 : "memory");
    clock[5] = read_clock32();
    r[3] += loaded;
    asm volatile("add.u32 %0, %0, %1;" : "+r"(r[3]) : "r"(r[1]) : "memory");
    clock[6] = read_clock32();
  }
  const std::uint32_t keep = r[0] ^ r[1] ^ r[2] ^ r[3] ^ d[0] ^ d[1];
  for (int i = 0; i <= kCount; ++i)
    if (lane == 0 || keep == 0x9E3779B9u) samples[warp * (kCount + 1) + i] = clock[i < 6 ? i : 6];
}
