// SPDX-License-Identifier: Apache-2.0
// Matrix instructions in the loop of the published A100 tables (Sun et al., arXiv:2206.02874): one instruction per
// chain, then __syncwarp, four iterations a branch. The source counts to a constant (999 in its Makefile) and leaves
// unrolling to the compiler; nvcc makes four iterations a branch of such a loop.
//   micro_loop_<op>_c<chains>(Interval* out, int iterations), 1 to 4 chains
#define STC_MICRO_FEED(chain)
#define STC_MICRO_ROUNDS(chains) 4
#define STC_MICRO_ROUND_END __syncwarp()
#include "micro_mma.cuh"

#undef STC_MICRO_NAME_
#define STC_MICRO_NAME_(id, suffix) micro_loop_##id##_##suffix

#define STC_LOOP_CHAINS_(M, ...) \
  M(1, true, c1, __VA_ARGS__) M(2, true, c2, __VA_ARGS__) M(3, true, c3, __VA_ARGS__) M(4, true, c4, __VA_ARGS__)
#define DENSE(...) STC_LOOP_CHAINS_(STC_MICRO_DENSE_, __VA_ARGS__)
#define SPARSE(...) STC_LOOP_CHAINS_(STC_MICRO_SPARSE_, __VA_ARGS__)

STC_DENSE_FLOAT_OPS(DENSE)
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
DENSE(4, 2, 4, m16n8k64, plain, s32, s4, s4, s32)
#endif
