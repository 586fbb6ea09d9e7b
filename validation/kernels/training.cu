// SPDX-License-Identifier: Apache-2.0
// One kernel of a training step. scripts/build_kernels compiles this file once per line of training_list.cpp, with the
// line's keys as macros and STC_NAME as the symbol.
#include "validation/kernels/training_gemm.h"
#include "validation/kernels/training_parts.h"
#include "validation/kernels/training_prune.h"

#ifdef STC_EPILOGUE  // a GEMM

namespace stc::kernels {
enum class StorageA { mk, km };
enum class StorageB { nk, kn };
enum class StorageD { mn, nm };
using Tile = TrainingTile<
    GemmTile<Element::f16, Kept::STC_KEPT, STC_TILE_M, STC_TILE_N, STC_TILE_K, STC_WARP_M, STC_WARP_N, STC_STAGES>,
    StorageA::STC_A == StorageA::km, StorageB::STC_B == StorageB::kn>;
constexpr bool kTransposedD = StorageD::STC_D == StorageD::nm;
}  // namespace stc::kernels

#define STC_GEMM extern "C" __global__ void __launch_bounds__(stc::kernels::Tile::kThreads, STC_CTAS_PER_SM) STC_NAME

#if STC_PARTS
STC_GEMM(const void* a, const void* b, void* d, float4* sums, std::uint32_t* arrived, int m, int n, int k, int whole,
         int parts) {
  stc::kernels::training_gemm_parts<stc::kernels::Tile>(a, b, d, sums, arrived, m, n, k, whole, parts);
}
#else

#if STC_SPARSE
#define STC_METADATA const void *e,
#else
#define STC_METADATA
#endif
#if STC_FUSED
#define STC_OTHER void *p,
#else
#define STC_OTHER
#endif

STC_GEMM(const void* a, STC_METADATA const void* b, void* d, STC_OTHER int m, int n, int k) {
#if !STC_SPARSE
  const void* e = nullptr;
#endif
#if !STC_FUSED
  void* p = nullptr;
#endif
  using namespace stc::kernels;
  training_gemm<Tile, kTransposedD, Epilogue::STC_EPILOGUE>(a, e, b, d, p, m, n, k);
}
#endif

#else

#define STC_BOUNDS __launch_bounds__(stc::kernels::kPruneThreads)
#if STC_FORM == 2
extern "C" __global__ void STC_BOUNDS STC_NAME(const void* w, void* a, std::uint32_t* e, void* at, std::uint32_t* et,
                                               void* masks, int rows, int columns) {
  stc::kernels::prune_both<stc::kernels::Choice::STC_CHOICE>(w, a, e, at, et, masks, rows, columns);
}
#elif STC_FORM == 1
extern "C" __global__ void STC_BOUNDS STC_NAME(const void* w, void* a, std::uint32_t* e, int rows, int columns) {
  stc::kernels::prune_rows(w, a, e, rows, columns);
}
#else
extern "C" __global__ void STC_BOUNDS STC_NAME(const void* w, void* masks, void* a, void* at, int rows, int columns) {
  stc::kernels::prune_like(w, masks, a, at, rows, columns);
}
#endif

#endif
