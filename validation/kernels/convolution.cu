// SPDX-License-Identifier: Apache-2.0
// One convolution kernel of the library. scripts/build_kernels compiles this file once per row of convolution_table.h,
// with the row's columns as macros and STC_NAME as the symbol.
#include "validation/kernels/convolution_kernel.h"

namespace stc::kernels {
using Tile = GemmTile<Element::STC_ELEMENT, Kept::STC_KEPT, STC_TILE_M, STC_TILE_N, STC_TILE_K, STC_WARP_M, STC_WARP_N,
                      STC_STAGES>;
}  // namespace stc::kernels

#define STC_BOUNDS __launch_bounds__(stc::kernels::Tile::kThreads, STC_CTAS_PER_SM)
#if STC_METADATA_K
#define STC_WEIGHTS const void *a, const void *e
#define STC_METADATA e
#else
#define STC_WEIGHTS const void* a
#define STC_METADATA nullptr
#endif

extern "C" __global__ void STC_BOUNDS STC_NAME(STC_WEIGHTS, const void* x, void* d, int pixels, std::uint32_t image,
                                               std::uint32_t image_multiplier, std::uint32_t image_shift,
                                               std::uint32_t q, std::uint32_t q_multiplier, std::uint32_t q_shift,
                                               int h, int w, int c, int k, int r, int s, int stride, int pad,
                                               int tiles_k, int step_r, int step_s, int step_c, float scale) {
  const stc::kernels::ConvolutionShape shape{pixels,
                                             {image, image_multiplier, image_shift},
                                             {q, q_multiplier, q_shift},
                                             h,
                                             w,
                                             c,
                                             k,
                                             r,
                                             s,
                                             stride,
                                             pad,
                                             tiles_k,
                                             step_r,
                                             step_s,
                                             step_c};
  stc::kernels::convolution<stc::kernels::Tile>(a, STC_METADATA, x, d, shape, scale);
}
