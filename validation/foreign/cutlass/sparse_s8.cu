// SPDX-License-Identifier: Apache-2.0
// 2:4 sparse int8 GEMM.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "validation/foreign/cutlass/sparse_case.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm =
    cutlass::gemm::device::SparseGemm<int8_t, Row, int8_t, Column, int32_t, Row, int32_t,
                                      cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape<64, 64, 128>,
                                      Shape<32, 32, 128>, Shape<16, 8, 64>,
                                      cutlass::epilogue::thread::LinearCombination<int32_t, 4, int32_t, int32_t>,
                                      cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 16, 16>;

}  // namespace

FOREIGN_CASE(sparse_s8) { return foreign::run_sparse<Gemm>(64, 128, 256); }
