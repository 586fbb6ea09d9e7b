// SPDX-License-Identifier: Apache-2.0
// Gradient of a convolution's filter.
#include "cutlass/conv/kernel/default_conv2d_wgrad.h"
#include "cutlass/epilogue/thread/linear_combination.h"
#include "validation/foreign/cutlass/convolution_case.h"

namespace {

using Element = cutlass::half_t;
using Nhwc = cutlass::layout::TensorNHWC;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;
using Kernel = cutlass::conv::kernel::DefaultConv2dWgrad<
    Element, Nhwc, Element, Nhwc, float, Nhwc, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    Shape<64, 64, 32>, Shape<32, 32, 32>, Shape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, cutlass::arch::OpMultiplyAdd,
    cutlass::conv::IteratorAlgorithm::kOptimized>::Kernel;

}  // namespace

FOREIGN_CASE(convolution_wgrad) {
  return foreign::run_wgrad<cutlass::conv::device::ImplicitGemmConvolution<Kernel>, Element>(
      {2, 8, 9, 32, 64, 3, 3, 1, 1, 1});
}
