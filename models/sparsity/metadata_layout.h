// SPDX-License-Identifier: Apache-2.0
// Where the metadata of one sparse matrix instruction lies in the 32 lanes' registers. Nobody documents this in text;
// `stcsim mma --lane-map` prints it.
//
// A row's indices, lowest k in the lowest bits, are cut into fields: 16 bits for elements of 16 and 32 bits, 32 bits
// for smaller ones. With g = lane / 4 and t = lane % 4:
//   16-bit fields: field q of rows g and g + 8 shares the register of lane t = q, row g in the low half;
//   32-bit fields: field q of row g lies in lane t = 2q, that of row g + 8 in lane t = 2q + 1.
// When fewer than four lanes of a quad suffice, selector f moves t by f times the lanes used, so that one register
// serves several instructions.
// Evidence: CuTe's metadata layouts (CUTLASS, BSD-3-Clause), ptxas' own emulation of fp8 on sm_90, and an H200 (f16
// k16 and k32, s8 k32 and k64, all selectors). Instructions that no GPU has follow the same rule; indices never
// straddle a field.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sparsity/pattern.h"

namespace stc::sparsity {

class MetadataLayout {
 public:
  static constexpr int kLanes = 32;
  static constexpr int kRows = 16;

  /// `k`: logical depth of the instruction. `element_bits`: of the weights. For 32-bit weights NVIDIA writes the
  /// index of each 16-bit half, so an index of 1 bit occupies two granule indices of 2 bits.
  MetadataLayout(const Pattern& pattern, int k, int element_bits);

  const Pattern& pattern() const { return pattern_; }
  int indices_per_row() const { return indices_per_row_; }
  /// Bits of one index in the register (4 for tf32 1:2: two granule indices).
  int stored_bits() const { return granules_ * granule_bits_; }
  /// Legal selectors are 0 to selectors() - 1.
  int selectors() const { return selectors_; }
  int registers() const { return registers_; }

  struct Place {
    int reg = 0;
    int lane = 0;
    int bit = 0;
  };
  /// Lowest bit of index i of a row; indices of a row count through all its groups, pattern().n each.
  Place place(int row, int i, int selector) const;
  /// Where the hardware's multiplexer reads: the `pattern().index_bits()` bits that matter. For tf32 this is the upper
  /// bit of the first granule index, as in CUTLASS's reference.
  Place mux_place(int row, int i, int selector) const;

  /// Writes indices [16][indices_per_row()] into words [registers()][32]; bits of other selectors stay.
  void pack(const std::uint8_t* indices, int selector, std::uint32_t* words) const;
  /// What the multiplexers read from `words`.
  std::vector<std::uint8_t> unpack(const std::uint32_t* words, int selector) const;

 private:
  Pattern pattern_;
  int indices_per_row_;
  int granules_;  // 16-bit granules that one index stands for when it is written
  int granule_bits_;
  int field_bits_;
  int indices_per_field_;
  int lanes_used_;  // of a quad
  int selectors_;
  int registers_;
};

/// Metadata of a whole weight matrix for a GEMM kernel: words [k / KE][rows / 16][32 lanes], KE = k of the instruction
/// times its selectors, so that a lane's word is its metadata register for `selectors` successive instructions.
/// `indices` is [rows][k / group * n]; rows must be a multiple of 16 and k of KE. One register per instruction.
std::vector<std::uint32_t> pack_matrix(const MetadataLayout& layout, int instruction_k, int rows, int k,
                                       const std::vector<std::uint8_t>& indices);

/// The inverse of pack_matrix.
std::vector<std::uint8_t> unpack_matrix(const MetadataLayout& layout, int instruction_k, int rows, int k,
                                        const std::vector<std::uint32_t>& words);

}  // namespace stc::sparsity
