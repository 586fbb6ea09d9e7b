// SPDX-License-Identifier: Apache-2.0
#include "models/sparsity/metadata_layout.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

namespace stc::sparsity {
namespace {

constexpr int kQuadLanes = 4;

}  // namespace

MetadataLayout::MetadataLayout(const Pattern& pattern, int k, int element_bits)
    : pattern_(pattern),
      indices_per_row_(k / pattern.group_elements() * pattern.n),
      granules_(element_bits == 32 ? 2 : 1),
      granule_bits_(pattern.index_bits() + granules_ - 1),
      field_bits_(element_bits >= 16 ? 16 : 32),
      indices_per_field_(field_bits_ / std::max(1, granules_ * granule_bits_)) {
  pattern.check();
  if (pattern.dense() || pattern.encoding != IndexEncoding::per_element || k % pattern.group_elements() != 0) {
    throw std::invalid_argument("pattern " + pattern.name() + " has no metadata register layout at k = " +
                                std::to_string(k) + " (one index per stored element, whole groups)");
  }
  const int fields = (indices_per_row_ + indices_per_field_ - 1) / indices_per_field_;
  const int lanes = field_bits_ == 16 ? fields : 2 * fields;
  // 1, 2 or 4 lanes of the quad; beyond that, further registers.
  lanes_used_ = lanes >= 3 ? kQuadLanes : lanes;
  selectors_ = kQuadLanes / lanes_used_;
  registers_ = (lanes + kQuadLanes - 1) / kQuadLanes;
}

MetadataLayout::Place MetadataLayout::place(int row, int i, int selector) const {
  assert(row >= 0 && row < kRows && i >= 0 && i < indices_per_row_ && selector >= 0 && selector < selectors_);
  const int field = i / indices_per_field_;
  const int bit = i % indices_per_field_ * stored_bits();
  const bool upper_row = row >= 8;
  const int t = selector * lanes_used_ + (field_bits_ == 16 ? field : 2 * field + (upper_row ? 1 : 0));
  return {t / kQuadLanes, row % 8 * kQuadLanes + t % kQuadLanes, bit + (field_bits_ == 16 && upper_row ? 16 : 0)};
}

MetadataLayout::Place MetadataLayout::mux_place(int row, int i, int selector) const {
  Place where = place(row, i, selector);
  where.bit += granules_ - 1;
  return where;
}

void MetadataLayout::pack(const std::uint8_t* indices, int selector, std::uint32_t* words) const {
  const std::uint32_t mask = (1u << stored_bits()) - 1;
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < indices_per_row_; ++i) {
      const unsigned index = *indices++;
      std::uint32_t code = 0;
      for (int granule = granules_ - 1; granule >= 0; --granule) {
        code = code << granule_bits_ | (index * static_cast<unsigned>(granules_) + static_cast<unsigned>(granule));
      }
      const Place where = place(row, i, selector);
      std::uint32_t& word = words[where.reg * kLanes + where.lane];
      word = (word & ~(mask << where.bit)) | (code & mask) << where.bit;
    }
  }
}

std::vector<std::uint8_t> MetadataLayout::unpack(const std::uint32_t* words, int selector) const {
  const std::uint32_t mask = (1u << pattern_.index_bits()) - 1;
  std::vector<std::uint8_t> indices;
  indices.reserve(static_cast<std::size_t>(kRows * indices_per_row_));
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < indices_per_row_; ++i) {
      const Place where = mux_place(row, i, selector);
      indices.push_back(static_cast<std::uint8_t>(words[where.reg * kLanes + where.lane] >> where.bit & mask));
    }
  }
  return indices;
}

namespace {

void check_matrix(const MetadataLayout& layout, int instruction_k, int rows, int k) {
  const int step = instruction_k * layout.selectors();
  if (layout.registers() != 1 || rows % MetadataLayout::kRows != 0 || k % step != 0) {
    throw std::invalid_argument("metadata of a " + std::to_string(rows) + " x " + std::to_string(k) +
                                " matrix cannot be packed (rows must be a multiple of 16, k of " +
                                std::to_string(step) + ")");
  }
}

/// Calls visit(first row, first index of each row, selector, first word) for every instruction's 16 rows.
template <class Visit>
void for_each_tile(const MetadataLayout& layout, int instruction_k, int rows, int k, Visit visit) {
  const int row_tiles = rows / MetadataLayout::kRows;
  for (int tile_k = 0; tile_k < k / instruction_k; ++tile_k) {
    const int word_k = tile_k / layout.selectors();
    for (int tile_row = 0; tile_row < row_tiles; ++tile_row) {
      const std::size_t word = static_cast<std::size_t>(word_k * row_tiles + tile_row) * MetadataLayout::kLanes;
      visit(tile_row * MetadataLayout::kRows, tile_k * layout.indices_per_row(), tile_k % layout.selectors(), word);
    }
  }
}

}  // namespace

std::vector<std::uint32_t> pack_matrix(const MetadataLayout& layout, int instruction_k, int rows, int k,
                                       const std::vector<std::uint8_t>& indices) {
  check_matrix(layout, instruction_k, rows, k);
  const int per_row = k / instruction_k * layout.indices_per_row();
  assert(indices.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(per_row));
  const int step = instruction_k * layout.selectors();
  std::vector<std::uint32_t> words(static_cast<std::size_t>(k / step) * static_cast<std::size_t>(rows / 16) *
                                   MetadataLayout::kLanes);
  std::vector<std::uint8_t> tile(static_cast<std::size_t>(MetadataLayout::kRows * layout.indices_per_row()));
  for_each_tile(layout, instruction_k, rows, k, [&](int row, int first, int selector, std::size_t word) {
    for (int r = 0; r < MetadataLayout::kRows; ++r) {
      const auto from = indices.begin() + (std::ptrdiff_t{row} + r) * per_row + first;
      std::copy(from, from + layout.indices_per_row(), tile.begin() + std::ptrdiff_t{r} * layout.indices_per_row());
    }
    layout.pack(tile.data(), selector, &words[word]);
  });
  return words;
}

std::vector<std::uint8_t> unpack_matrix(const MetadataLayout& layout, int instruction_k, int rows, int k,
                                        const std::vector<std::uint32_t>& words) {
  check_matrix(layout, instruction_k, rows, k);
  const int per_row = k / instruction_k * layout.indices_per_row();
  std::vector<std::uint8_t> indices(static_cast<std::size_t>(rows) * static_cast<std::size_t>(per_row));
  for_each_tile(layout, instruction_k, rows, k, [&](int row, int first, int selector, std::size_t word) {
    const auto tile = layout.unpack(&words[word], selector);
    for (int r = 0; r < MetadataLayout::kRows; ++r) {
      const auto from = tile.begin() + std::ptrdiff_t{r} * layout.indices_per_row();
      std::copy(from, from + layout.indices_per_row(), indices.begin() + (std::ptrdiff_t{row} + r) * per_row + first);
    }
  });
  return indices;
}

}  // namespace stc::sparsity
