// SPDX-License-Identifier: Apache-2.0
// Half-precision GEMM whose work is dealt out in streams of k-tiles: CTAs finish tiles that others began.
#include "cutlass/gemm/device/gemm_universal.h"
#include "cutlass/gemm/threadblock/threadblock_swizzle_streamk.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm =
    cutlass::gemm::device::GemmUniversal<Half, Row, Half, Column, float, Row, float, cutlass::arch::OpClassTensorOp,
                                         cutlass::arch::Sm80, Shape<64, 64, 32>, Shape<32, 32, 32>, Shape<16, 8, 16>,
                                         cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                         cutlass::gemm::threadblock::ThreadblockSwizzleStreamK, 3, 8, 8>;

}  // namespace

FOREIGN_RACE(gemm_stream_k) {
  const int m = 320, n = 256, k = 512;
  const foreign::Matrix<Half> a(1, m, k), b(2, k, n, true);
  const foreign::Matrix<float> c(3, m, n);
  foreign::Device<float> d(m * n);
  Gemm::Arguments arguments(cutlass::gemm::GemmUniversalMode::kGemm, {m, n, k}, 1, {1.f, 1.f}, a.get(), b.get(),
                            c.get(), d.get(), m * k, n * k, m * n, m * n, k, k, n, n, 12);
  foreign::Device<unsigned char> workspace(Gemm::get_workspace_size(arguments) + 16);
  Gemm gemm;
  FOREIGN_CUTLASS(gemm.initialize(arguments, workspace.get()));
  FOREIGN_CUTLASS(gemm());
  return foreign::equal(foreign::as_doubles(d.host()), foreign::product_of(a, b, c, 1, 1));
}
