// SPDX-License-Identifier: Apache-2.0
// The GEMM kernels of the library, one row each: the only list. scripts/build_kernels reads it too.
// Every sparse kernel has a dense twin of the same tile, so that a comparison changes nothing but the sparsity.
// The last column is the number of CTAs per SM that the register allocation must allow.

// STC_GEMM(element, kept, tile_m, tile_n, tile_k, warp_m, warp_n, stages, ctas_per_sm)
STC_GEMM(f16, dense, 128, 128, 64, 64, 32, 3, 1)
STC_GEMM(f16, sp24, 128, 128, 64, 64, 32, 3, 1)
STC_GEMM(f16, dense, 128, 128, 64, 64, 32, 4, 1)
STC_GEMM(f16, sp24, 128, 128, 64, 64, 32, 4, 1)
STC_GEMM(f16, dense, 128, 128, 64, 64, 64, 2, 2)
STC_GEMM(f16, sp24, 128, 128, 64, 64, 64, 2, 2)
STC_GEMM(f16, dense, 128, 128, 64, 64, 64, 3, 2)
STC_GEMM(f16, sp24, 128, 128, 64, 64, 64, 3, 2)
STC_GEMM(f16, dense, 128, 256, 64, 64, 64, 2, 1)
STC_GEMM(f16, sp24, 128, 256, 64, 64, 64, 2, 1)
STC_GEMM(f16, dense, 128, 256, 64, 64, 64, 3, 1)
STC_GEMM(f16, sp24, 128, 256, 64, 64, 64, 3, 1)
STC_GEMM(f16, dense, 256, 128, 64, 64, 64, 3, 1)
STC_GEMM(f16, sp24, 256, 128, 64, 64, 64, 3, 1)
STC_GEMM(f16, dense, 128, 64, 64, 64, 32, 3, 2)
STC_GEMM(f16, sp24, 128, 64, 64, 64, 32, 3, 2)
STC_GEMM(f16, dense, 64, 64, 64, 32, 32, 4, 2)
STC_GEMM(f16, sp24, 64, 64, 64, 32, 32, 4, 2)
STC_GEMM(f16, dense, 128, 128, 128, 64, 64, 2, 1)
STC_GEMM(f16, sp24, 128, 128, 128, 64, 64, 2, 1)

STC_GEMM(bf16, dense, 128, 128, 64, 64, 64, 3, 2)
STC_GEMM(bf16, sp24, 128, 128, 64, 64, 64, 3, 2)
STC_GEMM(bf16, dense, 128, 256, 64, 64, 64, 3, 1)
STC_GEMM(bf16, sp24, 128, 256, 64, 64, 64, 3, 1)

STC_GEMM(tf32, dense, 128, 128, 32, 64, 64, 3, 2)
STC_GEMM(tf32, sp12, 128, 128, 32, 64, 64, 3, 2)
STC_GEMM(tf32, dense, 128, 256, 32, 64, 64, 3, 1)
STC_GEMM(tf32, sp12, 128, 256, 32, 64, 64, 3, 1)

STC_GEMM(s8, dense, 128, 128, 128, 64, 64, 3, 2)
STC_GEMM(s8, sp24, 128, 128, 128, 64, 64, 3, 2)
STC_GEMM(s8, dense, 128, 256, 128, 64, 64, 3, 1)
STC_GEMM(s8, sp24, 128, 256, 128, 64, 64, 3, 1)
