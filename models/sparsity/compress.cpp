// SPDX-License-Identifier: Apache-2.0
#include "models/sparsity/compress.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace stc::sparsity {
namespace {

/// The first of the largest among those that are not kept, of which there is one.
std::size_t largest(const std::vector<float>& magnitude, const std::vector<std::uint8_t>& kept) {
  std::size_t best = 0;
  while (kept[best] != 0) ++best;
  for (std::size_t i = best + 1; i < magnitude.size(); ++i) {
    if (kept[i] == 0 && magnitude[i] > magnitude[best]) best = i;
  }
  return best;
}

}  // namespace

void check_shape(const Pattern& pattern, int rows, int k) {
  pattern.check();
  if (rows < 1 || k < 1 || k % pattern.group_elements() != 0) {
    throw std::invalid_argument("a matrix of " + std::to_string(rows) + " rows by k = " + std::to_string(k) +
                                " cannot be stored " + pattern.name() + " (k must be a multiple of " +
                                std::to_string(pattern.group_elements()) + ")");
  }
}

std::vector<std::uint8_t> prune_by_magnitude(const Pattern& pattern, int rows, int k, const float* weights) {
  check_shape(pattern, rows, k);
  const int groups = k / pattern.group_elements();
  std::vector<std::uint8_t> indices;
  indices.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(groups) *
                  static_cast<std::size_t>(pattern.n));
  std::vector<float> magnitude(static_cast<std::size_t>(pattern.m));
  std::vector<std::uint8_t> kept(magnitude.size());
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{rows} * groups; ++i) {
    const float* group = weights + i * pattern.group_elements();
    for (std::size_t granule = 0; granule < magnitude.size(); ++granule) {
      magnitude[granule] = 0;
      for (int e = 0; e < pattern.elements_per_index; ++e) magnitude[granule] += std::fabs(*group++);
    }
    std::fill(kept.begin(), kept.end(), std::uint8_t{0});
    for (int left = pattern.n; left > 0; --left) ++kept[largest(magnitude, kept)];
    for (std::size_t granule = 0; granule < kept.size(); ++granule) {
      if (kept[granule] != 0) indices.push_back(static_cast<std::uint8_t>(granule));
    }
  }
  return indices;
}

std::optional<IndexError> check_indices(const Pattern& pattern, int rows, int k,
                                        const std::vector<std::uint8_t>& indices) {
  check_shape(pattern, rows, k);
  const int groups = k / pattern.group_elements();
  const std::uint8_t* index = indices.data();
  for (int row = 0; row < rows; ++row) {
    for (int group = 0; group < groups; ++group) {
      for (int place = 0; place < pattern.n; ++place, ++index) {
        const bool high = *index >= pattern.m;
        if (!high && (place == 0 || index[0] > index[-1])) continue;
        return IndexError{row, group, place,
                          "row " + std::to_string(row) + ", group " + std::to_string(group) + ", index " +
                              std::to_string(place) + " is " + std::to_string(*index) +
                              (high ? ": must be below " + std::to_string(pattern.m)
                                    : ": must be above the index before it, " + std::to_string(index[-1]))};
      }
    }
  }
  return std::nullopt;
}

Storage storage(const Pattern& pattern, int rows, int k, int bits_per_element) {
  check_shape(pattern, rows, k);
  const auto elements = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(k);
  const auto groups = elements / static_cast<std::uint64_t>(pattern.group_elements());
  const auto bits = static_cast<std::uint64_t>(bits_per_element);
  Storage out;
  out.dense_bytes = (elements * bits + 7) / 8;
  out.value_bytes = (groups * static_cast<std::uint64_t>(pattern.stored_elements()) * bits + 7) / 8;
  out.metadata_bytes = (groups * static_cast<std::uint64_t>(pattern.index_bits_per_group()) + 7) / 8;
  return out;
}

}  // namespace stc::sparsity
