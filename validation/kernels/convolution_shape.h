// SPDX-License-Identifier: Apache-2.0
// The 32-bit arguments of a convolution kernel and how they follow from a layer, shared by the kernels and their check
// program. sim/convolution computes them from the names in traces/kernels/convolution.yaml, independently.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {

/// Division by a constant of the launch: quotient = (x * multiplier >> 32) >> shift for 0 <= x < 2^31.
struct Divisor {
  std::uint32_t divisor, multiplier, shift;
};

inline Divisor divisor_of(std::uint32_t d) {
  std::uint32_t bits = 0;
  while ((std::uint64_t{1} << bits) < d) ++bits;
  if (d == 1) return {1, 0, 0};  // multiplier 0 means: the quotient is x
  const std::uint64_t multiplier = ((std::uint64_t{1} << (31 + bits)) + d - 1) / d;
  return {d, static_cast<std::uint32_t>(multiplier), bits - 1};
}

/// A layer as the kernel sees it. p x q is the output of one image, `pixels` the outputs of all images.
struct ConvolutionShape {
  int pixels;
  Divisor image, row;  ///< by p * q and by q
  int h, w, c, k, r, s, stride, pad;
  int tiles_k;                 ///< of r * s * c, rounded up
  int step_r, step_s, step_c;  ///< one k-tile of elements, as (r, s, c)
};

inline ConvolutionShape convolution_shape(int n, int h, int w, int c, int k, int r, int s, int stride, int pad,
                                          int tile_k) {
  const int p = (h + 2 * pad - r) / stride + 1, q = (w + 2 * pad - s) / stride + 1;
  const Divisor image = divisor_of(static_cast<std::uint32_t>(p * q)), row = divisor_of(static_cast<std::uint32_t>(q));
  const int tiles = (r * s * c + tile_k - 1) / tile_k, positions = tile_k / c;
  return {n * p * q, image, row, h, w, c, k, r, s, stride, pad, tiles, positions / s, positions % s, tile_k % c};
}

/// Output channel, inside a warp tile of `rows` rows, of stored row `row` of A. With this order a lane owns rows / 8
/// consecutive channels of a pixel in its accumulators and writes them as one piece.
STC_INDEX int channel_of_row(int row, int rows) { return row % 8 * (rows / 8) + row / kMmaM * 2 + row % kMmaM / 8; }

}  // namespace stc::kernels
