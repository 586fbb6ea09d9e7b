// SPDX-License-Identifier: Apache-2.0
// Half-precision GEMM for older GPUs: two stages, through registers.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm = cutlass::gemm::device::Gemm<cutlass::half_t, Row, cutlass::half_t, Column, float, Row, float,
                                         cutlass::arch::OpClassTensorOp, cutlass::arch::Sm75, Shape<64, 64, 32>,
                                         Shape<32, 32, 32>, Shape<16, 8, 8>,
                                         cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 2, 8, 8>;

}  // namespace

FOREIGN_CASE(gemm_two_stage) { return foreign::run_gemm<Gemm>(64, 64, 96); }
