// SPDX-License-Identifier: Apache-2.0
// The weights as a kernel takes them, and the integers that it is given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/convolution/problem.h"

namespace stc::sim {

/// Output channel of stored row `row` of A: inside a warp tile a lane owns consecutive channels.
int channel_of_row(int row, int warp_m);

struct PackedWeights {
  std::vector<std::uint8_t> values;    ///< A: [rows][length], or the stored half of it
  std::vector<std::uint8_t> metadata;  ///< E; empty if dense
};
PackedWeights pack_weights(const ConvolutionProblem& problem, const std::vector<float>& weights);

std::uint64_t metadata_bytes(const ConvolutionProblem& problem);

/// Division of 0 <= x < 2^31 by a constant: x / divisor = (x * multiplier >> 32) >> shift; multiplier 0: by one.
struct DivisorWords {
  std::uint32_t multiplier = 0, shift = 0;
};
DivisorWords divisor_words(std::uint32_t divisor);

/// The 32-bit argument of this name (pixels, image_multiplier, step_c, ...).
std::int32_t scalar_argument(const ConvolutionProblem& problem, const std::string& name);

}  // namespace stc::sim
