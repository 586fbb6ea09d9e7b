// SPDX-License-Identifier: Apache-2.0
// Copies of blocks and of boxes of tensors between global and shared memory, and reductions of global memory by them
// (UBLK*, UTMA*). One thread asks for them: an instruction is executed once, whatever the lanes.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/isa/bulk_form.h"
#include "models/isa/state/address_space.h"
#include "models/isa/values/bulk_parts.h"
#include "models/isa/values/generic_pointer.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {
namespace {

// ---- blocks ----

std::uint32_t block_bytes(const Execution& x, std::uint64_t address) {
  if (address % kTilePart != 0) bulk_fault(x, fmt::format("the global address {:#x} is no multiple of 16", address));
  return (scalar_operand(x, x.instruction.c) & 0xffff) * kTilePart;
}

void load_block(Execution& x, const BulkForm& form) {
  const std::uint64_t from = long_word(x, x.instruction.a);
  const std::uint32_t bytes = block_bytes(x, from), mask = scalar_operand(x, x.instruction.c) >> 16;
  const Landing to = landing_at(x, scalar_operand(x, x.instruction.b), form.multicast, mask, bytes, kTilePart);
  begin_transfer(x, BulkTransfer::Kind::kLoad, bytes);
  if (bytes != 0) {
    PartMover mover(x, BulkTransfer::Kind::kLoad);
    std::uint8_t* const source = mover.reach(from, bytes);
    const bool moves = moves_data(x);
    for (std::uint32_t at = 0; at < bytes; at += kTilePart) {
      for (std::size_t i = 0; i < to.count; ++i) {
        mark_written(*to.ctas[i], to.offset + at, kTilePart, x.result.bulk.role);
        if (moves) mover.add(to.ctas[i]->shared.data() + to.offset + at, source + at, kTilePart);
      }
    }
    mover.flush();
  }
  arrive_at(x, to, scalar_operand(x, x.instruction.b, 1), bytes);
}

/// A form of reduction that is modelled. f16 and bf16 go by pairs.
AtomicForm reduction_of(const Execution& x, ScalarType type, const char* name, bool ftz = false) {
  if (type == ScalarType::kF16) type = ScalarType::kF16x2;
  if (type == ScalarType::kBf16) type = ScalarType::kBf16x2;
  const AtomicForm form{x.instruction.mem.atomic, type, ftz};
  bool known = true;
  atomic_value(form, 0, 0, 0, known);
  if (!known) bulk_fault(x, fmt::format("this reduction is not modelled for elements of type {}", name));
  return form;
}

/// Stores or reduces with what `mover` has been made for.
void store_block(Execution& x, PartMover& mover) {
  const std::uint64_t to = long_word(x, x.instruction.b);
  const std::uint32_t bytes = block_bytes(x, to), from = offset_in_cta(scalar_operand(x, x.instruction.a));
  CtaState& cta = *x.warp.cta;
  require_shared(x, cta, from, bytes, kTilePart, "the source");
  begin_transfer(x, BulkTransfer::Kind::kStore, bytes);
  if (bytes == 0) return;
  std::uint8_t* const target = mover.reach(to, bytes);
  for (std::uint32_t at = 0; at < bytes; at += kTilePart)
    mover.add(target + at, cta.shared.data() + from + at, kTilePart);
  mover.flush();
}

// ---- boxes of tensors ----

TensorMap map_of(const Execution& x, const BulkForm& form) {
  const std::uint64_t address = long_word(x, x.instruction.a);
  const std::uint8_t* const bytes = generic_pointer(x, __builtin_ctz(x.lanes), address, kTensorMapBytes);
  if (bytes == nullptr) bulk_fault(x, fmt::format("there is no tensor map at {:#x}", address));
  if (address % 64 != 0)
    bulk_fault(x, fmt::format("the address of the tensor map, {:#x}, is no multiple of 64", address));
  TensorMapBytes words;
  std::memcpy(words.data(), bytes, words.size());
  std::string problem;
  const TensorMap map = decode_tensor_map(words, problem);
  if (problem.empty()) {
    const std::string feature = unmodelled_feature(map);
    if (!feature.empty()) problem = fmt::format("it asks for {}, which is not modelled", feature);
  }
  if (problem.empty() && map.rank != form.dimensions)
    problem = fmt::format("it has {} dimensions, the instruction {}", map.rank, form.dimensions);
  if (problem.empty() && map.by_columns != form.by_columns)
    problem = fmt::format("it is {}, the instruction {}", map.by_columns ? "one by columns (im2col)" : "tiled",
                          form.by_columns ? "one by columns" : "tiled");
  if (!problem.empty()) bulk_fault(x, fmt::format("the tensor map at {:#x}: {}", address, problem));
  return map;
}

/// Where a box by columns may begin: in the box that its pixels are counted in.
void require_first_pixel(const Execution& x, const TensorMap& map, const TensorCoordinates& at) {
  for (std::size_t d = 0; d < map.places(); ++d) {
    const std::int64_t end = static_cast<std::int64_t>(map.size[d + 1]) + map.upper[d];
    if (at[d + 1] < map.lower[d] || at[d + 1] >= end)
      bulk_fault(x,
                 fmt::format("illegal instruction: coordinate {} of dimension {} is not within {} and {}, the corners "
                             "of the box by columns",
                             at[d + 1], d + 1, map.lower[d], end - 1));
  }
}

/// From word `first` of the block of registers on. Faults where hardware does.
TensorCoordinates coordinates(const Execution& x, const TensorMap& map, std::uint32_t first, bool stores) {
  TensorCoordinates at{};
  for (std::uint32_t d = 0; d < static_cast<std::uint32_t>(map.rank); ++d) {
    at[d] = static_cast<std::int32_t>(scalar_operand(x, x.instruction.b, first + d));
    if (stores && at[d] < 0)
      bulk_fault(x, fmt::format("illegal instruction: a store from coordinate {} of dimension {} on", at[d], d));
  }
  if (std::int64_t{at[0]} * bytes_of(map.type) % kTilePart != 0)
    bulk_fault(x,
               fmt::format("illegal instruction: coordinate {} of dimension 0 is no multiple of 16 bytes with elements "
                           "of type {}",
                           at[0], name_of(map.type)));
  if (map.by_columns) require_first_pixel(x, map, at);
  return at;
}

/// Offsets of a load by columns share 16 bits.
TensorOffsets offsets_of(const Execution& x, const TensorMap& map) {
  const std::uint32_t word = scalar_operand(x, x.instruction.c) & 0xffff;
  const int bits = map.rank == 3 ? 16 : map.rank == 4 ? 8 : 5;
  TensorOffsets offsets{};
  for (std::size_t d = 0; d < map.places(); ++d)
    offsets[d + 1] = static_cast<std::int32_t>(word >> (static_cast<int>(d) * bits) & ((1u << bits) - 1));
  return offsets;
}

/// Not a number where the map asks for it: an H200's bits, of all types.
void fill_part(const TensorMap& map, std::uint8_t* to) {
  constexpr std::uint8_t kHalf[] = {0xf7, 0x7f};
  for (std::uint32_t i = 0; i < kTilePart; ++i) to[i] = map.fills_with_nan ? kHalf[i % 2] : std::uint8_t{0};
}

/// What of a row lies outside of the tensor is read, too: zeros that lie in L2.
void touch_outside(BulkTransfer& copy, std::uint32_t bytes, const TileRow& row) {
  constexpr std::uint32_t kLine = 128;
  if (row.inside == bytes) return;
  const std::uint32_t end = row.before + row.inside;
  for (std::uint32_t line = 0; line < bytes; line += kLine) {
    const std::uint32_t of_line = std::min(kLine, bytes - line);
    const std::uint32_t from = std::clamp(row.before, line, line + of_line);
    const std::uint32_t to = std::clamp(end, from, line + of_line);
    if (to - from < of_line) copy.touch_outside(of_line - (to - from));
  }
}

void load_row(PartMover& mover, Execution& x, const TensorMap& map, const TileRow& row, const Landing& to) {
  std::uint8_t* const source = row.inside == 0 ? nullptr : mover.reach(row.address, row.inside);
  const std::uint32_t end = row.before + row.inside;
  const bool moves = moves_data(x);
  touch_outside(x.result.bulk, map.row_bytes(), row);
  for (std::uint32_t byte = 0; byte < map.row_bytes(); byte += kTilePart) {
    const bool inside = source != nullptr && byte >= row.before && byte < end;
    const std::uint32_t taken = inside ? std::min(kTilePart, end - byte) : 0;
    const std::uint32_t place = tile_place(map, to.offset, row.number, byte);
    for (std::size_t i = 0; i < to.count; ++i) {
      std::uint8_t* const part = to.ctas[i]->shared.data() + place;
      mark_written(*to.ctas[i], place, kTilePart, x.result.bulk.role);
      if (!moves) continue;
      if (taken < kTilePart) fill_part(map, part);
      if (taken != 0) mover.add(part, source + (byte - row.before), taken);
    }
  }
}

}  // namespace

void execute_bulk_copy(Execution& x) {
  const BulkForm form = BulkForm::of(x.instruction.mod.variant);
  if (form.to_shared && form.from_shared) return copy_between_shared(x, std::nullopt);
  if (form.to_shared) return load_block(x, form);
  PartMover mover(x, BulkTransfer::Kind::kStore);
  store_block(x, mover);
}

void execute_bulk_reduction(Execution& x) {
  const ScalarType type = x.instruction.mod.source_type;
  const AtomicForm form = reduction_of(x, type, "of the instruction");
  if (BulkForm::of(x.instruction.mod.variant).to_shared) return copy_between_shared(x, form);
  PartMover mover(x, form);
  store_block(x, mover);
}

void execute_bulk_prefetch(Execution& x) {
  const std::uint64_t from = long_word(x, x.instruction.a);
  const std::uint32_t bytes = block_bytes(x, from);
  begin_transfer(x, BulkTransfer::Kind::kPrefetch, 0);
  if (bytes != 0) PartMover(x, BulkTransfer::Kind::kPrefetch).reach(from, bytes);
}

void execute_tensor_load(Execution& x) {
  const BulkForm form = BulkForm::of(x.instruction.mod.variant);
  const TensorMap map = map_of(x, form);
  const TensorCoordinates at = coordinates(x, map, 2, false);
  const std::uint32_t mask = form.multicast ? scalar_operand(x, x.instruction.c) >> 16 : 0;
  constexpr std::uint32_t kAlignment = 128;
  const Landing to = landing_at(x, scalar_operand(x, x.instruction.b), form.multicast, mask,
                                std::uint64_t{map.rows()} * map.pitch(), kAlignment);
  begin_transfer(x, BulkTransfer::Kind::kLoad, map.box_bytes());
  x.result.bulk.map = long_word(x, x.instruction.a);
  x.result.bulk.whole_lines = map.promotion >= 2;
  PartMover mover(x, BulkTransfer::Kind::kLoad);
  if (map.type >= TensorType::kTf32) mover.round_to_tf32();
  const TensorOffsets offsets = map.by_columns ? offsets_of(x, map) : TensorOffsets{};
  for_each_row(
      map, at, [&](const TileRow& row) { load_row(mover, x, map, row, to); }, offsets);
  mover.flush();
  arrive_at(x, to, scalar_operand(x, x.instruction.b, 1), map.box_bytes());
}

namespace {

void store_box(Execution& x, const TensorMap& map, PartMover& mover) {
  const TensorCoordinates at = coordinates(x, map, 1, true);
  const std::uint32_t from = offset_in_cta(scalar_operand(x, x.instruction.b));
  CtaState& cta = *x.warp.cta;
  require_shared(x, cta, from, std::uint64_t{map.rows()} * map.pitch(), 128, "the source");
  begin_transfer(x, BulkTransfer::Kind::kStore, map.box_bytes());
  x.result.bulk.map = long_word(x, x.instruction.a);
  for_each_row(map, at, [&](const TileRow& row) {
    if (row.inside == 0) return;
    // A part is stored whole, what lies behind the tensor in it too; behind the buffer it is nobody's.
    const std::uint32_t whole = (row.inside + kTilePart - 1) / kTilePart * kTilePart;
    const std::uint32_t bytes = x.context.memory->find(row.address, whole) != nullptr ? whole : row.inside;
    std::uint8_t* const target = mover.reach(row.address, bytes);
    for (std::uint32_t byte = 0; byte < bytes; byte += kTilePart) {
      mover.add(target + byte, cta.shared.data() + tile_place(map, from, row.number, row.before + byte),
                std::min(kTilePart, bytes - byte));
    }
  });
  mover.flush();
}

/// What an H200 takes for an illegal instruction.
bool is_illegal(AtomicOp op, TensorType type) {
  const bool counts = op == AtomicOp::kInc || op == AtomicOp::kDec, adds = op == AtomicOp::kAdd;
  const bool orders = op == AtomicOp::kMin || op == AtomicOp::kMax;
  switch (type) {
    case TensorType::kU8:
    case TensorType::kU16: return true;
    case TensorType::kU32: return false;
    case TensorType::kS32:
    case TensorType::kU64: return counts;
    case TensorType::kS64: return !orders;
    case TensorType::kF16:
    case TensorType::kBf16: return !orders && !adds;
    default: return !adds;
  }
}

AtomicForm reduction_of(const Execution& x, const TensorMap& map) {
  using T = TensorType;
  using S = ScalarType;
  if (is_illegal(x.instruction.mem.atomic, map.type))
    bulk_fault(x, fmt::format("illegal instruction: no such reduction of elements of type {}", name_of(map.type)));
  switch (map.type) {
    case T::kU32: return reduction_of(x, S::kU32, name_of(map.type));
    case T::kS32: return reduction_of(x, S::kS32, name_of(map.type));
    case T::kU64: return reduction_of(x, S::kU64, name_of(map.type));
    case T::kS64: return reduction_of(x, S::kS64, name_of(map.type));
    case T::kF16: return reduction_of(x, S::kF16, name_of(map.type));
    case T::kBf16: return reduction_of(x, S::kBf16, name_of(map.type));
    case T::kF32: return reduction_of(x, S::kF32, name_of(map.type));
    case T::kF64: return reduction_of(x, S::kF64, name_of(map.type));
    case T::kF32Flushed: return reduction_of(x, S::kF32, name_of(map.type), true);
    case T::kTf32:
    case T::kTf32Flushed: return reduction_of(x, S::kF32, name_of(map.type));
    default: bulk_fault(x, fmt::format("reductions of elements of type {} are not modelled", name_of(map.type)));
  }
}

}  // namespace

void execute_tensor_store(Execution& x) {
  const TensorMap map = map_of(x, BulkForm::of(x.instruction.mod.variant));
  PartMover mover(x, BulkTransfer::Kind::kStore);
  store_box(x, map, mover);
}

void execute_tensor_reduction(Execution& x) {
  const TensorMap map = map_of(x, BulkForm::of(x.instruction.mod.variant));
  PartMover mover(x, reduction_of(x, map));
  store_box(x, map, mover);
}

void execute_tensor_prefetch(Execution& x) {
  const TensorMap map = map_of(x, BulkForm::of(x.instruction.mod.variant));
  const TensorCoordinates at = coordinates(x, map, 0, false);
  begin_transfer(x, BulkTransfer::Kind::kPrefetch, 0);
  x.result.bulk.map = long_word(x, x.instruction.a);
  PartMover mover(x, BulkTransfer::Kind::kPrefetch);
  for_each_row(map, at, [&](const TileRow& row) {
    if (row.inside != 0) mover.reach(row.address, row.inside);
  });
}

/// UTMACCTL: prefetch.tensormap, and fences that let a map be read anew.
void execute_tensor_map_hint(Execution& x) {
  constexpr std::uint16_t kPrefetches = 1;
  const bool prefetches = x.instruction.mod.variant == kPrefetches;
  begin_transfer(x, prefetches ? BulkTransfer::Kind::kMap : BulkTransfer::Kind::kNoMap, 0);
  x.result.bulk.map = long_word(x, x.instruction.a);
}

}  // namespace stc::isa
