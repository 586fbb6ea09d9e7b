// SPDX-License-Identifier: Apache-2.0
// 2:4 sparse bfloat16 GEMM.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "validation/foreign/cutlass/sparse_case.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm = cutlass::gemm::device::SparseGemm<cutlass::bfloat16_t, Row, cutlass::bfloat16_t, Column, float, Row, float,
                                               cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape<64, 64, 64>,
                                               Shape<32, 32, 64>, Shape<16, 8, 32>,
                                               cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                               cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 8, 8>;

}  // namespace

FOREIGN_CASE(sparse_bf16) { return foreign::run_sparse<Gemm>(64, 128, 128); }
