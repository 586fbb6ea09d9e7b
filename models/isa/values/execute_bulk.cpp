// SPDX-License-Identifier: Apache-2.0
// Copies of blocks and of boxes of tensors between global and shared memory (UBLK*, UTMA*). One thread asks for them:
// an instruction is executed once, whatever the lanes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "models/isa/bulk_form.h"
#include "models/isa/state/address_space.h"
#include "models/isa/state/tensor_tile.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/generic_pointer.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_address.h"
#include "models/isa/values/late_access.h"
#include "models/isa/values/load_log.h"

namespace stc::isa {
namespace {

[[noreturn]] void bulk_fault(const Execution& x, const std::string& what) {
  throw_fault(x.instruction, x.warp, x.context, -1, what);
}

std::uint64_t long_word(const Execution& x, const Operand& o) {
  return scalar_operand(x, o) | std::uint64_t{scalar_operand(x, o, 1)} << 32;
}

void copy_parts_again(Execution&, const LoggedLoad& load) {
  for (LaneMask m = load.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    std::memcpy(load.to[lane], load.from[lane], load.counts[lane]);
  }
}

/// Moves parts of at most 16 bytes, 32 of them at a time as accesses of warps are noted.
class PartMover {
 public:
  PartMover(Execution& x, BulkTransfer::Kind kind) : x_(x), kind_(kind), lanes_(x.lanes) {}
  ~PartMover() { x_.lanes = lanes_; }
  PartMover(const PartMover&) = delete;
  PartMover& operator=(const PartMover&) = delete;

  /// Host pointer to global memory, of which what follows is to be moved.
  std::uint8_t* reach(std::uint64_t address, std::uint64_t bytes) {
    const Allocation* const buffer = x_.context.memory->find(address, bytes);
    if (buffer == nullptr) {
      const char* const does = kind_ == BulkTransfer::Kind::kStore ? "write" : "read";
      throw_address_fault(x_.instruction, x_.warp, x_.context, -1, fmt::format("out-of-bounds {}-byte {}", bytes, does),
                          Space::kGlobal, address);
    }
    if (buffer != buffer_) flush();
    buffer_ = buffer;
    x_.result.bulk.role = buffer->role;
    x_.result.bulk.touch(address, bytes);
    return x_.context.memory->translate(address, bytes);
  }
  void add(std::uint8_t* to, std::uint8_t* from, std::uint32_t bytes) {
    to_[count_] = to, from_[count_] = from, bytes_[count_] = static_cast<std::uint8_t>(bytes);
    if (++count_ == kWarpSize) flush();
  }
  void flush() {
    if (count_ == 0) return;
    x_.lanes = count_ == kWarpSize ? kAllLanes : (LaneMask{1} << count_) - 1;
    x_.context.buffer = buffer_;
    if (kind_ == BulkTransfer::Kind::kStore) {
      store_parts(x_, to_, from_, bytes_);
    } else {
      for (std::size_t i = 0; i < count_; ++i) std::memcpy(to_[i], from_[i], bytes_[i]);
      if (LoggedLoad* const load = log_load(x_, copy_parts_again, from_)) load->to = to_, load->counts = bytes_;
    }
    count_ = 0;
  }

 private:
  Execution& x_;
  const BulkTransfer::Kind kind_;
  const LaneMask lanes_;
  const Allocation* buffer_ = nullptr;
  LanePointers to_{}, from_{};
  LaneCounts bytes_{};
  std::size_t count_ = 0;
};

/// Where a copy lands in shared memory: the same offset of one CTA or of several.
struct Landing {
  std::array<CtaState*, kMostClusterCtas> ctas{};
  std::array<std::uint32_t, kMostClusterCtas> ranks{};
  std::size_t count = 0;
  std::uint32_t offset = 0;
};

CtaState& cta_of_rank(const Execution& x, std::uint32_t rank, const char* what) {
  CtaState& own = *x.warp.cta;
  if (rank == own.cluster_rank) return own;
  if (own.cluster == nullptr || rank >= own.cluster->size())
    bulk_fault(x, fmt::format("{} lies in CTA {} of the cluster, which has {}", what, rank,
                              own.cluster == nullptr ? 1 : own.cluster->size()));
  if ((*own.cluster)[rank] == nullptr)
    bulk_fault(x, fmt::format("{} lies in CTA {} of the cluster, which has exited", what, rank));
  return *(*own.cluster)[rank];
}

void require_shared(const Execution& x, const CtaState& cta, std::uint32_t offset, std::uint64_t bytes,
                    std::uint32_t alignment, const char* what) {
  if (offset % alignment != 0)
    bulk_fault(x, fmt::format("{} {:#x} in shared memory is no multiple of {}", what, offset, alignment));
  if (offset + bytes > cta.shared.size())
    bulk_fault(x, fmt::format("{} {:#x} and the {} bytes from there on leave the CTA's {} bytes of shared memory", what,
                              offset, bytes, cta.shared.size()));
}

/// `place`: shared address; `mask`: CTAs of a multicast.
Landing landing_at(const Execution& x, std::uint32_t place, bool multicast, std::uint32_t mask, std::uint64_t bytes,
                   std::uint32_t alignment) {
  constexpr const char* kWhat = "the destination";
  Landing to;
  to.offset = offset_in_cta(place);
  for (std::uint32_t rank = 0; rank < kMostClusterCtas; ++rank) {
    if (multicast ? (mask >> rank & 1) == 0 : rank != rank_of(place)) continue;
    to.ctas[to.count] = &cta_of_rank(x, rank, kWhat);
    to.ranks[to.count++] = rank;
  }
  if (to.count == 0)
    bulk_fault(x, multicast ? "its mask names no CTA"
                            : fmt::format("the destination {:#x} is no address of shared memory", place));
  for (std::size_t i = 0; i < to.count; ++i) require_shared(x, *to.ctas[i], to.offset, bytes, alignment, kWhat);
  return to;
}

void mark_written(CtaState& cta, std::uint32_t offset, std::uint32_t bytes, DataRole role) {
  if (offset / 16 < cta.shared_role.size()) cta.shared_role[offset / 16] = static_cast<std::uint8_t>(role);
  if (!cta.shared_written.empty()) std::fill_n(cta.shared_written.begin() + offset, bytes, std::uint8_t{1});
}

/// The bytes that have come are counted at the mbarriers, now or when whoever keeps time says so.
void arrive_at(Execution& x, const Landing& to, std::uint32_t barrier, std::uint32_t bytes) {
  const std::uint32_t offset = offset_in_cta(barrier);
  for (std::size_t i = 0; i < to.count; ++i) {
    require_shared(x, *to.ctas[i], offset, kMbarrierBytes, kMbarrierBytes, "the mbarrier");
    const CopyArrival arrival{offset, {0, -std::int64_t{bytes}, false}};
    if (x.context.copies_take_time) {
      x.result.bulk.arrivals.push_back({to.ranks[i], arrival});
    } else if (complete_copy_arrival(*to.ctas[i], *x.context.kernel, arrival, "bulk copies")) {
      x.result.phase_completed = true;
    }
  }
}

void begin_transfer(Execution& x, BulkTransfer::Kind kind, std::uint32_t bytes) {
  x.result.bulk.clear();
  x.result.bulk.kind = kind;
  x.result.bulk.bytes = bytes;
  x.result.has_bulk = true;
  x.result.is_write = kind != BulkTransfer::Kind::kPrefetch;
}

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
    for (std::uint32_t at = 0; at < bytes; at += kTilePart) {
      for (std::size_t i = 0; i < to.count; ++i) {
        mark_written(*to.ctas[i], to.offset + at, kTilePart, x.result.bulk.role);
        mover.add(to.ctas[i]->shared.data() + to.offset + at, source + at, kTilePart);
      }
    }
    mover.flush();
  }
  arrive_at(x, to, scalar_operand(x, x.instruction.b, 1), bytes);
}

void store_block(Execution& x) {
  const std::uint64_t to = long_word(x, x.instruction.b);
  const std::uint32_t bytes = block_bytes(x, to), from = offset_in_cta(scalar_operand(x, x.instruction.a));
  CtaState& cta = *x.warp.cta;
  require_shared(x, cta, from, bytes, kTilePart, "the source");
  begin_transfer(x, BulkTransfer::Kind::kStore, bytes);
  if (bytes == 0) return;
  PartMover mover(x, BulkTransfer::Kind::kStore);
  std::uint8_t* const target = mover.reach(to, bytes);
  for (std::uint32_t at = 0; at < bytes; at += kTilePart)
    mover.add(target + at, cta.shared.data() + from + at, kTilePart);
  mover.flush();
}

// ---- boxes of tensors ----

TensorMap map_of(const Execution& x, int dimensions) {
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
  if (problem.empty() && map.rank != dimensions)
    problem = fmt::format("it has {} dimensions, the instruction {}", map.rank, dimensions);
  if (!problem.empty()) bulk_fault(x, fmt::format("the tensor map at {:#x}: {}", address, problem));
  return map;
}

/// From word `first` of the block of registers on. Faults where hardware does.
TensorCoordinates coordinates(const Execution& x, const TensorMap& map, std::uint32_t first, bool stores) {
  TensorCoordinates at{};
  for (std::uint32_t d = 0; d < static_cast<std::uint32_t>(map.rank); ++d) {
    at[d] = static_cast<std::int32_t>(scalar_operand(x, x.instruction.b, first + d));
    // Seen once on an H200, of a 3D store; whether every such store faults is not known.
    if (stores && d != 0 && at[d] < 0)
      bulk_fault(x, fmt::format("a store from coordinate {} of dimension {} on: hardware may take it for an illegal "
                                "instruction, which is not modelled further",
                                at[d], d));
  }
  if (std::int64_t{at[0]} * bytes_of(map.type) % kTilePart != 0)
    bulk_fault(x,
               fmt::format("illegal instruction: coordinate {} of dimension 0 is no multiple of 16 bytes with elements "
                           "of type {}",
                           at[0], name_of(map.type)));
  return at;
}

/// Not a number where the map asks for it: an H200's bits of f32 and f64.
void fill_part(const TensorMap& map, std::uint8_t* to) {
  constexpr std::uint8_t kHalf[] = {0xf7, 0x7f};
  for (std::uint32_t i = 0; i < kTilePart; ++i) to[i] = map.fills_with_nan ? kHalf[i % 2] : std::uint8_t{0};
}

void load_row(PartMover& mover, Execution& x, const TensorMap& map, const TileRow& row, const Landing& to) {
  std::uint8_t* const source = row.inside == 0 ? nullptr : mover.reach(row.address, row.inside);
  const std::uint32_t end = row.before + row.inside;
  for (std::uint32_t byte = 0; byte < map.row_bytes(); byte += kTilePart) {
    const bool inside = source != nullptr && byte >= row.before && byte < end;
    const std::uint32_t taken = inside ? std::min(kTilePart, end - byte) : 0;
    const std::uint32_t place = tile_place(map, to.offset, row.number, byte);
    for (std::size_t i = 0; i < to.count; ++i) {
      std::uint8_t* const part = to.ctas[i]->shared.data() + place;
      mark_written(*to.ctas[i], place, kTilePart, x.result.bulk.role);
      if (taken < kTilePart) fill_part(map, part);
      if (taken != 0) mover.add(part, source + (byte - row.before), taken);
    }
  }
}

}  // namespace

void execute_bulk_copy(Execution& x) {
  const BulkForm form = BulkForm::of(x.instruction.mod.variant);
  if (form.to_shared && form.from_shared) return execute_unmodelled(x);
  return form.to_shared ? load_block(x, form) : store_block(x);
}

void execute_bulk_prefetch(Execution& x) {
  const std::uint64_t from = long_word(x, x.instruction.a);
  const std::uint32_t bytes = block_bytes(x, from);
  begin_transfer(x, BulkTransfer::Kind::kPrefetch, 0);
  if (bytes != 0) PartMover(x, BulkTransfer::Kind::kPrefetch).reach(from, bytes);
}

void execute_tensor_load(Execution& x) {
  const BulkForm form = BulkForm::of(x.instruction.mod.variant);
  const TensorMap map = map_of(x, form.dimensions);
  const TensorCoordinates at = coordinates(x, map, 2, false);
  const std::uint32_t mask = form.multicast ? scalar_operand(x, x.instruction.c) >> 16 : 0;
  constexpr std::uint32_t kAlignment = 128;
  const Landing to = landing_at(x, scalar_operand(x, x.instruction.b), form.multicast, mask,
                                std::uint64_t{map.rows()} * map.pitch(), kAlignment);
  begin_transfer(x, BulkTransfer::Kind::kLoad, map.box_bytes());
  x.result.bulk.whole_lines = map.promotion >= 2;
  PartMover mover(x, BulkTransfer::Kind::kLoad);
  for_each_row(map, at, [&](const TileRow& row) { load_row(mover, x, map, row, to); });
  mover.flush();
  arrive_at(x, to, scalar_operand(x, x.instruction.b, 1), map.box_bytes());
}

void execute_tensor_store(Execution& x) {
  const TensorMap map = map_of(x, BulkForm::of(x.instruction.mod.variant).dimensions);
  const TensorCoordinates at = coordinates(x, map, 1, true);
  const std::uint32_t from = offset_in_cta(scalar_operand(x, x.instruction.b));
  CtaState& cta = *x.warp.cta;
  require_shared(x, cta, from, std::uint64_t{map.rows()} * map.pitch(), 128, "the source");
  begin_transfer(x, BulkTransfer::Kind::kStore, map.box_bytes());
  PartMover mover(x, BulkTransfer::Kind::kStore);
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

void execute_tensor_prefetch(Execution& x) {
  const TensorMap map = map_of(x, BulkForm::of(x.instruction.mod.variant).dimensions);
  const TensorCoordinates at = coordinates(x, map, 0, false);
  begin_transfer(x, BulkTransfer::Kind::kPrefetch, 0);
  PartMover mover(x, BulkTransfer::Kind::kPrefetch);
  for_each_row(map, at, [&](const TileRow& row) {
    if (row.inside != 0) mover.reach(row.address, row.inside);
  });
}

}  // namespace stc::isa
