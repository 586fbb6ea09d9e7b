// SPDX-License-Identifier: Apache-2.0
// Half-precision GEMM with a GELU behind it.
#include "cutlass/epilogue/thread/linear_combination_gelu.h"
#include "cutlass/gemm/device/gemm.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm = cutlass::gemm::device::Gemm<cutlass::half_t, Row, cutlass::half_t, Column, float, Row, float,
                                         cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape<64, 64, 32>,
                                         Shape<32, 32, 32>, Shape<16, 8, 16>,
                                         cutlass::epilogue::thread::LinearCombinationGELU<float, 4, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 8, 8>;

}  // namespace

FOREIGN_CASE(gemm_gelu) {
  return foreign::run_gemm<Gemm>(
      64, 64, 32, 0.125f, 0, 1, [](double v) { return v * 0.5 * (1 + std::erf(v / std::sqrt(2.0))); }, 1e-5);
}
