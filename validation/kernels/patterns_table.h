// SPDX-License-Identifier: Apache-2.0
// Warpgroup GEMM kernels of patterns that no hardware has, for `stcsim explore`: the machine code is that of 2:4, whose
// instructions stcsim takes for those of the pattern (sim/launch/what_if.h). No GPU computes anything of use with them.

// STC_PATTERN_GEMM(pattern_n, pattern_m, tile_m, tile_n, tile_k, stages)
STC_PATTERN_GEMM(1, 4, 128, 128, 128, 5)
STC_PATTERN_GEMM(2, 8, 128, 128, 128, 5)
STC_PATTERN_GEMM(4, 16, 128, 128, 128, 5)
STC_PATTERN_GEMM(4, 8, 128, 128, 64, 6)
STC_PATTERN_GEMM(8, 16, 128, 128, 64, 6)
STC_PATTERN_GEMM(1, 4, 128, 256, 128, 3)
STC_PATTERN_GEMM(2, 8, 128, 256, 128, 3)
STC_PATTERN_GEMM(4, 16, 128, 256, 128, 3)
STC_PATTERN_GEMM(4, 8, 128, 256, 64, 4)
STC_PATTERN_GEMM(8, 16, 128, 256, 64, 4)
