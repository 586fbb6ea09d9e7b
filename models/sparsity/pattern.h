// SPDX-License-Identifier: Apache-2.0
// An N:M structured-sparsity pattern: of every M consecutive weights along k, N are stored.
#pragma once

#include <cstdint>
#include <string>

namespace stc::sparsity {

/// How the positions of the stored weights of one group are written.
enum class IndexEncoding : std::uint8_t {
  per_element,  ///< one index of ceil(log2(groups of M)) bits per stored weight (NVIDIA's)
  joint         ///< one number of ceil(log2(C(M, N))) bits per group
};

/// `n` of `m` *granules* are stored; a granule is `elements_per_index` consecutive elements
/// (1 except for 4-bit types on sm_80, where one index steers a pair). For NVIDIA's 4:8 pairs of
/// s4 this is n=2, m=4, elements_per_index=2. Dense is n == m.
struct Pattern {
  int n = 1;
  int m = 1;
  int elements_per_index = 1;
  IndexEncoding encoding = IndexEncoding::per_element;

  bool dense() const { return n == m; }
  double kept_fraction() const { return static_cast<double>(n) / m; }
  /// Dense elements along k that one group covers.
  int group_elements() const { return m * elements_per_index; }
  /// Stored elements of one group.
  int stored_elements() const { return n * elements_per_index; }
  /// Bits of metadata that one group carries (0 when dense). tf32 1:2 is stored by NVIDIA as a
  /// 4-bit nibble of two 16-bit granules; that container is a property of the MMA's layout, not of this.
  int index_bits_per_group() const;
  /// Bits of one index; with joint encoding, of the one number per group.
  int index_bits() const;
  /// Ways to choose n of m.
  std::uint64_t legal_masks() const;
  /// Throws std::invalid_argument, naming the value and what is allowed, unless 1 <= n <= m <= 64.
  void check() const;
  /// Inputs of the multiplexer that picks the activation for one stored weight.
  int mux_inputs() const { return m; }
  /// "2:4", "1:2", "4:8/2" (two elements per index), "2:4j" (joint encoding), "dense".
  std::string name() const;
  /// Reads what name() writes. Throws std::invalid_argument.
  static Pattern parse(const std::string& text);
  bool operator==(const Pattern& o) const {
    return n == o.n && m == o.m && elements_per_index == o.elements_per_index && encoding == o.encoding;
  }
};

}  // namespace stc::sparsity
