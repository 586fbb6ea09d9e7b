// SPDX-License-Identifier: Apache-2.0
// The matrices of validation/kernels/spmm_check.cu, which the simulator is given, too, where it is compared with what
// was measured. No include of the project: that program is compiled beside CUDA.
#pragma once

#include <cstdint>
#include <vector>

namespace stc::sim {

inline std::uint32_t spmm_hash(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Integers of -4 to 4; sparse ones are zero with probability `sparsity` and never otherwise. The first rows and the
/// last column of a sparse one are empty.
inline std::vector<float> spmm_integers(int rows, int columns, double sparsity, std::uint32_t seed) {
  const auto width = static_cast<std::size_t>(columns);
  std::vector<float> out(static_cast<std::size_t>(rows) * width);
  const double threshold = sparsity * 4294967296.0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint32_t h = spmm_hash(static_cast<std::uint32_t>(i) * 2654435761u ^ seed);
    const bool zero = sparsity > 0 && (h < threshold || i < 3 * width || i % width == width - 1);
    const int value = static_cast<int>(spmm_hash(h + 77u) % 8) - 4;
    out[i] = zero ? 0.0f : static_cast<float>(value >= 0 ? value + 1 : value);
  }
  return out;
}

}  // namespace stc::sim
