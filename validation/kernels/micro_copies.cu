// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies beside matrix loads and matrix instructions, as in a GEMM's inner loop: an iteration sends
// `copies` LDGSTS of 16 bytes a lane and commits them, fills one half of a double buffer of fragments with `loads`
// ldmatrix.x4, and uses the other half in `mmas` matrix instructions (d: m16n8k16, s: 2:4 m16n8k32). No access has bank
// conflicts.
//   micro_copies_c<copies>_l<loads>_<d|s><mmas>(Interval* out, const uint8* data, int iterations)
//   micro_copies_..._together: all copies precede the loads (else they alternate)
//   micro_copies_..._barrier:  a CTA barrier in each iteration
// Five groups of copies may be on their way, each of lines and rows of its own. Operations count iterations.
#include "micro_common.cuh"
#include "probe_asm.cuh"

constexpr std::uint32_t kRowBytes = 1u << 17, kLineBytes = 1u << 20;  // that copies fill and read, then again

enum class Order { alternating, together, barrier };

template <bool kSparse, int kCopies, int kLoads, int kMmas, Order kOrder>
__device__ __forceinline__ void copies(Interval* out, const std::uint8_t* data, int iterations) {
  constexpr int kFragments = kLoads == 0 ? 2 : kLoads;
  constexpr int kChains = kMmas == 0 ? 1 : kMmas;
  constexpr int kMost = kCopies > kLoads ? kCopies : kLoads;
  extern __shared__ __align__(128) std::uint8_t rows[];  // where each warp's copies go
  __shared__ __align__(128) std::uint32_t matrices[kFragments * 128];
  for (int i = static_cast<int>(threadIdx.x); i < kFragments * 128; i += static_cast<int>(blockDim.x))
    matrices[i] = i & 0xFF;
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint32_t place = (warp * kCopies * 32 + lane) * 16;
  const std::uint32_t group = blockDim.x * kCopies * 16;  // bytes that all warps copy at once
  std::uint32_t offset = 0;
  const std::uint32_t step = static_cast<std::uint32_t>(iterations) >> 20;  // 0, unknown to the compiler
  const std::uint32_t first_row = shared_address(rows) + place;
  const std::uint8_t* first_line = data + place;
  std::uint32_t address = shared_address(matrices) + lane * 16;
  std::uint32_t d[kChains][4] = {}, fragment[2][kFragments][4] = {};
  std::uint32_t e = 0x44444444u + step;
  asm volatile("" : "+r"(e));
  __syncthreads();
  for (int l = 0; l < kFragments; ++l) {
    load_matrices(fragment[0][l], address + l * 512);
    load_matrices(fragment[1][l], address + l * 512);
  }
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
      address += step;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::uint32_t to = first_row + offset % kRowBytes;
        const std::uint8_t* from = first_line + offset;
        offset = (offset + group) % kLineBytes;
        if constexpr (kOrder == Order::together) {
#pragma unroll
          for (int c = 0; c < kCopies; ++c) copy_16(to + c * 512, from + c * 512);
        }
#pragma unroll
        for (int k = 0; k < kMost; ++k) {
          if (k < kLoads) load_matrices(fragment[1 - half][k], address + k * 512);
          if (k < kCopies && kOrder != Order::together) copy_16(to + k * 512, from + k * 512);
        }
        if constexpr (kCopies != 0) {
          asm volatile("cp.async.commit_group;" ::: "memory");
          asm volatile("cp.async.wait_group 4;" ::: "memory");
        }
        if constexpr (kOrder == Order::barrier) __syncthreads();
#pragma unroll
        for (int m = 0; m < kMmas; ++m) {
          auto& a = fragment[half][m % kFragments];
          auto& b = fragment[half][(m / 2 + 1) % kFragments];
          if constexpr (kSparse) {
            STC_MMA_SP_444(STC_SPARSE_PTX(m16n8k32, plain, f32, f16, f16, f32), d[m], a, b, e, 0);
          } else {
            STC_MMA_424(STC_DENSE_PTX(m16n8k16, plain, f32, f16, f16, f32), d[m], a, b);
          }
        }
      }
    }
    stop = read_clock();
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  std::uint32_t keep = 0;
  for (int m = 0; m < kChains; ++m)
    for (int i = 0; i < 4; ++i) keep ^= d[m][i];
  for (int l = 0; l < kFragments; ++l)
    for (int i = 0; i < 4; ++i) keep ^= fragment[0][l][i] ^ fragment[1][l][i];
  report(out, start, stop, 2ull * static_cast<std::uint64_t>(iterations), keep);
}

#define COPIES(name, sparse, c, l, m, order)                                                                \
  extern "C" __global__ void micro_copies_##name(Interval* out, const std::uint8_t* data, int iterations) { \
    copies<sparse, c, l, m, Order::order>(out, data, iterations);                                           \
  }
COPIES(c1_l0_d0, false, 1, 0, 0, alternating)
COPIES(c2_l0_d0, false, 2, 0, 0, alternating)
COPIES(c4_l0_d0, false, 4, 0, 0, alternating)
COPIES(c8_l0_d0, false, 8, 0, 0, alternating)
COPIES(c1_l1_d0, false, 1, 1, 0, alternating)
COPIES(c1_l4_d0, false, 1, 4, 0, alternating)
COPIES(c2_l4_d0, false, 2, 4, 0, alternating)
COPIES(c4_l4_d0, false, 4, 4, 0, alternating)
COPIES(c4_l8_d0, false, 4, 8, 0, alternating)
COPIES(c4_l4_d0_together, false, 4, 4, 0, together)
COPIES(c4_l8_d0_together, false, 4, 8, 0, together)
COPIES(c0_l0_d8, false, 0, 0, 8, alternating)
COPIES(c1_l0_d8, false, 1, 0, 8, alternating)
COPIES(c2_l0_d8, false, 2, 0, 8, alternating)
COPIES(c4_l0_d8, false, 4, 0, 8, alternating)
COPIES(c1_l4_d8, false, 1, 4, 8, alternating)
COPIES(c2_l4_d8, false, 2, 4, 8, alternating)
COPIES(c4_l4_d8, false, 4, 4, 8, alternating)
COPIES(c4_l8_d16, false, 4, 8, 16, alternating)
COPIES(c0_l0_s8, true, 0, 0, 8, alternating)
COPIES(c1_l0_s8, true, 1, 0, 8, alternating)
COPIES(c2_l0_s8, true, 2, 0, 8, alternating)
COPIES(c4_l0_s8, true, 4, 0, 8, alternating)
COPIES(c1_l4_s8, true, 1, 4, 8, alternating)
COPIES(c2_l4_s8, true, 2, 4, 8, alternating)
COPIES(c4_l4_s8, true, 4, 4, 8, alternating)
COPIES(c4_l6_s16, true, 4, 6, 16, alternating)
COPIES(c2_l4_d8_barrier, false, 2, 4, 8, barrier)
COPIES(c4_l8_d16_barrier, false, 4, 8, 16, barrier)
COPIES(c2_l4_s8_barrier, true, 2, 4, 8, barrier)
COPIES(c4_l6_s16_barrier, true, 4, 6, 16, barrier)
