// SPDX-License-Identifier: Apache-2.0
// The warpgroup matrix instructions of sm_90a with 8 columns as one table, as probe_ops.h has those of warps.
//
// STC_WGMMA_DENSE_OPS(X) calls X(nb, nc, tail, shape, d, a, b, sat), STC_WGMMA_SPARSE_OPS(X) with a selector at the
// end: 32-bit registers per lane of the B and C of one warp's 16 rows (A always has 4), which immediates end the PTX
// instruction, then the parts of its name; `sat` is `plain` or `satfinite`.
#pragma once

// clang-format off

#define STC_WGMMA_FP8_(X, nb, shape, a, b) \
  X(nb, 4, scaled, shape, f32, a, b, plain) \
  X(nb, 2, scaled, shape, f16, a, b, plain)
#define STC_WGMMA_INT_(X, nb, shape, a, b) \
  X(nb, 4, whole, shape, s32, a, b, plain) \
  X(nb, 4, whole, shape, s32, a, b, satfinite)
#define STC_WGMMA_BYTES_(X, nb, shape)                                                                      \
  STC_WGMMA_FP8_(X, nb, shape, e4m3, e4m3) STC_WGMMA_FP8_(X, nb, shape, e5m2, e5m2)                         \
  STC_WGMMA_FP8_(X, nb, shape, e4m3, e5m2) STC_WGMMA_FP8_(X, nb, shape, e5m2, e4m3)                         \
  STC_WGMMA_INT_(X, nb, shape, s8, s8) STC_WGMMA_INT_(X, nb, shape, u8, u8)                                 \
  STC_WGMMA_INT_(X, nb, shape, s8, u8) STC_WGMMA_INT_(X, nb, shape, u8, s8)

#define STC_WGMMA_DENSE_OPS(X)                  \
  X(2, 4, half, m64n8k16, f32, f16, f16, plain)   \
  X(2, 2, half, m64n8k16, f16, f16, f16, plain)   \
  X(2, 4, half, m64n8k16, f32, bf16, bf16, plain) \
  X(2, 4, scaled, m64n8k8, f32, tf32, tf32, plain)  \
  STC_WGMMA_BYTES_(X, 2, m64n8k32)

#define STC_WGMMA_SP0_(nb, nc, tail, shape, d, a, b, sat) STC_WGMMA_SPARSE_ENTRY(nb, nc, tail, shape, d, a, b, sat, 0)
#define STC_WGMMA_SP1_(nb, nc, tail, shape, d, a, b, sat) STC_WGMMA_SPARSE_ENTRY(nb, nc, tail, shape, d, a, b, sat, 1)
#define STC_WGMMA_PAIRS_(X)                       \
  X(4, 4, half, m64n8k32, f32, f16, f16, plain)   \
  X(4, 2, half, m64n8k32, f16, f16, f16, plain)   \
  X(4, 4, half, m64n8k32, f32, bf16, bf16, plain) \
  X(4, 4, scaled, m64n8k16, f32, tf32, tf32, plain)
/// Calls STC_WGMMA_SPARSE_ENTRY(nb, nc, tail, shape, d, a, b, sat, selector), which whoever uses it defines.
#define STC_WGMMA_SPARSE_OPS() \
  STC_WGMMA_PAIRS_(STC_WGMMA_SP0_) STC_WGMMA_PAIRS_(STC_WGMMA_SP1_) STC_WGMMA_BYTES_(STC_WGMMA_SP0_, 4, m64n8k64)

#define STC_WGMMA_SAT_plain ""
#define STC_WGMMA_SAT_satfinite ".satfinite"
// Kernels are called probe_rs_ID and probe_ss_ID: A from registers, A from shared memory.
#define STC_WGMMA_ID(shape, d, a, b, sat) wgmma_##shape##_##d##_##a##_##b##_##sat
#define STC_WGMMA_SP_ID(shape, d, a, b, sat, sel) wgmma_sp_##shape##_##d##_##a##_##b##_##sat##_sel##sel
#define STC_WGMMA_NAME(shape, d, a, b, sat) "wgmma." #shape "." #d "." #a "." #b STC_WGMMA_SAT_##sat
#define STC_WGMMA_SP_NAME(shape, d, a, b, sat) "wgmma.sp." #shape "." #d "." #a "." #b STC_WGMMA_SAT_##sat
// clang-format on
