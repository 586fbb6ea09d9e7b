// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/storage_formats.h"

#include <algorithm>

#include "models/sparsity/compress.h"

namespace stc::sim {

MaskShape shape_of(const Mask& mask, int rows, int columns) {
  MaskShape shape{rows, columns, 0, 0};
  for (int row = 0; row < rows; ++row) {
    const auto begin = mask.begin() + std::ptrdiff_t{row} * columns;
    const auto kept = static_cast<std::uint64_t>(std::count(begin, begin + columns, 1));
    shape.nonzeros += kept;
    shape.longest_row = std::max(shape.longest_row, kept);
  }
  return shape;
}

FormatBytes storage_formats(const MaskShape& shape, const std::optional<sparsity::Pattern>& pattern, int element_bits,
                            int index_bits) {
  const auto rows = static_cast<std::uint64_t>(shape.rows);
  const auto columns = static_cast<std::uint64_t>(shape.columns);
  const auto element = static_cast<std::uint64_t>(element_bits);
  const auto index = static_cast<std::uint64_t>(index_bits);
  const auto bytes = [](std::uint64_t bits) { return (bits + 7) / 8; };
  FormatBytes out;
  out.dense = bytes(rows * columns * element);
  out.coo = bytes(shape.nonzeros * (element + 2 * index));
  const std::uint64_t row_start = shape.nonzeros >> 32U == 0 ? 32 : 64;
  out.csr = bytes(shape.nonzeros * (element + index) + (rows + 1) * row_start);
  out.ell = bytes(rows * shape.longest_row * (element + index));
  if (pattern) {
    const sparsity::Storage stored = sparsity::storage(*pattern, shape.rows, shape.columns, element_bits);
    out.nm_values = stored.value_bytes;
    out.nm_metadata = stored.metadata_bytes;
  }
  return out;
}

double index_overhead(const sparsity::Pattern& pattern, int element_bits) {
  return static_cast<double>(pattern.index_bits_per_group()) / (pattern.stored_elements() * element_bits);
}

}  // namespace stc::sim
