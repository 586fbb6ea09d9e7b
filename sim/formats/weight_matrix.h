// SPDX-License-Identifier: Apache-2.0
// A weight matrix to prune: read from a .npy file or drawn from a seeded distribution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stc::sim {

/// Row-major; a row holds the weights of one output, k runs along the columns.
struct WeightMatrix {
  std::string source;  ///< "weights.npy" or "normal, seed 1"
  int rows = 0;
  int columns = 0;
  std::vector<float> values;
};

/// NumPy's format, versions 1 to 3: two dimensions, little-endian f32 or f16, C or Fortran order, all values finite.
/// UserError with file and reason for anything else.
WeightMatrix read_npy(const std::string& path);

/// Names for draw_weights: "normal" (variance 1), "laplace" (scale 1), "uniform" (-1 to 1), "student" (3 degrees of
/// freedom: the heavy tails of trained layers).
const std::vector<std::string>& distribution_names();
/// Element i is a function of seed and i only (sim/launch/random.h).
WeightMatrix draw_weights(const std::string& distribution, std::uint64_t seed, int rows, int columns);

}  // namespace stc::sim
