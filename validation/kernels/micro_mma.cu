// SPDX-License-Identifier: Apache-2.0
// Throughput and latency of every mma and mma.sp that the GPU executes natively, over 1 to 8 independent chains per
// warp (one chain gives the dependent latency): micro_<op>_c<chains>(Interval* out, int iterations).
// micro_<op>_shared_c8: eight chains that share A and metadata, as a GEMM's inner loop does.
#define STC_MICRO_FEED(chain)
#include "micro_mma.cuh"

// Formatting never settles on this list.
// clang-format off
#define STC_ALL_CHAINS_(M, ...)                                                                                   \
  M(1, true, c1, __VA_ARGS__)                                                                                     \
  M(2, true, c2, __VA_ARGS__)                                                                                     \
  M(3, true, c3, __VA_ARGS__)                                                                                     \
  M(4, true, c4, __VA_ARGS__) M(5, true, c5, __VA_ARGS__) M(6, true, c6, __VA_ARGS__) M(7, true, c7, __VA_ARGS__) \
      M(8, true, c8, __VA_ARGS__) M(8, false, shared_c8, __VA_ARGS__)
// clang-format on
#define DENSE(...) STC_ALL_CHAINS_(STC_MICRO_DENSE_, __VA_ARGS__)
#define SPARSE(...) STC_ALL_CHAINS_(STC_MICRO_SPARSE_, __VA_ARGS__)

STC_DENSE_FLOAT_OPS(DENSE)
DENSE(2, 1, 4, m16n8k16, plain, s32, s8, s8, s32)
DENSE(4, 2, 4, m16n8k32, plain, s32, s8, s8, s32)
SPARSE(2, 2, 4, m16n8k16, plain, f32, f16, f16, f32, 0)
SPARSE(2, 2, 2, m16n8k16, plain, f16, f16, f16, f16, 0)
SPARSE(4, 4, 4, m16n8k32, plain, f32, f16, f16, f32, 0)
SPARSE(4, 4, 2, m16n8k32, plain, f16, f16, f16, f16, 0)
SPARSE(2, 2, 4, m16n8k16, plain, f32, bf16, bf16, f32, 0)
SPARSE(4, 4, 4, m16n8k32, plain, f32, bf16, bf16, f32, 0)
SPARSE(2, 2, 4, m16n8k8, plain, f32, tf32, tf32, f32, 0)
SPARSE(4, 4, 4, m16n8k16, plain, f32, tf32, tf32, f32, 0)
SPARSE(2, 2, 4, m16n8k32, plain, s32, s8, s8, s32, 0)
SPARSE(4, 4, 4, m16n8k64, plain, s32, s8, s8, s32, 0)
#if __CUDA_ARCH__ < 900
// Later GPUs emulate 4-bit types: micro_mma_emulated.cu.
DENSE(2, 1, 4, m16n8k32, plain, s32, s4, s4, s32)
DENSE(4, 2, 4, m16n8k64, plain, s32, s4, s4, s32)
SPARSE(2, 2, 4, m16n8k64, plain, s32, s4, s4, s32, 0)
SPARSE(4, 4, 4, m16n8k128, plain, s32, s4, s4, s32, 0)
#endif
