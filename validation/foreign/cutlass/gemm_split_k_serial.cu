// SPDX-License-Identifier: Apache-2.0
// Half-precision GEMM split along k; CTAs add up one after the other.
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
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 8, 8, true>;

}  // namespace

FOREIGN_RACE(gemm_split_k_serial) { return foreign::run_gemm<Gemm>(64, 64, 384, 1, 1, 3); }
