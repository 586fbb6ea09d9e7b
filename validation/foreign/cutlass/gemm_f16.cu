// SPDX-License-Identifier: Apache-2.0
// Half-precision GEMM on tensor cores, multistage, with alpha and beta.
#include "cutlass/epilogue/thread/linear_combination.h"
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
                                         cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 8, 8>;

}  // namespace

FOREIGN_CASE(gemm_f16) { return foreign::run_gemm<Gemm>(128, 192, 96, 2, -1); }
