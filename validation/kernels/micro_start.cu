// SPDX-License-Identifier: Apache-2.0
// What a kernel pays at its start when nothing of it is in any cache: code, address translation, first data. Counted
// and timed under ncu, which empties the caches before a launch or leaves them.
//   micro_first_loads(uint32* samples, const uint8* data, int stride_kib, int own_kib, int wait)
//       thread 0 of each CTA loads kLoads words one after the other, `stride_kib` apart and with the next line of the
//       same place between two of them; CTA i starts at `own_kib` x i and `wait` x i clocks after its launch.
//       samples: clocks until the first load, then of each load, then the SM
//   micro_first_burst(uint32* samples, const uint8* data, int stride_kib, int own_kib, int places)
//       all threads load 16 bytes in each of `places` places, `stride_kib` apart, at once.
//       samples: clocks until then, clocks of the burst, the SM
//   micro_stores(uint8* data, int count)   every thread stores 16 bytes `count` times, contiguous by CTA
//   micro_load_once(const uint8* data), micro_store_once(uint8* data)   one access per thread
#include "micro_common.cuh"

constexpr int kLoads = 8;
constexpr int kPlaces = 4;

/// timed_load that does nothing between its clocks where `active` is 0.
__device__ __forceinline__ std::uint32_t clocks_of_load(const std::uint8_t* address, const void* scratch, int active) {
  [[maybe_unused]] std::uint32_t value;
  std::uint64_t start, stop;
  asm volatile(
      "{.reg .pred go;\n\t"
      "setp.ne.s32 go, %5, 0;\n\t"
      "mov.u32 %0, 0;\n\t"
      "mov.u64 %1, %%clock64;\n\t"
      "@go ld.global.cg.u32 %0, [%3];\n\t"
      "st.volatile.shared.u32 [%4], %0;\n\t"
      "mov.u64 %2, %%clock64;}"
      : "=&r"(value), "=&l"(start), "=&l"(stop)
      : "l"(address), "r"(shared_address(scratch)), "r"(active)
      : "memory");
  return static_cast<std::uint32_t>(stop - start);
}

extern "C" __global__ void micro_first_loads(std::uint32_t* samples, const std::uint8_t* data, int stride_kib,
                                             int own_kib, int wait) {
  __shared__ std::uint32_t scratch, taken[kLoads + 1];
  const std::uint64_t begin = read_clock();
  const std::uint64_t due = begin + static_cast<std::uint64_t>(wait) * blockIdx.x;
  const std::uint8_t* mine = data + static_cast<std::uint64_t>(own_kib) * 1024 * blockIdx.x;
  if (threadIdx.x != 0) return;
  std::uint64_t ready = begin;
  // The first round only fetches the code.
#pragma unroll 1
  for (int i = 0; i <= kLoads; ++i) {
    const int load = i - 1;
    const std::uint8_t* place =
        mine + static_cast<std::uint64_t>(load / 2) * static_cast<std::uint64_t>(stride_kib) * 1024;
    taken[i] = clocks_of_load(place + load % 2 * 128, &scratch, i);
    if (i == 0) {
      ready = read_clock();
      while (read_clock() < due) {
      }
    }
  }
  std::uint32_t* row = samples + blockIdx.x * (kLoads + 2);
  row[0] = static_cast<std::uint32_t>(ready - begin);
#pragma unroll 1
  for (int i = 1; i <= kLoads; ++i) row[i] = taken[i];
  row[kLoads + 1] = sm_id();
}

extern "C" __global__ void micro_first_burst(std::uint32_t* samples, const std::uint8_t* data, int stride_kib,
                                             int own_kib, int places) {
  const std::uint64_t begin = read_clock();
  const std::uint8_t* mine = data + static_cast<std::uint64_t>(own_kib) * 1024 * blockIdx.x + threadIdx.x * 16;
  std::uint32_t keep = 0;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {  // the first only fetches the code
    const int active = round == 0 ? 0 : places;
    __syncthreads();
    start = read_clock();
    std::uint32_t r[kPlaces][4];
#pragma unroll
    for (int p = 0; p < kPlaces; ++p) {
      asm volatile(
          "{.reg .pred go;\n\t"
          "setp.gt.s32 go, %5, %6;\n\t"
          "mov.u32 %0, 0; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0;\n\t"
          "@go ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];}"
          : "=&r"(r[p][0]), "=&r"(r[p][1]), "=&r"(r[p][2]), "=&r"(r[p][3])
          : "l"(mine + static_cast<std::uint64_t>(p) * static_cast<std::uint64_t>(stride_kib) * 1024), "r"(active),
            "r"(p)
          : "memory");
    }
#pragma unroll
    for (int p = 0; p < kPlaces; ++p) keep ^= r[p][0] ^ r[p][1] ^ r[p][2] ^ r[p][3];
    if (keep == 0x9E3779B9u) samples[2] = keep;
    __syncthreads();
    stop = read_clock();
  }
  if (threadIdx.x != 0) return;
  std::uint32_t* row = samples + blockIdx.x * 3;
  row[0] = static_cast<std::uint32_t>(start - begin);
  row[1] = static_cast<std::uint32_t>(stop - start);
  row[2] = sm_id();
}

extern "C" __global__ void micro_load_once(const std::uint8_t* data) {
  std::uint32_t value;
  asm volatile("ld.global.cg.u32 %0, [%1];"
               : "=r"(value)
               : "l"(data + (blockIdx.x * blockDim.x + threadIdx.x) * 4)
               : "memory");
  if (value == 0x9E3779B9u) __trap();
}

extern "C" __global__ void micro_store_once(std::uint8_t* data) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(data + (blockIdx.x * blockDim.x + threadIdx.x) * 4), "r"(threadIdx.x)
               : "memory");
}

extern "C" __global__ void micro_stores(std::uint8_t* data, int count) {
  std::uint8_t* place =
      data + (static_cast<std::uint64_t>(blockIdx.x) * static_cast<unsigned>(count) * blockDim.x + threadIdx.x) * 16;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(place), "r"(threadIdx.x) : "memory");
    place += blockDim.x * 16;
  }
}
