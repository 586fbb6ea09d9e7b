// SPDX-License-Identifier: Apache-2.0
// Matrix instructions that sm_90's compiler emulates (8-bit floats, 4-bit integers), 1 and 4 chains. Each result
// feeds the next B, because the emulation adds C last and would otherwise be moved out of the loop.
#define STC_MICRO_FEED(chain) b[chain][0] ^= d[chain][0]
#include "micro_mma.cuh"

#define DENSE(...) STC_MICRO_DENSE_(1, true, c1, __VA_ARGS__) STC_MICRO_DENSE_(4, true, c4, __VA_ARGS__)
#define SPARSE(...) STC_MICRO_SPARSE_(1, true, c1, __VA_ARGS__) STC_MICRO_SPARSE_(4, true, c4, __VA_ARGS__)

#if __CUDA_ARCH__ >= 900
DENSE(2, 1, 4, m16n8k32, plain, s32, s4, s4, s32)
DENSE(4, 2, 4, m16n8k64, plain, s32, s4, s4, s32)
DENSE(2, 1, 4, m16n8k16, plain, f32, e4m3, e4m3, f32)
DENSE(4, 2, 4, m16n8k32, plain, f32, e4m3, e4m3, f32)
DENSE(4, 2, 2, m16n8k32, plain, f16, e4m3, e4m3, f16)
DENSE(4, 2, 4, m16n8k32, plain, f32, e5m2, e5m2, f32)
SPARSE(2, 2, 4, m16n8k64, plain, s32, s4, s4, s32, 0)
SPARSE(4, 4, 4, m16n8k128, plain, s32, s4, s4, s32, 0)
SPARSE(4, 4, 4, m16n8k64, plain, f32, e4m3, e4m3, f32, 0)
#endif
