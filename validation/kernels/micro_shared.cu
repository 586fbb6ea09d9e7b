// SPDX-License-Identifier: Apache-2.0
// Shared memory: ldmatrix, LDS and STS of each width over conflict degree, latency (dependent chain) and throughput;
// the CTA barrier.
//   micro_<what>_chase(Interval* out, int iterations, int ways_or_stride)
//   micro_<what>_rate(Interval* out, int iterations, int ways_or_stride)
// ldmatrix takes `ways`: that many of the eight rows of a matrix lie in the same banks. LDS and STS take the byte
// stride between lanes. Accesses of a rate loop are 128 bytes apart.
#include "micro_common.cuh"

constexpr int kUnroll = 16;
constexpr int kPlaces = kUnroll;  // no two loads of the loop body may have the same address: they would be merged
constexpr int kPlaceBytes = 128;  // keeps the banks

/// Byte offset of row `row` of an 8x8 matrix so that `ways` rows share their banks.
__device__ __forceinline__ std::uint32_t row_offset(int row, int ways) {
  return row < ways ? static_cast<std::uint32_t>(row) * 128u : static_cast<std::uint32_t>(row - ways + 1) * 16u;
}

template <int kMatrices, bool kTranspose>
__device__ __forceinline__ std::uint32_t ldmatrix(std::uint32_t address) {
  std::uint32_t r[4] = {};
  if constexpr (kMatrices == 1 && !kTranspose)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
  if constexpr (kMatrices == 2 && !kTranspose)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(address));
  if constexpr (kMatrices == 4 && !kTranspose)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
  if constexpr (kMatrices == 1 && kTranspose)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
  if constexpr (kMatrices == 2 && kTranspose)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address));
  if constexpr (kMatrices == 4 && kTranspose)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
  return kMatrices == 4 ? r[0] ^ r[1] ^ r[2] ^ r[3] : kMatrices == 2 ? r[0] ^ r[1] : r[0];
}

/// A dependent chain: what register 0 holds is the lane's next address.
template <int kMatrices, bool kTranspose>
__device__ __forceinline__ void ldmatrix_chase(Interval* out, int iterations, int ways) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int matrix = lane / 8 % kMatrices;
  const std::uint32_t base = shared_address(memory);
  const std::uint32_t own = base + static_cast<std::uint32_t>(matrix) * 1024u + row_offset(lane % 8, ways);
  // Lane 4r + w receives word w of row r of matrix 0 (transposed: elements (2w, r) and (2w + 1, r)).
  if (!kTranspose) {
    *reinterpret_cast<std::uint32_t*>(memory + row_offset(lane / 4, ways) + lane % 4 * 4) = own;
  } else {
    const int w = lane % 4, r = lane / 4;
    *reinterpret_cast<std::uint16_t*>(memory + row_offset(2 * w, ways) + r * 2) = static_cast<std::uint16_t>(own);
    *reinterpret_cast<std::uint16_t*>(memory + row_offset(2 * w + 1, ways) + r * 2) = 0;
  }
  std::uint32_t address = own;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        std::uint32_t r[4];
        if constexpr (kMatrices == 1 && !kTranspose)
          asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
        if constexpr (kMatrices == 2 && !kTranspose)
          asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                       : "=r"(r[0]), "=r"(r[1])
                       : "r"(address));
        if constexpr (kMatrices == 4 && !kTranspose)
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                       : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                       : "r"(address));
        if constexpr (kMatrices == 1 && kTranspose)
          asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
        if constexpr (kMatrices == 4 && kTranspose)
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                       : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                       : "r"(address));
        address = r[0];
      }
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kUnroll, address);
}

template <int kMatrices, bool kTranspose>
__device__ __forceinline__ void ldmatrix_rate(Interval* out, int iterations, int ways) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const int lane = static_cast<int>(threadIdx.x % 32);
  std::uint32_t address =
      shared_address(memory) + static_cast<std::uint32_t>(lane / 8 % kMatrices) * 1024u + row_offset(lane % 8, ways);
  const std::uint32_t step = static_cast<std::uint32_t>(iterations) >> 20;  // 0, unknown to the compiler
  std::uint32_t keep = 0;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
      address += step;
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) keep ^= ldmatrix<kMatrices, kTranspose>(address + u % kPlaces * kPlaceBytes);
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kUnroll, keep);
}

#define LDMATRIX(n, suffix, transpose)                                                                  \
  extern "C" __global__ void micro_ldsm_x##n##suffix##_chase(Interval* out, int iterations, int ways) { \
    ldmatrix_chase<n, transpose>(out, iterations, ways);                                                \
  }                                                                                                     \
  extern "C" __global__ void micro_ldsm_x##n##suffix##_rate(Interval* out, int iterations, int ways) {  \
    ldmatrix_rate<n, transpose>(out, iterations, ways);                                                 \
  }
LDMATRIX(1, , false)
LDMATRIX(2, , false)
LDMATRIX(4, , false)
LDMATRIX(1, _trans, true)
LDMATRIX(4, _trans, true)

/// LDS of kBytes per lane: the first word loaded is the lane's own address again.
template <int kBytes>
__device__ __forceinline__ void lds_chase(Interval* out, int iterations, int stride) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const std::uint32_t offset = threadIdx.x % 32 * static_cast<std::uint32_t>(stride);
  std::uint32_t address = shared_address(memory) + offset;
  *reinterpret_cast<std::uint32_t*>(memory + offset) = address;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        std::uint32_t r[4];
        if constexpr (kBytes == 4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(address));
        if constexpr (kBytes == 8)
          asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(address));
        if constexpr (kBytes == 16)
          asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                       : "r"(address));
        address = r[0];
      }
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kUnroll, address);
}

template <int kBytes, bool kStore>
__device__ __forceinline__ void shared_rate(Interval* out, int iterations, int stride) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  std::uint32_t address = shared_address(memory) + threadIdx.x % 32 * static_cast<std::uint32_t>(stride);
  const std::uint32_t step = static_cast<std::uint32_t>(iterations) >> 20;  // 0, unknown to the compiler
  std::uint32_t keep = threadIdx.x;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
      address += step;
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        const std::uint32_t place = address + u % kPlaces * kPlaceBytes;
        std::uint32_t r[4] = {keep, keep, keep, keep};
        if constexpr (kStore) {
          if constexpr (kBytes == 4) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(place), "r"(r[0]));
          if constexpr (kBytes == 8)
            asm volatile("st.volatile.shared.v2.u32 [%0], {%1,%2};" ::"r"(place), "r"(r[0]), "r"(r[1]));
          if constexpr (kBytes == 16)
            asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%2,%3,%4};" ::"r"(place), "r"(r[0]), "r"(r[1]), "r"(r[2]),
                         "r"(r[3]));
        } else {
          r[1] = r[2] = r[3] = 0;
          if constexpr (kBytes == 4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(place));
          if constexpr (kBytes == 8)
            asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(place));
          if constexpr (kBytes == 16)
            asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                         : "r"(place));
          keep ^= kBytes == 16 ? r[0] ^ r[1] ^ r[2] ^ r[3] : kBytes == 8 ? r[0] ^ r[1] : r[0];
        }
      }
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kUnroll, keep);
}

#define SHARED(bits, bytes)                                                                        \
  extern "C" __global__ void micro_lds_##bits##_chase(Interval* out, int iterations, int stride) { \
    lds_chase<bytes>(out, iterations, stride);                                                     \
  }                                                                                                \
  extern "C" __global__ void micro_lds_##bits##_rate(Interval* out, int iterations, int stride) {  \
    shared_rate<bytes, false>(out, iterations, stride);                                            \
  }                                                                                                \
  extern "C" __global__ void micro_sts_##bits##_rate(Interval* out, int iterations, int stride) {  \
    shared_rate<bytes, true>(out, iterations, stride);                                             \
  }
SHARED(32, 4)
SHARED(64, 8)
SHARED(128, 16)

/// Sixteen CTA barriers per iteration.
extern "C" __global__ void micro_barrier(Interval* out, int iterations) {
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) asm volatile("bar.sync 0;" ::: "memory");
    }
    stop = read_clock();
  }
  report(out, start, stop, static_cast<std::uint64_t>(iterations) * kUnroll, 0);
}
