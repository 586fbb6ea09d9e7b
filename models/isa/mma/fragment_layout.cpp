// SPDX-License-Identifier: Apache-2.0
#include "models/isa/mma/fragment_layout.h"

#include <mutex>

#include "models/core/warp_size.h"

namespace stc::isa {
namespace {

int elements_per_register(NumberFormat format) { return 32 / bits_of(format); }

void append(GatherTable& table, const ElementPlace& place) {
  table.word.push_back(place.reg * kWarpSize + place.lane);
  table.bit.push_back(place.bit);
}

bool in_eights(const std::vector<GatherTable>& tables, int depth) {
  constexpr std::size_t kEight = 8;
  for (const GatherTable& table : tables) {
    for (std::size_t i = 0; i < table.word.size(); ++i) {
      if (table.word[i] != table.word[i / kEight * kEight]) return false;
    }
  }
  return static_cast<std::size_t>(depth) % kEight == 0;
}

MmaTables build(const MmaOp& op) {
  MmaTables tables;
  tables.op = op;
  tables.a_registers = op.a_registers();
  tables.b_registers = op.b_registers();
  tables.c_registers = op.c_registers();
  const int depth = op.stored_k();
  for (int row = 0; row < op.m; ++row) {
    for (int p = 0; p < depth; ++p) append(tables.a, place_in_a(op, row, p));
    for (int column = 0; column < op.n; ++column) append(tables.c, place_in_c(op, row, column));
  }
  for (int k = 0; k < op.k; ++k) {
    for (int column = 0; column < op.n; ++column) append(tables.b, place_in_b(op, k, column));
  }
  if (!op.sparse) return tables;

  const sparsity::MetadataLayout layout = metadata_layout(op);
  const sparsity::Pattern& pattern = op.pattern;
  tables.index_scale = pattern.elements_per_index;
  tables.index_mask = (1u << pattern.index_bits()) - 1;
  tables.metadata_registers = layout.registers();
  tables.index.resize(static_cast<std::size_t>(layout.selectors()));
  for (int row = 0; row < op.m; ++row) {
    for (int p = 0; p < depth; ++p) {
      tables.index_base.push_back(static_cast<std::uint16_t>(p / pattern.stored_elements() * pattern.group_elements() +
                                                             p % pattern.elements_per_index));
      for (int selector = 0; selector < layout.selectors(); ++selector) {
        const auto place = layout.mux_place(row, p / pattern.elements_per_index, selector);
        append(tables.index[static_cast<std::size_t>(selector)], {place.reg, place.lane, place.bit});
      }
    }
  }
  tables.index_in_eights = in_eights(tables.index, depth);
  return tables;
}

}  // namespace

ElementPlace place_in_a(const MmaOp& op, int row, int stored) {
  const int e = elements_per_register(op.a);
  return {row / 8 + 2 * (stored / (4 * e)), row % 8 * 4 + stored / e % 4, stored % e * bits_of(op.a)};
}

ElementPlace place_in_b(const MmaOp& op, int k, int column) {
  const int e = elements_per_register(op.b);
  return {k / (4 * e), column * 4 + k / e % 4, k % e * bits_of(op.b)};
}

ElementPlace place_in_c(const MmaOp& op, int row, int column) {
  const int lane = row % 8 * 4 + column / 2;
  if (bits_of(op.c) == 16) return {row / 8, lane, column % 2 * 16};
  return {row / 8 * 2 + column % 2, lane, 0};
}

sparsity::MetadataLayout metadata_layout(const MmaOp& op) { return {op.pattern, op.k, bits_of(op.a)}; }

const MmaTables& mma_tables(const MmaOp& op) {
  // A kernel uses one or two operations: the last one found is nearly always the next one asked for.
  thread_local const MmaTables* last = nullptr;
  if (last != nullptr && last->op == op) return *last;
  static std::mutex mutex;
  static std::vector<std::unique_ptr<MmaTables>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  for (const auto& tables : known) {
    if (tables->op == op) return *(last = tables.get());
  }
  known.push_back(std::make_unique<MmaTables>(build(op)));
  return *(last = known.back().get());
}

}  // namespace stc::isa
