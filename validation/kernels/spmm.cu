// SPDX-License-Identifier: Apache-2.0
// One kernel of the family spmm. scripts/build_kernels compiles this file once per line of spmm_list.cpp, with the
// line's keys as macros and STC_NAME as the symbol. D[m,n] = A[m,k] x B[k,n], sums and D in f32.
#include "validation/kernels/spmm_bitmap.cuh"
#include "validation/kernels/spmm_columns.cuh"
#include "validation/kernels/spmm_coo.cuh"
#include "validation/kernels/spmm_gustavson.cuh"
#include "validation/kernels/spmm_kinds.h"
#include "validation/kernels/spmm_rows.cuh"
#include "validation/kernels/spmm_sgemm.cuh"

using namespace stc::kernels;

#define STC_KERNEL extern "C" __global__ void __launch_bounds__(STC_THREADS, STC_CTAS_PER_SM) STC_NAME
using Value = STC_ELEMENT;
using Column = Index<Value>;

#if STC_SPMM_OF(STC_FORMAT) == STC_SPMM_csr
STC_KERNEL(const int* __restrict__ order, const int* __restrict__ offsets, const Column* __restrict__ indices,
           const Value* __restrict__ values, const Value* __restrict__ b, float* __restrict__ d, int m, int n) {
  csr_rows<Value, STC_TILE_N>(order, offsets, indices, values, b, d, m, n);
}
#elif STC_SPMM_OF(STC_FORMAT) == STC_SPMM_ell
STC_KERNEL(const Column* __restrict__ indices, const Value* __restrict__ values, const Value* __restrict__ b,
           float* __restrict__ d, int m, int n, int width) {
  ell_rows<Value, STC_TILE_N>(indices, values, b, d, m, n, width);
}
#elif STC_SPMM_OF(STC_FORMAT) == STC_SPMM_coo
STC_KERNEL(const int* __restrict__ rows, const Column* __restrict__ indices, const Value* __restrict__ values,
           const Value* __restrict__ b, float* __restrict__ d, int entries, int n) {
  CooSegment<STC_TILE_N>(rows, indices, values, b, d, entries, n).compute();
}
#elif STC_SPMM_OF(STC_FORMAT) == STC_SPMM_csr_csr
STC_KERNEL(const int* __restrict__ order, const int* __restrict__ offsets_a, const Column* __restrict__ indices_a,
           const Value* __restrict__ values_a, const int* __restrict__ offsets_b, const Column* __restrict__ indices_b,
           const Value* __restrict__ values_b, float* __restrict__ d, int n) {
  gustavson(order, offsets_a, indices_a, values_a, offsets_b, indices_b, values_b, d, n);
}
#elif STC_SPMM_OF(STC_FORMAT) == STC_SPMM_csc
STC_KERNEL(const Value* __restrict__ a, const int* __restrict__ offsets, const Column* __restrict__ indices,
           const Value* __restrict__ values, float* __restrict__ d, int m, int n, int k) {
  static_assert(STC_SHARED_BYTES == sizeof(ColumnTile::Shared));
  extern __shared__ float4 shared[];
  ColumnTile tile(a, offsets, indices, values, m, n, k);
  tile.compute(*reinterpret_cast<ColumnTile::Shared*>(shared));
  tile.store(d, n);
}
#elif STC_SPMM_OF(STC_FORMAT) == STC_SPMM_sgemm
STC_KERNEL(const Value* __restrict__ a, const Value* __restrict__ b, float* __restrict__ d, int n, int k) {
  using Tile = SgemmTile<STC_TILE_M, STC_TILE_N>;
  static_assert(STC_SHARED_BYTES == Tile::kSharedBytes && STC_THREADS == Tile::kThreads);
  extern __shared__ float4 shared[];
  Tile tile(a, b, reinterpret_cast<Tile::Stage*>(shared), n, k);
  tile.compute();
  tile.store(d);
}
#elif STC_SPMM_OF(STC_FORMAT) == STC_SPMM_bitmap
STC_KERNEL(const std::uint32_t* __restrict__ offsets, const std::uint64_t* __restrict__ bitmaps,
           const Value* __restrict__ values, const Value* __restrict__ b, float* __restrict__ d, int m, int n, int k) {
  using Tile = BitmapTile<STC_TILE_N>;
  static_assert(STC_SHARED_BYTES == Tile::kSharedBytes && STC_THREADS == Tile::kThreads);
  extern __shared__ float4 shared[];
  Tile tile(offsets, bitmaps, values, b, reinterpret_cast<Tile::Stage*>(shared), n, k);
  tile.compute();
  tile.store(d, m);
}
#else
#error "STC_FORMAT names no kind of spmm_kinds.h"
#endif
