// SPDX-License-Identifier: Apache-2.0
// A warp slot of the SM: the architectural state of the resident warp and all that its issue depends on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "models/core/statistics.h"
#include "models/isa/state/mbarrier.h"
#include "models/isa/state/warp.h"
#include "models/sm/event_queue.h"
#include "models/sm/matrix_results.h"

namespace stc::sm {

constexpr int kScoreboards = 6;

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
    for (Group& g : closed_) {
      if (g.number == group) --g.pending;
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
    return std::any_of(closed_.begin(), closed_.end(), [](const Group& g) { return g.end.arrival.has_value(); });
  }

 private:
  struct Group {
    std::uint32_t number;
    std::uint32_t pending;
    CopyGroupEnd end;
  };
  std::deque<Group> closed_;
  std::uint32_t next_ = 0;
  std::uint32_t open_pending_ = 0;
};

/// What the SM knows of a warp, anew for each.
struct WarpProgress {
  int cta_slot = 0;
  std::uint32_t generation = 0;                         ///< order of launch on this SM; tells the slot's tenants apart
  Cycle issued_at = 0;                                  ///< its last issue
  Cycle stall_until = 0;                                ///< the compiler's stall count
  std::array<std::uint8_t, kScoreboards> scoreboard{};  ///< SB0 to SB5: results that have not come
  std::array<Stall, kScoreboards> scoreboard_kind{};
  bool at_barrier = false;                         ///< has arrived at a barrier that is not open yet
  bool reached_memory = false;                     ///< has accessed global or local memory since its last fence
  bool held_at_barrier = false;                    ///< and has come to an instruction that waits for it
  std::uint32_t fetched_line = ~std::uint32_t{0};  ///< code line that its last instruction came from
  std::uint32_t asked_line = ~std::uint32_t{0};    ///< code line that it asked for last
  Cycle line_arrives = 0;                          ///< and when that comes, whatever the cache keeps of it
  Cycle fetched_at = 0;                            ///< when the next instruction came from the instruction cache
  std::uint8_t barrier = 0;                        ///< id of that barrier
  bool at_cluster_barrier = false;                 ///< has arrived at its cluster's barrier, which is not open yet
  bool waits_for_cluster = false;                  ///< and has come to UCGABAR_WAIT
  std::optional<std::uint32_t> cluster_phase;      ///< phase of that barrier that it has arrived for and not waited
  bool suspended = false;                          ///< at an mbarrier whose phase is not complete
  bool resumed = false;                            ///< it was, and now comes to know
  Cycle suspended_until = 0;                       ///< at the longest; 0: has not come to such an instruction
  // For the account of cycles: what the warp waited for since its last issue.
  Cycle accounted = 0;   ///< cycles before this one are accounted for
  bool waiting = false;  ///< a scoreboard in the wait mask is not zero
  Stall waited_for = Stall::kScoreboardOther;
  Cycle wait_cleared = 0;  ///< cycle in which the last scoreboard or barrier let go
  bool launched = false;   ///< has issued its first instruction
  AsyncCopyGroups copies;
  MatrixResults matrix_results;
  int stores = 0;  ///< global stores that have not left the SM; the warp stays resident for them after EXIT
};

struct WarpContext : WarpProgress {
  WarpContext(int registers, int warp_slot, int core) : state(registers), slot(warp_slot), sub_core(core) {}

  isa::WarpState state;
  const int slot;      ///< warp slot of the SM
  const int sub_core;  ///< slot mod sub-cores

  /// A new warp, of a CTA dispatched at `dispatch`, that may issue `latency` later.
  void begin(int of_cta_slot, std::uint32_t number, Cycle dispatch, Cycle latency) {
    static_cast<WarpProgress&>(*this) = {};
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
