// SPDX-License-Identifier: Apache-2.0
// A layer of a convolutional network as files describe it (workload.conv of a run file, `stcsim conv`), read and
// checked against arithmetic alone: what a kernel demands is checked where the kernel is known (sim/convolution).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/config/config_node.h"

namespace stc::sim {

/// D[n][p][q][k] = sum over r, s, c of X[n][p stride + r - pad][q stride + s - pad][c] W[k][r][s][c].
struct ConvolutionLayer {
  std::string name;   ///< of a list; may be empty
  std::string place;  ///< where it was written
  int n = 0;          ///< images
  int h = 0, w = 0, c = 0;
  int k = 0;  ///< output channels
  int r = 0, s = 0;
  int stride = 0, pad = 0;

  int p() const { return (h + 2 * pad - r) / stride + 1; }
  int q() const { return (w + 2 * pad - s) / stride + 1; }
  std::int64_t pixels() const { return std::int64_t{n} * p() * q(); }
  std::int64_t reduction() const { return std::int64_t{r} * s * c; }
  /// A multiplication and an addition each; padding counts, as usual.
  double operations() const;
  /// "8 x 56 x 56 x 64 -> 64, 3x3"
  std::string text() const;
};

/// Reads n, h, w, c, k, r, s, stride and pad; `n` stands for a missing n. UserError when a size is out of range or the
/// window does not fit into the padded image.
ConvolutionLayer read_convolution_layer(const ConfigNode& node, std::optional<int> n = std::nullopt);

/// workload.conv of a run file.
struct ConvolutionPlan {
  enum class Input : std::uint8_t { kRandom, kIntegers };
  ConvolutionLayer layer;
  std::string kernel;  ///< of the library, or "best": the fastest of `type` and `pattern` that fits
  std::string place;   ///< of the kernel's name, for messages
  std::string type;    ///< f16 or s8; only with "best"
  bool sparse = false;
  std::uint64_t seed = 1;
  Input input = Input::kRandom;
  std::optional<double> low, high;  ///< range of the inputs
  std::string input_place;
  std::optional<double> scale;  ///< D = sum * scale
  std::string scale_place;
  std::string kernels_folder;
};

ConvolutionPlan read_convolution_plan(const ConfigNode& node);

}  // namespace stc::sim
