// SPDX-License-Identifier: Apache-2.0
// Loops of matrix instructions that add up in the same registers, stored as soon as they are there: who reads D comes
// no later than it must. Both models of the tensor core and the check of dependences run them.
//   accumulate_<op>_u<1|2|4>(std::uint32_t* out, int iterations), unrolled 1, 2 or 4 times
#include <cstdint>

#include "probe_asm.cuh"

#define STC_ACCUMULATE_(name, unrolled, na, nb, nc, STATEMENT)                             \
  extern "C" __global__ void name(std::uint32_t* out, int iterations) {                    \
    std::uint32_t a[na], b[nb], d[nc];                                                     \
    [[maybe_unused]] std::uint32_t e = 0x44444444u;                                        \
    for (int i = 0; i < na; ++i) a[i] = (threadIdx.x * 0x01010101u + i) & 0x03FF03FFu;     \
    for (int i = 0; i < nb; ++i) b[i] = (threadIdx.x * 0x00110101u + i + 8) & 0x03FF03FFu; \
    for (int i = 0; i < nc; ++i) d[i] = threadIdx.x & 3u;                                  \
    asm volatile("" : "+r"(e));                                                            \
    _Pragma("unroll 1") for (int i = 0; i < iterations; ++i) {                             \
      _Pragma("unroll") for (int round = 0; round < unrolled; ++round) { STATEMENT; }      \
    }                                                                                      \
    for (int i = 0; i < nc; ++i) out[threadIdx.x * nc + i] = d[i];                         \
  }

#define STC_ACCUMULATE_NAME_(id, unrolled) accumulate_##id##_u##unrolled
#define STC_ACCUMULATE_NAME(id, unrolled) STC_ACCUMULATE_NAME_(id, unrolled)
#define STC_DENSE_LOOP_(unrolled, na, nb, nc, shape, sat, d_, a_, b_, c_)                                        \
  STC_ACCUMULATE_(STC_ACCUMULATE_NAME(STC_DENSE_ID(shape, sat, d_, a_, b_, c_), unrolled), unrolled, na, nb, nc, \
                  STC_MMA_##na##nb##nc(STC_DENSE_PTX(shape, sat, d_, a_, b_, c_), d, a, b))
#define STC_SPARSE_LOOP_(unrolled, na, nb, nc, shape, sat, d_, a_, b_, c_, sel)                                  \
  STC_ACCUMULATE_(STC_ACCUMULATE_NAME(STC_ID4(STC_CAT(mma_sp_, STC_ID_##sat(shape)), d_, a_, b_, c_), unrolled), \
                  unrolled, na, nb, nc,                                                                          \
                  STC_MMA_SP_##na##nb##nc(STC_SPARSE_PTX(shape, sat, d_, a_, b_, c_), d, a, b, e, sel))
#define DENSE(...) STC_DENSE_LOOP_(1, __VA_ARGS__) STC_DENSE_LOOP_(2, __VA_ARGS__) STC_DENSE_LOOP_(4, __VA_ARGS__)
#define SPARSE(...) STC_SPARSE_LOOP_(1, __VA_ARGS__) STC_SPARSE_LOOP_(2, __VA_ARGS__) STC_SPARSE_LOOP_(4, __VA_ARGS__)

STC_DENSE_FLOAT_OPS(DENSE)
DENSE(2, 1, 4, m16n8k16, plain, s32, s8, s8, s32)
DENSE(4, 2, 4, m16n8k32, plain, s32, s8, s8, s32)
SPARSE(2, 2, 4, m16n8k16, plain, f32, f16, f16, f32, 0)
SPARSE(2, 2, 2, m16n8k16, plain, f16, f16, f16, f16, 0)
SPARSE(4, 4, 4, m16n8k32, plain, f32, f16, f16, f32, 0)
SPARSE(4, 4, 2, m16n8k32, plain, f16, f16, f16, f16, 0)
SPARSE(2, 2, 4, m16n8k8, plain, f32, tf32, tf32, f32, 0)
SPARSE(4, 4, 4, m16n8k16, plain, f32, tf32, tf32, f32, 0)
SPARSE(2, 2, 4, m16n8k32, plain, s32, s8, s8, s32, 0)
SPARSE(4, 4, 4, m16n8k64, plain, s32, s8, s8, s32, 0)
#if __CUDA_ARCH__ < 900
DENSE(2, 1, 4, m16n8k32, plain, s32, s4, s4, s32)
DENSE(4, 2, 4, m16n8k64, plain, s32, s4, s4, s32)
#endif
