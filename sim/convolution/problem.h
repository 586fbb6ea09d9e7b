// SPDX-License-Identifier: Apache-2.0
// A layer with a kernel of the library: sizes and ranges checked, tensors made, buffers laid out as the kernel expects
// them (traces/kernels/README.md, "Convolutions").
#pragma once

#include <cstdint>
#include <vector>

#include "sim/convolution/kernel_library.h"
#include "sim/launch/gemm_workload.h"
#include "sim/launch/prepared_launch.h"

namespace stc::sim {

struct ConvolutionProblem {
  ConvolutionKernel kernel;
  ConvolutionLayer layer;
  std::uint64_t seed = 1;
  bool integers = false;     ///< whole numbers: sums are exact in every order
  double low = 0, high = 0;  ///< range of the inputs, ends included when whole
  double scale = 1;          ///< D = sum * scale

  int length() const { return kernel.tiles_k(layer) * kernel.gemm.tile_k; }  ///< of a row of A, dense
  /// The GEMM that is computed: k channels by pixels, over r s c. For results, whose figures are those of a GEMM.
  GemmProblem as_gemm() const;
};

/// Checks sizes and ranges; UserError with the place in the run file.
ConvolutionProblem resolve_convolution(const ConvolutionPlan& plan, const ConvolutionKernel& kernel);

ConvolutionProblem with_kernel(const ConvolutionProblem& problem, const ConvolutionKernel& kernel);

/// The operands as numbers, exactly as the element type holds them.
struct ConvolutionTensors {
  std::vector<float> x;        ///< [n][h][w][c]
  std::vector<float> weights;  ///< [k][r][s][c], pruned 2:4 along c if the kernel is sparse
};
/// Weights from stream 1, X from stream 2 of the seed.
ConvolutionTensors make_tensors(const ConvolutionProblem& problem);

/// Bytes that the launch takes in the host's memory; with values also the tensors and what preparing them needs.
double host_bytes(const ConvolutionProblem& problem, bool values);

/// The launch on a GPU of this SM version. Without tensors all buffers are zero, which changes no address.
PreparedLaunch prepare_convolution(const ConvolutionProblem& problem, int sm_version,
                                   const ConvolutionTensors* tensors);

}  // namespace stc::sim
