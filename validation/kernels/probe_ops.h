// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction of sm_80 and sm_90 as one table, used by the probe and microbenchmark kernels and
// by the host programs that launch them. No CUDA needed to read it.
//
// STC_*_OPS(X) calls, per op, X(na, nb, nc, shape, sat, d, a, b, c) for dense and
// X(na, nb, nc, shape, sat, d, a, b, c, selector) for sparse ops: 32-bit registers per lane of A, B and C,
// then the parts of the PTX name; `sat` is `plain` or `satfinite`.
#pragma once

// clang-format off

#define STC_DENSE_FLOAT_OPS(X)                        \
  X(2, 1, 4, m16n8k8, plain, f32, f16, f16, f32)      \
  X(2, 1, 2, m16n8k8, plain, f16, f16, f16, f16)      \
  X(4, 2, 4, m16n8k16, plain, f32, f16, f16, f32)     \
  X(4, 2, 2, m16n8k16, plain, f16, f16, f16, f16)     \
  X(2, 1, 4, m16n8k8, plain, f32, bf16, bf16, f32)    \
  X(4, 2, 4, m16n8k16, plain, f32, bf16, bf16, f32)   \
  X(2, 1, 4, m16n8k4, plain, f32, tf32, tf32, f32)    \
  X(4, 2, 4, m16n8k8, plain, f32, tf32, tf32, f32)

#define STC_DENSE_INT8_(X, sat, a, b)                 \
  X(2, 1, 4, m16n8k16, sat, s32, a, b, s32)           \
  X(4, 2, 4, m16n8k32, sat, s32, a, b, s32)
#define STC_DENSE_INT4_(X, sat, a, b)                 \
  X(2, 1, 4, m16n8k32, sat, s32, a, b, s32)           \
  X(4, 2, 4, m16n8k64, sat, s32, a, b, s32)
#define STC_SIGNS_(M, X, sat, s, u) M(X, sat, s, s) M(X, sat, u, u) M(X, sat, s, u) M(X, sat, u, s)
#define STC_DENSE_INTEGER_OPS(X)                      \
  STC_SIGNS_(STC_DENSE_INT8_, X, plain, s8, u8)       \
  STC_SIGNS_(STC_DENSE_INT8_, X, satfinite, s8, u8)   \
  STC_SIGNS_(STC_DENSE_INT4_, X, plain, s4, u4)       \
  STC_SIGNS_(STC_DENSE_INT4_, X, satfinite, s4, u4)

/// sm_89 and later.
#define STC_DENSE_FP8_(X, a, b)                       \
  X(2, 1, 4, m16n8k16, plain, f32, a, b, f32)         \
  X(2, 1, 2, m16n8k16, plain, f16, a, b, f16)         \
  X(4, 2, 4, m16n8k32, plain, f32, a, b, f32)         \
  X(4, 2, 2, m16n8k32, plain, f16, a, b, f16)
#define STC_DENSE_FP8_OPS(X)                                                        \
  STC_DENSE_FP8_(X, e4m3, e4m3) STC_DENSE_FP8_(X, e5m2, e5m2)                       \
  STC_DENSE_FP8_(X, e4m3, e5m2) STC_DENSE_FP8_(X, e5m2, e4m3)

// Selectors: four lanes can hold the metadata of the small shapes of 16- and 32-bit types, two pairs that of the
// large ones and of the small integer shapes; the large integer shapes need all four lanes.
#define STC_SPARSE_QUARTER_(X, nc, shape, d, t)       \
  X(2, 2, nc, shape, plain, d, t, t, d, 0)            \
  X(2, 2, nc, shape, plain, d, t, t, d, 1)            \
  X(2, 2, nc, shape, plain, d, t, t, d, 2)            \
  X(2, 2, nc, shape, plain, d, t, t, d, 3)
#define STC_SPARSE_HALF_(X, nc, shape, d, t)          \
  X(4, 4, nc, shape, plain, d, t, t, d, 0)            \
  X(4, 4, nc, shape, plain, d, t, t, d, 1)
#define STC_SPARSE_FLOAT_OPS(X)                       \
  STC_SPARSE_QUARTER_(X, 4, m16n8k16, f32, f16)       \
  STC_SPARSE_QUARTER_(X, 2, m16n8k16, f16, f16)       \
  STC_SPARSE_HALF_(X, 4, m16n8k32, f32, f16)          \
  STC_SPARSE_HALF_(X, 2, m16n8k32, f16, f16)          \
  STC_SPARSE_QUARTER_(X, 4, m16n8k16, f32, bf16)      \
  STC_SPARSE_HALF_(X, 4, m16n8k32, f32, bf16)         \
  STC_SPARSE_QUARTER_(X, 4, m16n8k8, f32, tf32)       \
  STC_SPARSE_HALF_(X, 4, m16n8k16, f32, tf32)

#define STC_SPARSE_INT8_(X, sat, a, b)                \
  X(2, 2, 4, m16n8k32, sat, s32, a, b, s32, 0)        \
  X(2, 2, 4, m16n8k32, sat, s32, a, b, s32, 1)        \
  X(4, 4, 4, m16n8k64, sat, s32, a, b, s32, 0)
#define STC_SPARSE_INT4_(X, sat, a, b)                \
  X(2, 2, 4, m16n8k64, sat, s32, a, b, s32, 0)        \
  X(2, 2, 4, m16n8k64, sat, s32, a, b, s32, 1)        \
  X(4, 4, 4, m16n8k128, sat, s32, a, b, s32, 0)
#define STC_SPARSE_INTEGER_OPS(X)                     \
  STC_SIGNS_(STC_SPARSE_INT8_, X, plain, s8, u8)      \
  STC_SIGNS_(STC_SPARSE_INT8_, X, satfinite, s8, u8)  \
  STC_SIGNS_(STC_SPARSE_INT4_, X, plain, s4, u4)      \
  STC_SIGNS_(STC_SPARSE_INT4_, X, satfinite, s4, u4)

/// sm_89 and later.
#define STC_SPARSE_FP8_OPS(X)                         \
  X(4, 4, 4, m16n8k64, plain, f32, e4m3, e4m3, f32, 0) \
  X(4, 4, 4, m16n8k64, plain, f32, e5m2, e5m2, f32, 0) \
  X(4, 4, 4, m16n8k64, plain, f32, e4m3, e5m2, f32, 0) \
  X(4, 4, 4, m16n8k64, plain, f32, e5m2, e4m3, f32, 0)

#define STC_DENSE_OPS(X) STC_DENSE_FLOAT_OPS(X) STC_DENSE_INTEGER_OPS(X) STC_DENSE_FP8_OPS(X)
#define STC_SPARSE_OPS(X) STC_SPARSE_FLOAT_OPS(X) STC_SPARSE_INTEGER_OPS(X) STC_SPARSE_FP8_OPS(X)

// The kernel of an op is called after its PTX name with '.' as '_'.
#define STC_ID_plain(shape) shape
#define STC_ID_satfinite(shape) shape##_satfinite
#define STC_CAT_(a, b) a##b
#define STC_CAT(a, b) STC_CAT_(a, b)
#define STC_ID4_(head, d, a, b, c) head##_##d##_##a##_##b##_##c
#define STC_ID4(head, d, a, b, c) STC_ID4_(head, d, a, b, c)
#define STC_DENSE_ID(shape, sat, d, a, b, c) STC_ID4(STC_CAT(mma_, STC_ID_##sat(shape)), d, a, b, c)
#define STC_SPARSE_ID_(head, selector) head##_sel##selector
#define STC_SPARSE_ID1(head, selector) STC_SPARSE_ID_(head, selector)
#define STC_SPARSE_ID(shape, sat, d, a, b, c, selector) \
  STC_SPARSE_ID1(STC_ID4(STC_CAT(mma_sp_, STC_ID_##sat(shape)), d, a, b, c), selector)

// The name as PTX spells it, without .sync.aligned, .row.col.
#define STC_NAME_plain ""
#define STC_NAME_satfinite "satfinite."
#define STC_DENSE_NAME(shape, sat, d, a, b, c) "mma." #shape "." STC_NAME_##sat #d "." #a "." #b "." #c
#define STC_SPARSE_NAME(shape, sat, d, a, b, c) "mma.sp." #shape "." STC_NAME_##sat #d "." #a "." #b "." #c
// clang-format on
