// SPDX-License-Identifier: Apache-2.0
// What a warp waits for at EXIT: `kCount` memory instructions of one kind, then all lanes but one leave.
//   micro_exit_<what>_<count>(uint32* samples, uint8* data): sample 1 of a warp is when all was issued, 2 when the lane
//   that stays went on; sample 0 is 0.
// stg_32, red_32, ldg_32: a word a lane in one line; stg_128: four lines; stg_rows: eight lines of one sector;
// stg_part: eight lines of half a sector; stg_spread: a word in each of 32 lines; ldgsts: four lines; sts_32.
#include "micro_common.cuh"

enum class What { stg_32, stg_128, stg_rows, stg_part, stg_spread, red_32, ldg_32, ldgsts, sts_32 };
constexpr int kWarpBytes = 1 << 17;  // of global memory, for each warp

template <What kWhat>
__device__ __forceinline__ void send(std::uint8_t* far, std::uint32_t near, std::uint32_t lane, int i) {
  if constexpr (kWhat == What::stg_32) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(far + i * 128 + lane * 4), "r"(lane) : "memory");
  } else if constexpr (kWhat == What::stg_128) {
    asm volatile("st.global.v4.u32 [%0], {%1,%2,%1,%2};" ::"l"(far + i * 512 + lane * 16), "r"(lane), "r"(near)
                 : "memory");
  } else if constexpr (kWhat == What::stg_rows) {
    asm volatile(
        "st.global.v2.u32 [%0], {%1,%2};" ::"l"(far + i / 4 * 1024 + i % 4 * 32 + lane / 4 * 128 + lane % 4 * 8),
        "r"(lane), "r"(near)
        : "memory");
  } else if constexpr (kWhat == What::stg_part) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(far + i / 8 * 1024 + i % 8 * 16 + lane / 4 * 128 + lane % 4 * 4),
                 "r"(lane)
                 : "memory");
  } else if constexpr (kWhat == What::stg_spread) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(far + i * 4096 + lane * 128), "r"(lane) : "memory");
  } else if constexpr (kWhat == What::red_32) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(far + i * 128 + lane * 4), "r"(lane) : "memory");
  } else if constexpr (kWhat == What::ldg_32) {
    [[maybe_unused]] std::uint32_t value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(far + i * 128 + lane * 4) : "memory");
  } else if constexpr (kWhat == What::ldgsts) {
    copy_16(near + i * 512 + lane * 16, far + i * 512 + lane * 16);
  } else {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(near + i * 128 + lane * 4), "r"(lane) : "memory");
  }
}

template <What kWhat, int kCount>
__device__ __forceinline__ void leave(std::uint32_t* samples, std::uint8_t* data) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, all = blockIdx.x * (blockDim.x / 32) + warp;
  std::uint8_t* const far = data + static_cast<std::size_t>(all) * kWarpBytes;
  const std::uint32_t near = shared_address(memory) + warp * 16384;
  samples += all * 3;
  std::uint32_t start = 0, issued = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {  // the first brings code and lines
    __syncthreads();
    if (pass == 1) {
      const std::uint32_t begin = read_clock32();
      while (read_clock32() - begin < 4000) {
      }
      __syncthreads();
    }
    start = read_clock32();
#pragma unroll
    for (int i = 0; i < kCount; ++i) send<kWhat>(far, near, lane, i);
    issued = read_clock32();
  }
  if (lane != 0) return;
  const std::uint32_t stays = read_clock32();
  samples[0] = 0;
  samples[1] = issued - start;
  samples[2] = stays - start;
}

#define EXIT(what, count)                                                                              \
  extern "C" __global__ void micro_exit_##what##_##count(std::uint32_t* samples, std::uint8_t* data) { \
    leave<What::what, count>(samples, data);                                                           \
  }
#define EXITS(what) EXIT(what, 1) EXIT(what, 4) EXIT(what, 8) EXIT(what, 16) EXIT(what, 32)
EXIT(stg_32, 0)
EXITS(stg_32)
EXITS(stg_128)
EXITS(stg_rows)
EXITS(stg_part)
EXITS(stg_spread)
EXITS(red_32)
EXITS(ldg_32)
EXITS(ldgsts)
EXITS(sts_32)
