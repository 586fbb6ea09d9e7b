// SPDX-License-Identifier: Apache-2.0
// The convolution kernels of the library: what traces/kernels/convolution.yaml says about each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/launch/convolution_plan.h"
#include "sim/launch/manifest.h"

namespace stc::sim {

/// As a kernel of the GEMM that it computes, m = output channels, n = pixels, k = (r, s, c); D has the element type.
/// `gemm.arguments` are the names in the manifest's order.
struct ConvolutionKernel {
  LibraryKernel gemm;

  const std::string& name() const { return gemm.name; }
  bool sparse() const { return gemm.sparse(); }
  int element_bytes() const { return bytes_of(gemm.element); }
  /// k-tiles of a layer, the last one filled up with zeros.
  int tiles_k(const ConvolutionLayer& layer) const;
  std::int64_t ctas(const ConvolutionLayer& layer) const;
};

class ConvolutionLibrary {
 public:
  /// Reads `folder`/convolution.yaml.
  static ConvolutionLibrary load(const std::string& folder);

  const std::vector<ConvolutionKernel>& kernels() const { return kernels_; }
  /// By name; UserError with the nearest one, starting with `place`.
  const ConvolutionKernel& find(const std::string& name, const std::string& place) const;
  /// Same element and tile, but dense.
  const ConvolutionKernel& dense_twin(const ConvolutionKernel& kernel) const;
  /// Those of a type that take this layer. UserError with the reason of the one that comes nearest if there are none.
  std::vector<ConvolutionKernel> fitting(const ConvolutionLayer& layer, ElementType type, bool sparse) const;

 private:
  std::string file_;
  std::vector<ConvolutionKernel> kernels_;
};

/// Why the kernel does not take the layer, as "k is 96, but must be a multiple of ..."; empty if it does.
std::string why_unfit(const ConvolutionKernel& kernel, const ConvolutionLayer& layer);

}  // namespace stc::sim
