// SPDX-License-Identifier: Apache-2.0
// Half-precision GEMM split along k; a second kernel adds up.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm_splitk_parallel.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm =
    cutlass::gemm::device::GemmSplitKParallel<cutlass::half_t, Row, cutlass::half_t, Column, float, Row, float,
                                              cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape<64, 64, 32>,
                                              Shape<32, 32, 32>, Shape<16, 8, 16>,
                                              cutlass::epilogue::thread::LinearCombination<float, 4, float, float>>;

}  // namespace

FOREIGN_CASE(gemm_split_k_parallel) { return foreign::run_gemm<Gemm>(64, 128, 256, 1, 0, 4); }
