// SPDX-License-Identifier: Apache-2.0
// Pruning a weight matrix to an N:M pattern, storing only what is kept, and back.
//
// Matrices are row-major [rows][k]; k is the direction in which groups of M lie. An *index* is the position of a stored
// granule inside its group, 0 to m-1; indices of a row follow each other group by group, n of them each.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/sparsity/pattern.h"

namespace stc::sparsity {

/// Shape checks shared by all functions here: throws std::invalid_argument unless whole groups fill k.
void check_shape(const Pattern& pattern, int rows, int k);

/// Indices [rows][k / group * n] of the n granules of largest magnitude (sum of |x| over the granule) of each group, in
/// ascending order; of equal magnitudes the lower index is kept.
std::vector<std::uint8_t> prune_by_magnitude(const Pattern& pattern, int rows, int k, const float* weights);

/// A pruned matrix: `values` is [rows][k * n / m] in ascending k (or in the order of unordered indices).
template <class T>
struct Compressed {
  Pattern pattern;
  int rows = 0;
  int k = 0;
  std::vector<T> values;
  std::vector<std::uint8_t> indices;
  int stored_k() const { return k / pattern.m * pattern.n; }
  int indices_per_row() const { return k / pattern.group_elements() * pattern.n; }
};

/// Logical k of stored element p of a row whose indices start at `row_indices`.
inline int logical_k(const Pattern& pattern, const std::uint8_t* row_indices, int p) {
  const int group = p / pattern.stored_elements();
  const int granule = row_indices[p / pattern.elements_per_index];
  return group * pattern.group_elements() + granule * pattern.elements_per_index + p % pattern.elements_per_index;
}

/// Calls `each` with p and logical_k(p) of all stored elements of a row of k elements, in order.
template <class Each>
void for_stored(const Pattern& pattern, int k, const std::uint8_t* row_indices, const Each& each) {
  int p = 0;
  for (int group = 0; group < k; group += pattern.group_elements()) {
    for (int place = 0; place < pattern.n; ++place) {
      const int first = group + *row_indices++ * pattern.elements_per_index;
      for (int i = 0; i < pattern.elements_per_index; ++i) each(p++, first + i);
    }
  }
}

/// Takes the elements that `indices` name; everything else of `dense` is dropped.
template <class T>
Compressed<T> compress(const Pattern& pattern, int rows, int k, const T* dense, std::vector<std::uint8_t> indices) {
  check_shape(pattern, rows, k);
  Compressed<T> out{pattern, rows, k, {}, std::move(indices)};
  assert(out.indices.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(out.indices_per_row()));
  out.values.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(out.stored_k()));
  for (int row = 0; row < rows; ++row) {
    const std::uint8_t* row_indices = out.indices.data() + std::ptrdiff_t{row} * out.indices_per_row();
    const T* from = dense + std::ptrdiff_t{row} * k;
    T* to = out.values.data() + std::ptrdiff_t{row} * out.stored_k();
    for_stored(pattern, k, row_indices, [&](int p, int logical) { to[p] = from[logical]; });
  }
  return out;
}

/// The dense matrix, zero where nothing is stored. Values with the same index are the caller's error.
template <class T>
std::vector<T> decompress(const Compressed<T>& in) {
  std::vector<T> dense(static_cast<std::size_t>(in.rows) * static_cast<std::size_t>(in.k), T{});
  for (int row = 0; row < in.rows; ++row) {
    const std::uint8_t* row_indices = in.indices.data() + std::ptrdiff_t{row} * in.indices_per_row();
    const T* from = in.values.data() + std::ptrdiff_t{row} * in.stored_k();
    T* to = dense.data() + std::ptrdiff_t{row} * in.k;
    for_stored(in.pattern, in.k, row_indices, [&](int p, int logical) { to[logical] = from[p]; });
  }
  return dense;
}

/// The first place where indices break the rules of ordered metadata: each below m, ascending inside a group.
struct IndexError {
  int row = 0;
  int group = 0;
  int place = 0;        ///< of the index inside its group
  std::string message;  ///< one sentence with row, group, place and value
};
std::optional<IndexError> check_indices(const Pattern& pattern, int rows, int k,
                                        const std::vector<std::uint8_t>& indices);

/// The first group of a dense matrix with more than n nonzero granules, as a sentence; nothing when all fit.
template <class T>
std::optional<IndexError> check_pruned(const Pattern& pattern, int rows, int k, const T* dense) {
  check_shape(pattern, rows, k);
  for (int row = 0; row < rows; ++row) {
    for (int group = 0; group < k / pattern.group_elements(); ++group) {
      int nonzero = 0;
      for (int granule = 0; granule < pattern.m; ++granule) {
        const T* from =
            dense + std::ptrdiff_t{row} * k + group * pattern.group_elements() + granule * pattern.elements_per_index;
        bool any = false;
        for (int i = 0; i < pattern.elements_per_index; ++i) any = any || from[i] != T{};
        nonzero += any ? 1 : 0;
        if (nonzero > pattern.n) {
          return IndexError{row, group, granule,
                            "row " + std::to_string(row) + ", group " + std::to_string(group) + ": more than " +
                                std::to_string(pattern.n) + " of " + std::to_string(pattern.m) + " are nonzero"};
        }
      }
    }
  }
  return std::nullopt;
}

/// Bytes of a [rows][k] matrix stored this way.
struct Storage {
  std::uint64_t dense_bytes = 0;
  std::uint64_t value_bytes = 0;
  std::uint64_t metadata_bytes = 0;  ///< without padding to registers
};
Storage storage(const Pattern& pattern, int rows, int k, int bits_per_element);

}  // namespace stc::sparsity
