// SPDX-License-Identifier: Apache-2.0
// Structured sparsity and single matrix instructions for Python: numbers in, numbers out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/sparsity/pattern.h"

namespace stc::sim {

/// UserError when the text names no pattern.
sparsity::Pattern pattern_of(const std::string& text);

/// The column of each stored element, [rows][stored k], of indices [rows][...]. UserError when they break the rules.
std::vector<std::int32_t> stored_columns(const std::string& pattern, int rows, int k,
                                         const std::vector<std::uint8_t>& indices);

/// Indices of what pruning by magnitude keeps.
std::vector<std::uint8_t> pruned_indices(const std::string& pattern, int rows, int k,
                                         const std::vector<float>& weights);
/// Indices of a matrix that has the pattern; UserError, which names the place, when it has not.
std::vector<std::uint8_t> indices_of(const std::string& pattern, int rows, int k, const std::vector<float>& weights);

/// Words [k / KE][rows / 16][32] that the library's kernels read as metadata, for elements of so many bits.
std::vector<std::uint32_t> metadata_of(const std::string& pattern, int rows, int k, int element_bits,
                                       const std::vector<std::uint8_t>& indices);

/// Each value rounded to the nearest one of the type.
std::vector<double> rounded_to(const std::string& type, const std::vector<double>& values);

/// A matrix instruction and its operands as numbers.
struct MmaRequest {
  std::string gpu_file;
  std::vector<std::string> sets;
  std::string op;
  std::vector<double> a, b, c;  ///< [16][k], pruned when the operation is sparse; [k][8]; [16][8]
};

struct MmaShape {
  std::string name;  ///< as `stcsim mma` has it
  int m = 0, n = 0, k = 0;
  bool sparse = false;
  std::string pattern, a, b, c;
};

/// UserError when there is no such operation.
MmaShape mma_shape(const std::string& op);

/// D [16][8]. UserError when the GPU has no such operation or a value is none of its formats.
std::vector<double> mma_values(const MmaRequest& request);

}  // namespace stc::sim
