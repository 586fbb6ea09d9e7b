// SPDX-License-Identifier: Apache-2.0
// Forward convolution of tf32.
#include "cutlass/conv/kernel/default_conv2d_fprop.h"
#include "cutlass/epilogue/thread/linear_combination.h"
#include "validation/foreign/cutlass/convolution_case.h"

namespace {

using Element = cutlass::tfloat32_t;
using Nhwc = cutlass::layout::TensorNHWC;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;
using Kernel = cutlass::conv::kernel::DefaultConv2dFprop<
    Element, Nhwc, Element, Nhwc, float, Nhwc, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    Shape<64, 32, 16>, Shape<32, 32, 16>, Shape<16, 8, 8>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, cutlass::arch::OpMultiplyAdd,
    cutlass::conv::IteratorAlgorithm::kOptimized>::Kernel;

}  // namespace

FOREIGN_CASE(convolution_fprop_tf32) {
  return foreign::run_fprop<cutlass::conv::device::ImplicitGemmConvolution<Kernel>, Element>(
      {1, 8, 8, 16, 32, 1, 1, 0, 1, 1});
}
