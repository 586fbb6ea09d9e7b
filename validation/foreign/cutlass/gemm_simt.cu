// SPDX-License-Identifier: Apache-2.0
// Float GEMM on CUDA cores.
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/device/gemm.h"
#include "validation/foreign/cutlass/operands.h"

namespace {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

using Gemm = cutlass::gemm::device::Gemm<float, Row, float, Column, float, Row, float, cutlass::arch::OpClassSimt,
                                         cutlass::arch::Sm80, Shape<32, 64, 8>, Shape<32, 32, 8>, Shape<1, 1, 1>,
                                         cutlass::epilogue::thread::LinearCombination<float, 1, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 4, 1, 1>;

}  // namespace

FOREIGN_CASE(gemm_simt) { return foreign::run_gemm<Gemm>(70, 90, 33); }
