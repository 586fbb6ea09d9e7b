// SPDX-License-Identifier: Apache-2.0
// When the source registers of memory instructions may be overwritten (the read scoreboard): bursts of 1 to 16 of one
// kind with their addresses in one register, which is changed behind them, begun at once by all warps; every access
// has rows and lines of its own.
//   micro_release_<what>(uint32* samples, uint8* data): samples 1 + 2i and 2 + 2i of a warp are when the last of
//   kCounts[i] instructions was issued and when the register was changed; sample 0 is 0.
// ldgsts_16, _rows4, _rows2: copies of 512 bytes in 4 lines, of rows of 64 bytes in 8 and of 32 bytes in 16. ldg, stg,
// red: 32: a word a lane in one line, 128: four words, spread: each lane's word in a line of its own. lds, sts: 32,
// 128, way8: words that meet in banks eight at a time.
#include "micro_common.cuh"

constexpr int kMost = 16, kKinds = 6;
__device__ constexpr int kCounts[kKinds] = {1, 2, 4, 8, 12, 16};

enum class What {
  ldgsts_16,
  ldgsts_16_rows4,
  ldgsts_16_rows2,
  ldg_32,
  ldg_128,
  ldg_32_spread,
  stg_32,
  stg_128,
  stg_32_spread,
  red_32,
  lds_32,
  lds_128,
  lds_32_way8,
  ldsm_x4,
  sts_32,
  sts_128,
  sts_32_way8
};

__device__ constexpr bool copies(What what) { return what <= What::ldgsts_16_rows2; }
__device__ constexpr bool spread(What what) { return what == What::ldg_32_spread || what == What::stg_32_spread; }
/// Bytes of global memory from one access to the next.
__device__ constexpr int far_step(What what) {
  if (spread(what)) return 32 * 128;
  if (what == What::ldgsts_16_rows4) return 8 * 128;
  return what == What::ldgsts_16_rows2 ? 16 * 128 : 512;
}
/// Bytes of global memory from a lane to the next, and of shared memory.
__device__ constexpr std::uint32_t far_of(What what, std::uint32_t lane) {
  if (spread(what)) return lane * 128;
  if (what == What::ldgsts_16_rows4) return lane / 4 * 128 + lane % 4 * 16;
  if (what == What::ldgsts_16_rows2) return lane / 2 * 128 + lane % 2 * 16;
  return lane * (what == What::ldg_32 || what == What::stg_32 || what == What::red_32 ? 4 : 16);
}
__device__ constexpr std::uint32_t near_of(What what, std::uint32_t lane) {
  if (what == What::lds_32 || what == What::sts_32) return lane * 4;
  if (what == What::lds_32_way8 || what == What::sts_32_way8) return lane % 4 * 4 + lane / 4 * 128;
  return lane * 16;
}

template <What kWhat>
__device__ __forceinline__ void send(std::uint32_t (&r)[4], std::uint32_t near, std::uint8_t* far, int i) {
  constexpr int kNear = kWhat == What::lds_32_way8 || kWhat == What::sts_32_way8 ? 16 : 512;
  if constexpr (copies(kWhat)) {
    copy_16(near + i * kNear, far + i * far_step(kWhat));
  } else if constexpr (kWhat == What::ldg_32 || kWhat == What::ldg_32_spread) {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r[0]) : "l"(far + i * far_step(kWhat)) : "memory");
  } else if constexpr (kWhat == What::ldg_128) {
    asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(far + i * far_step(kWhat))
                 : "memory");
  } else if constexpr (kWhat == What::stg_32 || kWhat == What::stg_32_spread) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(far + i * far_step(kWhat)), "r"(r[0]) : "memory");
  } else if constexpr (kWhat == What::stg_128) {
    asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(far + i * far_step(kWhat)), "r"(r[0]), "r"(r[1]),
                 "r"(r[2]), "r"(r[3])
                 : "memory");
  } else if constexpr (kWhat == What::red_32) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(far + i * far_step(kWhat)), "r"(r[0]) : "memory");
  } else if constexpr (kWhat == What::lds_32 || kWhat == What::lds_32_way8) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(near + i * kNear) : "memory");
  } else if constexpr (kWhat == What::lds_128) {
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(near + i * kNear)
                 : "memory");
  } else if constexpr (kWhat == What::ldsm_x4) {
    load_matrices(r, near + i * kNear);
  } else if constexpr (kWhat == What::sts_128) {
    asm volatile("st.shared.v4.u32 [%0], {%1,%2,%3,%4};" ::"r"(near + i * kNear), "r"(r[0]), "r"(r[1]), "r"(r[2]),
                 "r"(r[3])
                 : "memory");
  } else {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(near + i * kNear), "r"(r[0]) : "memory");
  }
}

/// A function of its own, so that it begins with nothing on its way that the compiler would make it wait for.
template <What kWhat, int kCount>
__device__ __noinline__ void burst(std::uint32_t* took, std::uint32_t near, std::uint8_t* far, std::uint32_t mask) {
  constexpr bool kStores = kWhat == What::stg_32 || kWhat == What::stg_128 || kWhat == What::stg_32_spread ||
                           kWhat == What::red_32 || kWhat >= What::sts_32;
  constexpr int kSets = kStores ? 1 : kCount;
  std::uint32_t r[kSets][4];
  for (int i = 0; i < kSets * 4; ++i) r[i / 4][i % 4] = mask + i;  // unknown to the compiler
  constexpr bool kNear = copies(kWhat) || kWhat >= What::lds_32;
  auto low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(far));
  const auto high = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(far) >> 32);
  std::uint32_t start = 0, issued = 0, changed = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    asm volatile("bar.sync 0;" ::: "memory");
    start = read_clock32();
    std::uint8_t* const from = reinterpret_cast<std::uint8_t*>(static_cast<std::uintptr_t>(high) << 32 | low);
#pragma unroll
    for (int i = 0; i < kCount; ++i) send<kWhat>(r[i % kSets], near, from, i);
    issued = read_clock32();
    if constexpr (kNear) {
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(near) : "r"(mask) : "memory");
    } else {
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(low) : "r"(mask) : "memory");
    }
    changed = read_clock32();
    asm volatile("cp.async.wait_all;" ::: "memory");
    asm volatile("bar.sync 0;" ::: "memory");  // behind which the compiler moves no load
    for (int i = 0; i < kSets * 4; ++i)
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(r[i / 4][i % 4]) : "r"(mask) : "memory");
  }
  std::uint32_t keep = near ^ low;
  for (int i = 0; i < kSets; ++i) keep ^= r[i][0] ^ r[i][1] ^ r[i][2] ^ r[i][3];
  took[0] = issued - start;
  took[1] = keep == 0x9E3779B9u ? 0 : changed - start;
}

template <What kWhat, int kKind>
__device__ __forceinline__ void bursts(std::uint32_t* samples, std::uint32_t near, std::uint8_t* far,
                                       std::uint32_t mask) {
  std::uint32_t took[2];
  burst<kWhat, kCounts[kKind]>(took, near, far, mask);
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < 2; ++i) samples[1 + kKind * 2 + i] = took[i];
  if constexpr (kKind + 1 < kKinds) bursts<kWhat, kKind + 1>(samples, near, far, mask);
}

template <What kWhat>
__device__ __forceinline__ void release(std::uint32_t* samples, std::uint8_t* data) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  samples += warp * (1 + kKinds * 2);
  if (lane == 0) samples[0] = 0;
  bursts<kWhat, 0>(samples, shared_address(memory) + warp * kMost * 512 + near_of(kWhat, lane),
                   data + warp * kMost * far_step(kWhat) + far_of(kWhat, lane), blockDim.y - 1);
}

#define RELEASE(name)                                                                           \
  extern "C" __global__ void micro_release_##name(std::uint32_t* samples, std::uint8_t* data) { \
    release<What::name>(samples, data);                                                         \
  }
RELEASE(ldgsts_16)
RELEASE(ldgsts_16_rows4)
RELEASE(ldgsts_16_rows2)
RELEASE(ldg_32)
RELEASE(ldg_128)
RELEASE(ldg_32_spread)
RELEASE(stg_32)
RELEASE(stg_128)
RELEASE(stg_32_spread)
RELEASE(red_32)
RELEASE(lds_32)
RELEASE(lds_128)
RELEASE(lds_32_way8)
RELEASE(ldsm_x4)
RELEASE(sts_32)
RELEASE(sts_128)
RELEASE(sts_32_way8)
