// SPDX-License-Identifier: Apache-2.0
// Double-precision GEMM on tensor cores.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm =
    cutlass::gemm::device::Gemm<double, Row, double, Column, double, Row, double, cutlass::arch::OpClassTensorOp,
                                cutlass::arch::Sm80, Shape<32, 32, 16>, Shape<16, 16, 16>, Shape<8, 8, 4>,
                                cutlass::epilogue::thread::LinearCombination<double, 1, double, double>,
                                cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 1, 1>;

}  // namespace

FOREIGN_CASE(gemm_f64) { return foreign::run_gemm<Gemm>(64, 96, 48, 3, 2); }
