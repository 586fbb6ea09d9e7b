// SPDX-License-Identifier: Apache-2.0
// Stores without end that fill sectors of 32 bytes in whole or in part.
//   micro_stores_<what>(Interval* out, uint8* data, int iterations): `iterations` times 32 stores of each warp, to
//   16 KiB of its own. A store goes to a sector in each of eight lines, with single to one in each of 32.
//   what: whole: 32 bytes of a sector   once: 16 bytes, the others never
//         fill: 16 bytes, the other 16 by the next store   fill_4: by the fourth next one   fill_8: by the eighth
//         single: 4 bytes
//         half_lines: 64 bytes of a line in each of four, the other 64 by the next store   lines: four whole lines
//   micro_loads_<sectors>(Interval* out, uint8* data, int iterations): the same with loads past L1 of 1, 2 or 4 sectors
//   of eight, four or four lines, of the last 16. What an iteration loads the next one does not, so that the compiler
//   cannot keep it.
// Operations are stores and loads.
//   micro_stores_beside_<copies>_<stores>(Interval* out, uint8* data, int iterations): an iteration of each warp is
//   `copies` LDGSTS of four lines and then `stores` stores of a whole sector in each of eight lines, to other lines;
//   two iterations' copies may be on their way. Operations are iterations.
#include "micro_common.cuh"

enum class What { whole, once, fill, fill_4, fill_8, single, half_lines, lines };

/// Where the i-th store begins, behind a lane's own place; 32 of them have four to eight blocks of eight lines.
__device__ constexpr int place(What what, int i) {
  switch (what) {
    case What::whole:
    case What::once: return i / 4 * 1024 + i % 4 * 32;
    case What::fill: return i / 8 * 1024 + i % 8 * 16;
    case What::fill_4: return i / 8 * 1024 + i % 4 * 32 + i / 4 % 2 * 16;
    case What::fill_8: return i / 16 * 2048 + i % 8 / 4 * 1024 + i % 4 * 32 + i / 8 % 2 * 16;
    case What::single: return i % 32 * 4;
    case What::half_lines: return i / 2 * 512 + i % 2 * 64;
    case What::lines: return i * 512;
  }
  return 0;
}

template <What kWhat>
__device__ __forceinline__ void stores(Interval* out, std::uint8_t* data, int iterations) {
  constexpr bool kWhole = kWhat == What::whole || kWhat == What::half_lines;
  constexpr bool kSingle = kWhat == What::single, kLines = kWhat == What::lines;
  constexpr unsigned kLanes = kSingle                               ? 1
                              : kLines || kWhat == What::half_lines ? 8
                                                                    : 4,
                     kBytes = kLines   ? 16
                              : kWhole ? 8
                                       : 4;
  const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  std::uint8_t* const own = data + warp * 16384 + lane / kLanes * 128 + lane % kLanes * kBytes;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int n = 0; n < iterations; ++n) {
      std::uint8_t* const to = own + (kSingle ? n % 4 * 4096 : kLines ? 0 : n % 2 * 8192);
#pragma unroll
      for (int i = 0; i < 32; ++i) {
        if constexpr (kLines) {
          asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(to + place(kWhat, i)), "r"(lane) : "memory");
        } else if constexpr (kWhole) {
          store_8(to + place(kWhat, i), lane);
        } else {
          asm volatile("st.global.u32 [%0], %1;" ::"l"(to + place(kWhat, i)), "r"(lane) : "memory");
        }
      }
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * 32, 0);
}

template <int kSectors>
__device__ __forceinline__ void loads(Interval* out, const std::uint8_t* data, int iterations) {
  constexpr What kWhat = kSectors == 1 ? What::whole : kSectors == 2 ? What::half_lines : What::lines;
  constexpr int kCount = kSectors == 4 ? 16 : 32;
  constexpr unsigned kLanes = kSectors == 1 ? 4 : 8, kBytes = kSectors == 4 ? 16 : 8;
  const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const std::uint8_t* const own = data + warp * 16384 + lane / kLanes * 128 + lane % kLanes * kBytes;
  std::uint64_t start = 0, stop = 0;
  std::uint32_t keep = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int n = 0; n < iterations; ++n) {
      const std::uint8_t* const from = own + n % 2 * 8192;
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        std::uint32_t r[4] = {};
        if constexpr (kSectors == 4) {
          asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                       : "l"(from + place(kWhat, i)));
        } else {
          asm volatile("ld.global.cg.v2.u32 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "l"(from + place(kWhat, i)));
        }
        keep ^= r[0] ^ r[1] ^ r[2] ^ r[3];
      }
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kCount, keep);
}

template <int kCopies, int kStores>
__device__ __forceinline__ void beside(Interval* out, std::uint8_t* data, int iterations) {
  extern __shared__ __align__(1024) std::uint8_t shared[];
  const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const std::uint32_t near = shared_address(shared) + threadIdx.x / 32 * 16384 + lane * 16;
  std::uint8_t* const from = data + warp * 32768 + lane * 16;
  std::uint8_t* const to = data + warp * 32768 + 16384 + lane / 4 * 128 + lane % 4 * 8;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int n = 0; n < iterations; ++n) {
#pragma unroll
      for (int i = 0; i < kCopies; ++i) copy_16(near + (n % 2 * 16 + i) * 512, from + (n % 2 * 16 + i) * 512);
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 1;" ::: "memory");
#pragma unroll
      for (int i = 0; i < kStores; ++i) store_8(to + n % 2 * 8192 + place(What::whole, i), lane);
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations), 0);
}

#define STORES(what)                                                           \
  extern "C" __global__ void __launch_bounds__(384)                            \
      micro_stores_##what(Interval* out, std::uint8_t* data, int iterations) { \
    stores<What::what>(out, data, iterations);                                 \
  }
STORES(whole)
STORES(once)
STORES(fill)
STORES(fill_4)
STORES(fill_8)
STORES(single)
STORES(half_lines)
STORES(lines)

#define LOADS(sectors)                                                           \
  extern "C" __global__ void __launch_bounds__(384)                              \
      micro_loads_##sectors(Interval* out, std::uint8_t* data, int iterations) { \
    loads<sectors>(out, data, iterations);                                       \
  }
LOADS(1)
LOADS(2)
LOADS(4)

#define BESIDE(copies, stores)                                                                     \
  extern "C" __global__ void __launch_bounds__(384)                                                \
      micro_stores_beside_##copies##_##stores(Interval* out, std::uint8_t* data, int iterations) { \
    beside<copies, stores>(out, data, iterations);                                                 \
  }
BESIDE(16, 0)
BESIDE(16, 4)
BESIDE(16, 8)
BESIDE(16, 16)
BESIDE(8, 16)
BESIDE(4, 16)
BESIDE(0, 16)
