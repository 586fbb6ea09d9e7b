// SPDX-License-Identifier: Apache-2.0
// int4 GEMM.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm = cutlass::gemm::device::Gemm<cutlass::int4b_t, Row, cutlass::int4b_t, Column, int32_t, Row, int32_t,
                                         cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape<64, 64, 128>,
                                         Shape<32, 32, 128>, Shape<16, 8, 64>,
                                         cutlass::epilogue::thread::LinearCombination<int32_t, 4, int32_t, int32_t>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 32, 32, false,
                                         cutlass::arch::OpMultiplyAddSaturate>;

}  // namespace

FOREIGN_CASE(gemm_s4) { return foreign::run_gemm<Gemm>(64, 64, 256); }
