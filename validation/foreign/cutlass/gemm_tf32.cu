// SPDX-License-Identifier: Apache-2.0
// tf32 GEMM: floats rounded by the tensor core's own rule.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm = cutlass::gemm::device::Gemm<cutlass::tfloat32_t, Row, cutlass::tfloat32_t, Column, float, Row, float,
                                         cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape<64, 64, 32>,
                                         Shape<32, 32, 32>, Shape<16, 8, 8>,
                                         cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 4, 4>;

}  // namespace

FOREIGN_CASE(gemm_tf32) { return foreign::run_gemm<Gemm>(128, 64, 96); }
