// SPDX-License-Identifier: Apache-2.0
// The body of the matrix-instruction microbenchmarks: `chains` independent accumulators per warp, round robin, each
// with its own B and metadata registers and, if `own_a`, its own A.
//
// STC_MICRO_DENSE_ / STC_MICRO_SPARSE_(chains, own_a, suffix, <op of probe_ops.h>) defines
//   micro_<op>_<suffix>(Interval* out, int iterations)
// STC_MICRO_FEED(chain) runs after each instruction: empty, or a data dependence that keeps emulating code alive.
// Two may be defined before: STC_MICRO_ROUNDS(chains), instructions of a chain in the loop body, and
// STC_MICRO_ROUND_END, which follows an instruction of each chain.
#pragma once

#include "micro_common.cuh"
#include "probe_asm.cuh"

/// Matrix instructions in the unrolled loop body, about 32.
__host__ __device__ constexpr int rounds(int chains) { return (32 + chains - 1) / chains; }

#ifndef STC_MICRO_ROUNDS
#define STC_MICRO_ROUNDS(chains) rounds(chains)
#endif
#ifndef STC_MICRO_ROUND_END
#define STC_MICRO_ROUND_END
#endif

#define STC_MICRO_(name, chains, own_a, na, nb, nc, STATEMENT)                                                  \
  extern "C" __global__ void name(Interval* out, int iterations) {                                              \
    std::uint32_t a[chains][na], b[chains][nb], d[chains][nc];                                                  \
    [[maybe_unused]] std::uint32_t e[chains];                                                                   \
    const std::uint32_t seed = static_cast<std::uint32_t>(iterations) * 0x01010101u + threadIdx.x;              \
    for (int c = 0; c < chains; ++c) {                                                                          \
      for (int i = 0; i < na; ++i) a[c][i] = (seed + c * 16 + i) & 0x03FF03FFu;                                 \
      for (int i = 0; i < nb; ++i) b[c][i] = (seed + c * 16 + i + 8) & 0x03FF03FFu;                             \
      for (int i = 0; i < nc; ++i) d[c][i] = seed & 0x000000FFu;                                                \
      e[c] = (seed & 0u) + 0x44444444u + (c << 28 & seed & 0u);                                                 \
      asm volatile("" : "+r"(e[c]));                                                                            \
    }                                                                                                           \
    std::uint64_t start = 0, stop = 0;                                                                          \
    _Pragma("unroll 1") for (int pass = 0; pass < 2; ++pass) { /* the first warms the instruction cache */      \
      __syncthreads();                                                                                          \
      start = read_clock();                                                                                     \
      _Pragma("unroll 1") for (int i = 0; i < iterations; ++i) {                                                \
        _Pragma("unroll") for (int round = 0; round < STC_MICRO_ROUNDS(chains); ++round) {                      \
          _Pragma("unroll") for (int c = 0; c < chains; ++c) {                                                  \
            std::uint32_t(&ra)[na] = a[own_a ? c : 0];                                                          \
            STATEMENT;                                                                                          \
            STC_MICRO_FEED(c);                                                                                  \
          }                                                                                                     \
          STC_MICRO_ROUND_END;                                                                                  \
        }                                                                                                       \
      }                                                                                                         \
      stop = read_clock();                                                                                      \
    }                                                                                                           \
    std::uint32_t keep = 0;                                                                                     \
    for (int c = 0; c < chains; ++c)                                                                            \
      for (int i = 0; i < nc; ++i) keep ^= d[c][i];                                                             \
    report(out, start, stop, static_cast<std::uint64_t>(iterations) * STC_MICRO_ROUNDS(chains) * chains, keep); \
  }

#define STC_MICRO_NAME_(id, suffix) micro_##id##_##suffix
#define STC_MICRO_NAME(id, suffix) STC_MICRO_NAME_(id, suffix)
#define STC_MICRO_DENSE_(chains, own, suffix, na, nb, nc, shape, sat, d_, a_, b_, c_)                   \
  STC_MICRO_(STC_MICRO_NAME(STC_DENSE_ID(shape, sat, d_, a_, b_, c_), suffix), chains, own, na, nb, nc, \
             STC_MMA_##na##nb##nc(STC_DENSE_PTX(shape, sat, d_, a_, b_, c_), d[c], ra, b[c]))
#define STC_MICRO_SPARSE_(chains, own, suffix, na, nb, nc, shape, sat, d_, a_, b_, c_, sel)                           \
  STC_MICRO_(STC_MICRO_NAME(STC_ID4(STC_CAT(mma_sp_, STC_ID_##sat(shape)), d_, a_, b_, c_), suffix), chains, own, na, \
             nb, nc,                                                                                                  \
             STC_MMA_SP_##na##nb##nc(STC_SPARSE_PTX(shape, sat, d_, a_, b_, c_), d[c], ra, b[c], e[own ? c : 0], sel))
