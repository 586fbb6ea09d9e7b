// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/bulk_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/state/address_space.h"
#include "models/isa/values/copy_arrival.h"
#include "models/isa/values/late_access.h"
#include "models/isa/values/load_log.h"

namespace stc::isa {
namespace {

void copy_parts_again(Execution&, const LoggedLoad& load) {
  for (LaneMask m = load.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    std::memcpy(load.to[lane], load.from[lane], load.counts[lane]);
  }
}

std::uint32_t nearest_tf32(std::uint32_t bits) {
  constexpr std::uint32_t kDropped = 13, kNan = 0x7fffe000;
  if ((bits & 0x7fffffff) > 0x7f800000) return kNan;
  const std::uint32_t rounded = bits + (1u << (kDropped - 1)) - 1 + (bits >> kDropped & 1);
  return rounded >> kDropped << kDropped;
}

void round_part(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint32_t)) {
    const std::uint32_t rounded = nearest_tf32(load32(from + at));
    std::memcpy(to + at, &rounded, sizeof rounded);
  }
}

void round_parts_again(Execution&, const LoggedLoad& load) {
  for (LaneMask m = load.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    round_part(load.to[lane], load.from[lane], load.counts[lane]);
  }
}

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

}  // namespace

void bulk_fault(const Execution& x, const std::string& what) {
  throw_fault(x.instruction, x.warp, x.context, -1, what);
}

std::uint64_t long_word(const Execution& x, const Operand& o) {
  return scalar_operand(x, o) | std::uint64_t{scalar_operand(x, o, 1)} << 32;
}

std::uint8_t* PartMover::reach(std::uint64_t address, std::uint64_t bytes) {
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

void PartMover::add(std::uint8_t* to, std::uint8_t* from, std::uint32_t bytes) {
  to_[count_] = to, from_[count_] = from, bytes_[count_] = static_cast<std::uint8_t>(bytes);
  if (++count_ == kWarpSize) flush();
}

void PartMover::flush() {
  if (count_ == 0) return;
  x_.lanes = count_ == kWarpSize ? kAllLanes : (LaneMask{1} << count_) - 1;
  x_.context.buffer = buffer_;
  if (kind_ == BulkTransfer::Kind::kStore) {
    store_parts(x_, to_, from_, bytes_, reduction_);
  } else {
    for (std::size_t i = 0; i < count_; ++i) {
      if (tf32_) {
        round_part(to_[i], from_[i], bytes_[i]);
      } else {
        std::memcpy(to_[i], from_[i], bytes_[i]);
      }
    }
    const MakeLoad again = tf32_ ? round_parts_again : copy_parts_again;
    if (LoggedLoad* const load = log_load(x_, again, from_)) load->to = to_, load->counts = bytes_;
  }
  count_ = 0;
}

void require_shared(const Execution& x, const CtaState& cta, std::uint32_t offset, std::uint64_t bytes,
                    std::uint32_t alignment, const char* what) {
  if (offset % alignment != 0)
    bulk_fault(x, fmt::format("{} {:#x} in shared memory is no multiple of {}", what, offset, alignment));
  if (offset + bytes > cta.shared.size())
    bulk_fault(x, fmt::format("{} {:#x} and the {} bytes from there on leave the CTA's {} bytes of shared memory", what,
                              offset, bytes, cta.shared.size()));
}

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

void arrive_at(Execution& x, const Landing& to, std::uint32_t barrier, std::uint32_t bytes) {
  const std::uint32_t offset = offset_in_cta(barrier);
  for (std::size_t i = 0; i < to.count; ++i) {
    require_shared(x, *to.ctas[i], offset, kMbarrierBytes, kMbarrierBytes, "the mbarrier");
    const CopyArrival arrival{offset, {0, -std::int64_t{bytes}, false}, issued_by(x)};
    if (x.context.copies_take_time) {
      x.result.bulk.arrivals.push_back({to.ranks[i], arrival});
    } else if (complete_copy_arrival(*to.ctas[i], *x.context.kernel, arrival)) {
      x.result.phase_completed = true;
    }
  }
}

void begin_transfer(Execution& x, BulkTransfer::Kind kind, std::uint32_t bytes) {
  x.result.bulk.clear();
  x.result.bulk.kind = kind;
  x.result.bulk.bytes = bytes;
  x.result.has_bulk = true;
  x.result.is_write =
      kind == BulkTransfer::Kind::kLoad || kind == BulkTransfer::Kind::kStore || kind == BulkTransfer::Kind::kToCluster;
}

}  // namespace stc::isa
