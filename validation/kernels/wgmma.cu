// SPDX-License-Identifier: Apache-2.0
// One warpgroup GEMM kernel of the library. scripts/build_kernels compiles this file once per row of wgmma_table.h,
// with the row's columns as macros and STC_NAME as the symbol.
#include "validation/kernels/wgmma_kernel.h"

namespace stc::kernels {
#ifdef STC_PATTERN_M  // of patterns_table.h
using Tile = WarpgroupTile<Element::STC_ELEMENT, Kept::sp24, STC_TILE_M, STC_TILE_N, STC_TILE_K, STC_STAGES,
                           STC_CLUSTER, STC_PATTERN_M / STC_PATTERN_N, index_bits(STC_PATTERN_M)>;
#else
using Tile =
    WarpgroupTile<Element::STC_ELEMENT, Kept::STC_KEPT, STC_TILE_M, STC_TILE_N, STC_TILE_K, STC_STAGES, STC_CLUSTER>;
#endif
}  // namespace stc::kernels

using stc::kernels::TensorMap;

#if STC_CLUSTER == 1
#define STC_BOUNDS __launch_bounds__(stc::kernels::Tile::kThreads, 1)
#else
#define STC_BOUNDS __cluster_dims__(STC_CLUSTER, 1, 1) __launch_bounds__(stc::kernels::Tile::kThreads, 1)
#endif

#if STC_SPARSE
extern "C" __global__ void STC_BOUNDS STC_NAME(const __grid_constant__ TensorMap a, const void* e,
                                               const __grid_constant__ TensorMap b, void* d, int m, int n, int k) {
  stc::kernels::warpgroup_gemm<stc::kernels::Tile>(a, e, b, d, {m, n, k});
}
#else
extern "C" __global__ void STC_BOUNDS STC_NAME(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
                                               void* d, int m, int n, int k) {
  stc::kernels::warpgroup_gemm<stc::kernels::Tile>(a, nullptr, b, d, {m, n, k});
}
#endif
