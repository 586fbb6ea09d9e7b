// SPDX-License-Identifier: Apache-2.0
// Bytes of one pruned matrix in the usual storage formats.
//
//   dense  every element
//   COO    element, row and column index for each nonzero
//   CSR    element and column index for each nonzero; the start of every row, and the end
//   ELL    element and column index, each row padded to the longest one
//   N:M    stored elements and their indices inside the group (models/sparsity)
//
// Row and column indices take `index_bits` each, row starts 32 (64 when there are 2^32 nonzeros or more).
#pragma once

#include <cstdint>
#include <optional>

#include "models/sparsity/pattern.h"
#include "sim/formats/weight_quality.h"

namespace stc::sim {

/// What a mask leaves, counted.
struct MaskShape {
  int rows = 0;
  int columns = 0;
  std::uint64_t nonzeros = 0;
  std::uint64_t longest_row = 0;
};
MaskShape shape_of(const Mask& mask, int rows, int columns);

struct FormatBytes {
  std::uint64_t dense = 0;
  std::uint64_t coo = 0;
  std::uint64_t csr = 0;
  std::uint64_t ell = 0;
  std::uint64_t nm_values = 0;    ///< 0 when the mask is no pattern's
  std::uint64_t nm_metadata = 0;  ///< the same
};
FormatBytes storage_formats(const MaskShape& shape, const std::optional<sparsity::Pattern>& pattern, int element_bits,
                            int index_bits);

/// Metadata bits over value bits: 2 of 16 for 2:4 in f16.
double index_overhead(const sparsity::Pattern& pattern, int element_bits);

}  // namespace stc::sim
