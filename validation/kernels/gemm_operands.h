// SPDX-License-Identifier: Apache-2.0
// What the sparse GEMM kernels expect of their metadata operand, written down independently of models/sparsity so that
// a GPU run of the check program and a host test compare the two.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {

/// Dense elements of one group, two of which (of 16-bit granules for tf32: one element) are stored.
STC_INDEX int group_elements(Element type) { return type == Element::tf32 ? 2 : 4; }

/// The four metadata bits of a group: index of the first stored granule low, of the second high. For tf32 (1:2) an
/// element counts as two 16-bit granules, so element `first` gives granules 2 * first and 2 * first + 1.
STC_INDEX std::uint32_t metadata_nibble(Element type, std::uint32_t first, std::uint32_t second) {
  return type == Element::tf32 ? (2 * first) | (2 * first + 1) << 2 : first | second << 2;
}

struct MetadataField {
  std::uint32_t row;     ///< of the 16
  std::uint32_t k;       ///< first dense element, of the metadata_k that one word per lane covers
  std::uint32_t groups;  ///< number of nibbles, lowest k in the lowest bits
};

/// Field `half` (0: from bit 0, 1: from bit 16) of the word of `lane`; 8-bit elements have one field of 32 bits.
STC_INDEX MetadataField metadata_field(Element type, std::uint32_t lane, std::uint32_t half) {
  const std::uint32_t row = lane / 4, quarter = lane % 4;
  if (type == Element::s8 || type == Element::e4m3)
    return {row + quarter % 2 * 8, quarter / 2 * 32, half == 0 ? 8u : 0u};
  return {row + half * 8, quarter * static_cast<std::uint32_t>(metadata_k(type)) / 4, 4};
}

}  // namespace stc::kernels
