// SPDX-License-Identifier: Apache-2.0
// A sweep of fractions of a second that the tests change line by line.
#pragma once

#include <string>

namespace stc::sim {

/// Three patterns and dense, one shape, two tiles, on a GPU of four SMs: eight points. Paths are those of the source
/// tree, in which tests run.
inline std::string small_sweep(const std::string& source_folder) {
  return "title: small\n"
         "gpus:\n"
         "  four: {file: " +
         source_folder +
         "/configs/gpus/a100.yaml, set: {sms: 4}}\n"
         "shapes:\n"
         "  square: {m: 128, n: 128, k: 384}\n"
         "tiles:\n"
         "  - {tile: [64, 64, 64], warp: [32, 32], stages: 2}\n"
         "  - {tile: [128, 64, 64], warp: [64, 32], stages: 2}\n"
         "grid:\n"
         "  pattern: [2:4, 2:8, 2:6]\n";
}

}  // namespace stc::sim
