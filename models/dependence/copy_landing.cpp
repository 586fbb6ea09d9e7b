// SPDX-License-Identifier: Apache-2.0
#include "models/dependence/copy_landing.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/opcode_traits.h"
#include "models/isa/state/mbarrier.h"
#include "models/isa/text/listing.h"

namespace stc::dependence {
namespace {

using isa::Opcode;

constexpr std::uint32_t kPlaceBytes = 4;

bool touches_shared(const isa::Instruction& instruction, const isa::ExecuteResult& result) {
  if (result.space != isa::Space::kShared || result.access_lanes == 0) return false;
  const isa::ExecutionUnit unit = isa::traits_of(instruction.opcode).unit;
  return unit != isa::ExecutionUnit::kMbarrier && unit != isa::ExecutionUnit::kCopyFence;
}

/// What the warp knows before it those know that it meets there. On sm_80 atomics arrive at mbarriers.
bool tells_others(const isa::Instruction& instruction, const isa::ExecuteResult& result) {
  if (result.lanes == 0) return false;
  switch (instruction.opcode) {
    case Opcode::kMembar:
    case Opcode::kSyncsArrive:
    case Opcode::kAtoms: return true;
    default: return result.barrier || result.cluster_barrier == isa::ClusterBarrier::kArrive;
  }
}

template <class Visit>
void each_lane(isa::LaneMask lanes, const Visit& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<std::size_t>(__builtin_ctz(lanes)));
}

void raise(std::vector<std::uint32_t>& known, const std::vector<std::uint32_t>& by) {
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], by[i]);
}

}  // namespace

CopyLanding::CopyLanding(std::size_t warps, std::size_t shared_bytes)
    : warps_(warps), told_(warps), shared_bytes_(shared_bytes) {
  for (Warp& warp : warps_) warp.knows.resize(warps);
}

std::optional<EarlyUse> CopyLanding::executed(std::size_t warp, const isa::Instruction& instruction,
                                              std::uint32_t index, const isa::WarpState& state,
                                              const isa::ExecuteResult& result, std::uint64_t time) {
  Warp& own = warps_[warp];
  wait(warp, instruction, time);
  std::optional<EarlyUse> early;
  if (!places_.empty() && touches_shared(instruction, result)) early = check(warp, result);
  if (instruction.opcode == Opcode::kLdgsts && result.shared_lanes != 0) note_copy(warp, index, result);
  if (instruction.opcode == Opcode::kLdgdepbar && result.lanes != 0) {
    own.groups.push_back({instruction.control.write_scoreboard, static_cast<Id>(own.copies.size()), time});
  }
  if (instruction.opcode == Opcode::kArrives && result.lanes != 0) {
    std::vector<Id>& arriving = arriving_[result.copy_arrival.address];
    arriving.resize(warps_.size());
    arriving[warp] = static_cast<Id>(own.copies.size());
  }
  const bool phase_over =
      instruction.opcode == Opcode::kSyncsPhase && (state.p[instruction.dest_predicate0] & result.lanes) != 0;
  const bool loads = touches_shared(instruction, result) && !result.is_write && !result.is_atomic;
  if (phase_over || loads) see_barriers(warp, result);
  if (tells_others(instruction, result)) tell(warp);
  return early;
}

void CopyLanding::wait(std::size_t warp, const isa::Instruction& instruction, std::uint64_t time) {
  Warp& own = warps_[warp];
  const auto know = [&](Id id) { own.knows[warp] = std::max(own.knows[warp], id); };
  if (own.drained != 0 && time >= own.drained_from) {
    know(own.drained);
    own.drained = 0;
  }
  const std::uint64_t risen = time - std::min<std::uint64_t>(time, kScoreboardRise);
  for (int s = 0; s < kScoreboards && !own.groups.empty(); ++s) {
    if ((instruction.control.wait_mask >> s & 1) != 0) know(wait_for(own, s, 0, risen));
  }
  if (instruction.opcode != Opcode::kDepbar) return;
  own.drained = wait_for(own, instruction.mod.depbar_scoreboard, instruction.mod.depbar_count, time);
  for (int s = 0; s < kScoreboards; ++s) {
    if ((instruction.mod.depbar_wait_zero >> s & 1) != 0) {
      own.drained = std::max(own.drained, wait_for(own, s, 0, time));
    }
  }
  own.drained_from = time + kDepbarCycles;
}

CopyLanding::Id CopyLanding::wait_for(Warp& warp, int scoreboard, std::size_t left, std::uint64_t until) {
  const auto on_it = [&](const Group& group) { return group.scoreboard == scoreboard; };
  auto waited = static_cast<std::size_t>(std::count_if(warp.groups.begin(), warp.groups.end(), on_it));
  waited -= std::min(waited, left);
  Id last = 0;
  for (auto group = warp.groups.begin(); group != warp.groups.end() && waited != 0;) {
    const bool is_done = on_it(*group) && group->time <= until;
    if (on_it(*group)) --waited;
    if (is_done) last = std::max(last, group->last);
    group = is_done ? warp.groups.erase(group) : group + 1;
  }
  return last;
}

std::optional<EarlyUse> CopyLanding::check(std::size_t warp, const isa::ExecuteResult& result) const {
  std::optional<EarlyUse> early;
  each_lane(result.access_lanes, [&](std::size_t lane) {
    const auto first = static_cast<std::size_t>(result.address[lane]);
    for (std::size_t byte = first; byte < first + result.bytes_per_lane && !early; byte += kPlaceBytes) {
      if (byte / kPlaceBytes >= places_.size()) break;
      const Place& place = places_[byte / kPlaceBytes];
      if (place.id <= std::max(told_[place.warp], warps_[warp].knows[place.warp])) continue;
      early = EarlyUse{static_cast<std::uint32_t>(byte),
                       static_cast<int>(lane),
                       place.warp,
                       warps_[place.warp].copies[place.id - 1],
                       place.id <= warps_[place.warp].knows[place.warp],
                       result.is_write};
    }
  });
  return early;
}

void CopyLanding::note_copy(std::size_t warp, std::uint32_t index, const isa::ExecuteResult& result) {
  places_.resize((shared_bytes_ + kPlaceBytes - 1) / kPlaceBytes);
  warps_[warp].copies.push_back(index);
  const Place place{static_cast<std::uint16_t>(warp), static_cast<Id>(warps_[warp].copies.size())};
  each_lane(result.shared_lanes, [&](std::size_t lane) {
    const std::size_t first = result.shared_address[lane] / kPlaceBytes;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, result.bytes_per_lane / kPlaceBytes); ++i) {
      if (first + i < places_.size()) places_[first + i] = place;
    }
  });
}

void CopyLanding::see_barriers(std::size_t warp, const isa::ExecuteResult& result) {
  if (arriving_.empty()) return;
  each_lane(result.access_lanes, [&](std::size_t lane) {
    const auto seen =
        arriving_.find(static_cast<std::uint32_t>(result.address[lane]) / isa::kMbarrierBytes * isa::kMbarrierBytes);
    if (seen != arriving_.end()) raise(warps_[warp].knows, seen->second);
  });
}

void CopyLanding::tell(std::size_t warp) { raise(told_, warps_[warp].knows); }

std::string describe(const EarlyUse& use, const isa::Kernel& kernel) {
  const isa::Instruction& copy = kernel.code[use.copy];
  return fmt::format(
      "{} shared memory at 0x{:04x} (lane {}) before '{}' at 0x{:04x} of warp {} is known to have "
      "written it: {}",
      use.is_write ? "overwrites" : "reads", use.address, use.lane, isa::listing_text(copy), copy.address,
      use.copied_by,
      use.waited ? "that warp has waited for the copy, but has met no barrier or fence since"
                 : "nobody has waited for the copy");
}

}  // namespace stc::dependence
