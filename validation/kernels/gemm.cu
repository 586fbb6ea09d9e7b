// SPDX-License-Identifier: Apache-2.0
// One GEMM kernel of the library. scripts/build_kernels compiles this file once per row of gemm_table.h, with the
// row's columns as macros and STC_NAME as the symbol.
#include "validation/kernels/gemm_kernel.h"

namespace stc::kernels {
using Tile = GemmTile<Element::STC_ELEMENT, Kept::STC_KEPT, STC_TILE_M, STC_TILE_N, STC_TILE_K, STC_WARP_M, STC_WARP_N,
                      STC_STAGES>;
constexpr bool kDense = Kept::STC_KEPT == Kept::dense;
}  // namespace stc::kernels

#define STC_BOUNDS __launch_bounds__(stc::kernels::Tile::kThreads, STC_CTAS_PER_SM)

#if STC_SPARSE
static_assert(!stc::kernels::kDense);
extern "C" __global__ void STC_BOUNDS STC_NAME(const void* a, const void* e, const void* b, void* d, int m, int n,
                                               int k) {
  stc::kernels::gemm<stc::kernels::Tile>(a, e, b, d, m, n, k);
}
#else
static_assert(stc::kernels::kDense);
extern "C" __global__ void STC_BOUNDS STC_NAME(const void* a, const void* b, void* d, int m, int n, int k) {
  stc::kernels::gemm<stc::kernels::Tile>(a, nullptr, b, d, m, n, k);
}
#endif
