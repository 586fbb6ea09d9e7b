// SPDX-License-Identifier: Apache-2.0
// A warp slot of the SM: the architectural state of the resident warp and all that its issue depends on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "models/core/statistics.h"
#include "models/isa/state/mbarrier.h"
#include "models/isa/state/warp.h"
#include "models/sm/event_queue.h"
#include "models/sm/issue_info.h"
#include "models/sm/matrix_results.h"
#include "models/sm/ring_queue.h"

namespace stc::sm {

/// Number of the lanes in a mask.
inline std::uint64_t lanes_in(isa::LaneMask lanes) {
  if (lanes == ~isa::LaneMask{0}) return isa::kWarpSize;  // as most often; counting takes a call on old processors
  return static_cast<std::uint64_t>(__builtin_popcount(lanes));
}

/// What happens when a group of copies has landed: LDGDEPBAR's scoreboard is released, or ARRIVES' arrival is made.
struct CopyGroupEnd {
  std::uint8_t scoreboard = isa::kNoScoreboard;
  std::optional<isa::CopyArrival> arrival;
};

/// Groups of LDGSTS of one warp. A group is closed by LDGDEPBAR or ARRIVES and completes, in order, when all its copies
/// landed.
class AsyncCopyGroups {
 public:
  /// Number of the group to which an LDGSTS issued now belongs.
  std::uint32_t add_copy() {
    ++open_pending_;
    return next_;
  }
  void close(const CopyGroupEnd& end) {
    closed_.push_back({next_++, open_pending_, end});
    open_pending_ = 0;
  }
  void copy_done(std::uint32_t group) {
    if (group == next_) {
      --open_pending_;
      return;
    }
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      if (closed_[i].number == group) --closed_[i].pending;
    }
  }
  /// The end of the oldest group if that group is complete; the group is forgotten.
  std::optional<CopyGroupEnd> pop_complete() {
    if (closed_.empty() || closed_.front().pending != 0) return std::nullopt;
    const CopyGroupEnd end = closed_.front().end;
    closed_.pop_front();
    return end;
  }
  /// Whether an arrival at an mbarrier is still to be made, when copies have landed.
  bool arrives_later() const {
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      if (closed_[i].end.arrival.has_value()) return true;
    }
    return false;
  }

 private:
  struct Group {
    std::uint32_t number = 0;
    std::uint32_t pending = 0;
    CopyGroupEnd end;
  };
  RingQueue<Group> closed_;
  std::uint32_t next_ = 0;
  std::uint32_t open_pending_ = 0;
};

/// What the SM knows of a warp, anew for each. What every issue looks at comes first and lies together.
struct alignas(64) WarpProgress {
  std::array<std::uint8_t, 8> scoreboard{};        ///< SB0 to SB5, kGroupScoreboard, one that stays 0
  Cycle stall_until = 0;                           ///< the compiler's stall count
  Cycle issued_at = 0;                             ///< its last issue
  std::uint32_t fetched_line = ~std::uint32_t{0};  ///< code line that its last instruction came from
  std::uint32_t generation = 0;                    ///< order of launch on this SM; tells the slot's tenants apart
  // For the account of cycles: what the warp waited for since its last issue.
  Cycle accounted = 0;              ///< cycles before this one are accounted for
  Cycle wait_cleared = 0;           ///< cycle in which the last scoreboard or barrier let go
  Cycle fetched_at = 0;             ///< when the next instruction came from the instruction cache
  bool waiting = false;             ///< a scoreboard in the wait mask is not zero
  bool at_barrier = false;          ///< has arrived at a barrier that is not open yet
  bool held_at_barrier = false;     ///< and has come to an instruction that waits for it
  bool at_cluster_barrier = false;  ///< has arrived at its cluster's barrier, which is not open yet
  bool waits_for_cluster = false;   ///< and has come to UCGABAR_WAIT
  Stall waited_for = Stall::kScoreboardOther;
  bool launched = false;  ///< has issued its first instruction
  std::uint8_t sub_core = 0;
  // What fewer instructions look at.
  std::array<Stall, kScoreboards> scoreboard_kind{};
  bool suspended = false;       ///< at an mbarrier whose phase is not complete
  bool resumed = false;         ///< it was, and now comes to know
  std::uint8_t barrier = 0;     ///< id of the barrier at which it has arrived
  bool reached_memory = false;  ///< has accessed global or local memory since its last fence
  int cta_slot = 0;
  std::uint32_t asked_line = ~std::uint32_t{0};  ///< code line that it asked for last
  Cycle line_arrives = 0;                        ///< and when that comes, whatever the cache keeps of it
  Cycle suspended_until = 0;                     ///< at the longest; 0: has not come to such an instruction
  std::optional<std::uint32_t> cluster_phase;    ///< phase of that barrier that it has arrived for and not waited
  AsyncCopyGroups copies;
  AsyncCopyGroups bulk_stores;
  MatrixResults matrix_results;
  std::uint32_t passes = 0;        ///< of the loop that somebody watches, those that were left out included
  std::uint32_t exit_address = 0;  ///< of its last instruction, once it has exited
  int stores = 0;  ///< global stores that have not left the SM; the warp stays resident for them after EXIT

  /// The cycle from which it could issue, once it can: were its pipe free, and did nobody else.
  Cycle ready_from() const { return std::max({stall_until, fetched_at, wait_cleared}); }
  /// Those of the scoreboards in `bytes` (0xff: one that is) that are not zero.
  std::uint64_t not_zero(std::uint64_t bytes) const {
    std::uint64_t all;
    std::memcpy(&all, scoreboard.data(), sizeof all);
    return all & bytes;
  }
};

struct WarpContext : WarpProgress {
  WarpContext(int registers, int warp_slot, int core) : state(registers), slot(warp_slot) {
    sub_core = static_cast<std::uint8_t>(core);  // slot mod sub-cores, for good
  }

  isa::WarpState state;
  const int slot;  ///< warp slot of the SM

  /// A new warp, of a CTA dispatched at `dispatch`, that may issue `latency` later.
  void begin(int of_cta_slot, std::uint32_t number, Cycle dispatch, Cycle latency) {
    const std::uint8_t core = sub_core;
    static_cast<WarpProgress&>(*this) = {};
    sub_core = core;
    cta_slot = of_cta_slot;
    generation = number;
    stall_until = dispatch + latency;
    accounted = dispatch;
  }
  /// An instruction that was issued will release `number` (kNoScoreboard: none); who waits for it has stall `kind`.
  void hold(std::uint8_t number, Stall kind) {
    if (number >= kScoreboards) return;
    ++scoreboard[number];
    scoreboard_kind[number] = kind;
  }
};

}  // namespace stc::sm
