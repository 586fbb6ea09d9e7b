// SPDX-License-Identifier: Apache-2.0
// Float GEMM whose inputs are rounded to tf32 in registers.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm = cutlass::gemm::device::Gemm<float, Row, float, Column, float, Row, float, cutlass::arch::OpClassTensorOp,
                                         cutlass::arch::Sm80, Shape<64, 64, 16>, Shape<32, 32, 16>, Shape<16, 8, 8>,
                                         cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 4, 4>;

}  // namespace

FOREIGN_CASE(gemm_f32_as_tf32) { return foreign::run_gemm<Gemm>(64, 128, 64); }
