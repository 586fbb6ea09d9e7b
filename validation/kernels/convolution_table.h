// SPDX-License-Identifier: Apache-2.0
// The convolution kernels of the library, one row each: the only list. Every sparse kernel has a dense twin of the same
// tile. m counts output channels, n output pixels, k (r, s, c) with c fastest; the last column is the number of CTAs
// per SM that the register allocation must allow.

// STC_CONVOLUTION(element, kept, tile_m, tile_n, tile_k, warp_m, warp_n, stages, ctas_per_sm)
STC_CONVOLUTION(f16, dense, 128, 128, 64, 64, 64, 3, 2)
STC_CONVOLUTION(f16, sp24, 128, 128, 64, 64, 64, 3, 2)
STC_CONVOLUTION(f16, dense, 128, 128, 64, 64, 64, 4, 1)
STC_CONVOLUTION(f16, sp24, 128, 128, 64, 64, 64, 4, 1)
STC_CONVOLUTION(f16, dense, 128, 256, 64, 64, 64, 3, 1)
STC_CONVOLUTION(f16, sp24, 128, 256, 64, 64, 64, 3, 1)
STC_CONVOLUTION(f16, dense, 64, 256, 64, 64, 32, 3, 1)
STC_CONVOLUTION(f16, sp24, 64, 256, 64, 64, 32, 3, 1)
STC_CONVOLUTION(f16, dense, 64, 128, 64, 64, 32, 3, 2)
STC_CONVOLUTION(f16, sp24, 64, 128, 64, 64, 32, 3, 2)
STC_CONVOLUTION(f16, dense, 64, 64, 64, 32, 32, 4, 2)
STC_CONVOLUTION(f16, sp24, 64, 64, 64, 32, 32, 4, 2)

STC_CONVOLUTION(s8, dense, 128, 128, 128, 64, 64, 3, 2)
STC_CONVOLUTION(s8, sp24, 128, 128, 128, 64, 64, 3, 2)
STC_CONVOLUTION(s8, dense, 64, 128, 128, 64, 32, 3, 2)
STC_CONVOLUTION(s8, sp24, 64, 128, 128, 64, 32, 3, 2)
STC_CONVOLUTION(s8, dense, 64, 64, 128, 32, 32, 4, 2)
STC_CONVOLUTION(s8, sp24, 64, 64, 128, 32, 32, 4, 2)
