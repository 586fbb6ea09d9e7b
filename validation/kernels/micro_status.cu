// SPDX-License-Identifier: Apache-2.0
// How long a warp waits for a special register, or for another operation that is no access to memory, while other warps
// store to global memory without end, and while none does.
// match_N: of N different values.
//   micro_status_<what>(uint32* samples, uint8* data, int iterations): eight warps; the last four execute the operation
//   eight times: a warp's samples are the clocks from before each until its result is there. The first four, whose
//   samples are 0, meanwhile execute `iterations` times 32 stores of a whole sector in each of eight lines.
#include "micro_common.cuh"

constexpr int kReads = 8;

enum class What {
  tid_x,
  tid_y,
  ctaid_x,
  laneid,
  lanemask,
  warpid,
  smid,
  match_1,
  match_2,
  match_8,
  match_32,
  match_all,
  reduce_add,
  reduce_min,
  reduce_xor,
  ballot,
  count,
  constant,
  rcp,
  shuffle
};

__constant__ std::uint32_t table[64];

/// Clocks until the operation's result is there. A function of its own, or registers that do not change would be read
/// once.
template <What kWhat>
__device__ __noinline__ std::uint32_t wait_for(std::uint32_t value) {
  const std::uint64_t begin = read_clock();
  std::uint32_t r = 0;
  if constexpr (kWhat == What::tid_x) asm volatile("mov.u32 %0, %%tid.x;" : "=r"(r)::"memory");
  if constexpr (kWhat == What::tid_y) asm volatile("mov.u32 %0, %%tid.y;" : "=r"(r)::"memory");
  if constexpr (kWhat == What::ctaid_x) asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(r)::"memory");
  if constexpr (kWhat == What::laneid) asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)::"memory");
  if constexpr (kWhat == What::lanemask) asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r)::"memory");
  if constexpr (kWhat == What::warpid) asm volatile("mov.u32 %0, %%warpid;" : "=r"(r)::"memory");
  if constexpr (kWhat == What::smid) asm volatile("mov.u32 %0, %%smid;" : "=r"(r)::"memory");
  constexpr std::uint32_t kDifferent = kWhat == What::match_1   ? 1
                                       : kWhat == What::match_2 ? 2
                                       : kWhat == What::match_8 ? 8
                                                                : 32;
  if constexpr (kWhat == What::match_1 || kWhat == What::match_2 || kWhat == What::match_8 || kWhat == What::match_32)
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(value % kDifferent));
  if constexpr (kWhat == What::match_all) asm volatile("match.all.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(value));
  if constexpr (kWhat == What::reduce_add)
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(value));
  if constexpr (kWhat == What::reduce_min)
    asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(value));
  if constexpr (kWhat == What::reduce_xor)
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(value));
  if constexpr (kWhat == What::ballot) r = __ballot_sync(~0u, static_cast<int>(value) > 5);
  if constexpr (kWhat == What::count) asm volatile("popc.b32 %0, %1;" : "=r"(r) : "r"(value));
  if constexpr (kWhat == What::constant) r = table[value % 64];
  if constexpr (kWhat == What::rcp) asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=r"(r) : "r"(value));
  if constexpr (kWhat == What::shuffle) r = __shfl_xor_sync(~0u, value, 1);
  if ((r ^ value) == 0x9E3779B9u) asm volatile("trap;");
  const std::uint64_t clocks = read_clock() - begin;
  // All of it is used, or another unit would read the second clock.
  return static_cast<std::uint32_t>(clocks) + static_cast<std::uint32_t>(clocks >> 32);
}

template <What kWhat>
__device__ __forceinline__ void status(std::uint32_t* samples, std::uint8_t* data, int iterations) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint8_t* const to = data + (blockIdx.x * 4 + warp) * 16384 + lane / 4 * 128 + lane % 4 * 8;
  std::uint32_t clocks[kReads] = {};
  __syncthreads();
  if (warp < 4) {
#pragma unroll 1
    for (int n = 0; n < iterations; ++n) {
#pragma unroll
      for (int i = 0; i < 32; ++i) store_8(to + n % 2 * 8192 + i / 4 * 1024 + i % 4 * 32, lane);
    }
  } else {
    const std::uint32_t begin = read_clock32();
    while (read_clock32() - begin < 1000) {
    }
#pragma unroll
    for (int i = 0; i < kReads; ++i) clocks[i] = wait_for<kWhat>(lane + static_cast<unsigned>(iterations));
  }
  if (lane != 0) return;
  samples += (blockIdx.x * 8 + warp) * kReads;
  for (int i = 0; i < kReads; ++i) samples[i] = clocks[i];
}

#define STATUS(what)                                                                    \
  extern "C" __global__ void __launch_bounds__(256)                                     \
      micro_status_##what(std::uint32_t* samples, std::uint8_t* data, int iterations) { \
    status<What::what>(samples, data, iterations);                                      \
  }
STATUS(tid_x)
STATUS(tid_y)
STATUS(ctaid_x)
STATUS(laneid)
STATUS(lanemask)
STATUS(warpid)
STATUS(smid)
STATUS(match_1)
STATUS(match_2)
STATUS(match_8)
STATUS(match_32)
STATUS(match_all)
STATUS(reduce_add)
STATUS(reduce_min)
STATUS(reduce_xor)
STATUS(ballot)
STATUS(count)
STATUS(constant)
STATUS(rcp)
STATUS(shuffle)
