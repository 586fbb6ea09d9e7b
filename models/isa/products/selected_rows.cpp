// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/selected_rows.h"

#include <cstddef>

#include "models/arith/vector_clones.h"
#include "models/isa/state/warp.h"

namespace stc::isa {
namespace {

STC_VECTOR_CLONES void gather_select(const MmaTables& tables, const GatherTable& table, const std::uint32_t* image,
                                     std::uint16_t* select) {
  const auto count = static_cast<int>(table.word.size());
  const std::int32_t* word = table.word.data();
  const std::int32_t* bit = table.bit.data();
  const std::uint16_t* base = tables.index_base.data();
  const std::uint32_t mask = tables.index_mask;
  const auto scale = static_cast<std::uint32_t>(tables.index_scale);
  for (int i = 0; i < count; ++i) {
    select[i] = static_cast<std::uint16_t>(base[i] + (image[word[i]] >> bit[i] & mask) * scale);
  }
}

/// The same where eight neighbours have their indices in one word.
STC_VECTOR_CLONES void select_eights(const MmaTables& tables, const GatherTable& table, const std::uint32_t* image,
                                     std::uint16_t* select) {
  constexpr int kEight = 8;
  const auto count = static_cast<int>(table.word.size());
  const std::uint32_t mask = tables.index_mask;
  const auto scale = static_cast<std::uint32_t>(tables.index_scale);
  for (int first = 0; first < count; first += kEight) {
    const std::uint32_t word = image[table.word[static_cast<std::size_t>(first)]];
    const std::int32_t* bit = table.bit.data() + first;
    const std::uint16_t* base = tables.index_base.data() + first;
    for (int i = 0; i < kEight; ++i) {
      select[first + i] = static_cast<std::uint16_t>(base[i] + (word >> bit[i] & mask) * scale);
    }
  }
}

/// Where metadata of 2:4 have the indices of eight neighbours of a row, one behind the other in a word.
struct IndexPlaces {
  static constexpr int kEight = 8, kLongestRow = 64, kMost = 16 * kLongestRow / kEight;
  const MmaTables* tables = nullptr;
  int selector = 0;
  bool in_order = false;
  int count = 0;
  std::uint8_t word[kMost], bit[kMost];

  void find(const MmaTables& of, int chosen) {
    tables = &of;
    selector = chosen;
    count = of.op.m * of.op.stored_k() / kEight;
    in_order = of.op.pattern == sparsity::Pattern{2, 4} && of.index_in_eights && of.op.stored_k() <= kLongestRow &&
               of.metadata_registers * kWarpSize <= 256;
    const GatherTable& table = of.index[static_cast<std::size_t>(chosen) % of.index.size()];
    for (int i = 0; i < count && in_order; ++i) {
      const auto first = static_cast<std::size_t>(i * kEight);
      in_order = table.bit[first + kEight - 1] - table.bit[first] == 2 * (kEight - 1);
      word[i] = static_cast<std::uint8_t>(table.word[first]);
      bit[i] = static_cast<std::uint8_t>(table.bit[first]);
    }
  }
};

}  // namespace

void gather_selects(const MmaTables& tables, const std::uint32_t* e, int selector, std::uint16_t* select) {
  // PTX allows no selector beyond the legal ones; the field has two bits.
  const std::size_t chosen = static_cast<std::size_t>(selector) % tables.index.size();
  (tables.index_in_eights ? select_eights : gather_select)(tables, tables.index[chosen], e, select);
}

bool gather_rows_of_index(const MmaTables& tables, const std::uint32_t* e, int selector, std::uint32_t* rows) {
  thread_local IndexPlaces places;
  if (places.tables != &tables || places.selector != selector) places.find(tables, selector);
  if (!places.in_order) return false;
  const auto eight = [&](int i) { return e[places.word[i]] >> places.bit[i] & 0xffffu; };
  if (tables.op.stored_k() == IndexPlaces::kEight) {
    for (int i = 0; i < places.count; ++i) rows[i] = eight(i);
  } else {
    for (int i = 0; i < places.count; i += 2) rows[i / 2] = eight(i) | eight(i + 1) << 16;
  }
  return true;
}

}  // namespace stc::isa
