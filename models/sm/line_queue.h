// SPDX-License-Identifier: Apache-2.0
// Models:   the miss-status queue of an SM (MSHRs; here: line queue): room for reads of global memory (LDG, LDGSTS,
//           atomics) whose lines are on their way to L2.
// Evidence: measured/h200/clocks.csv, group behind: an LDSM waits one cycle for each line of the LDG and LDGSTS before
//           it once 24 LDG of 4 lines, 12 LDGSTS of 4 or 8 lines or 8 of 16 lines wait; before that for their
//           entrance only.
// Abstracts: the requests themselves, which the crossbar spaces (crossbar.request_interval); hits in L1, which count
//           as lines when room is looked for; copies on their way to the same rows, which hardware merges.
// Timing:   lines leave one after the other, one per line_interval; an access holds its entries until its last has
//           left.
#pragma once

#include <algorithm>

#include "models/sm/event_queue.h"
#include "models/sm/ring_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class LineQueue {
 public:
  explicit LineQueue(const LsuParams& params)
      : capacity_(params.line_queue_entries),
        entry_lines_(params.line_queue_entry_lines),
        interval_(static_cast<Cycle>(params.line_interval)) {}

  /// From when on an access to `lines` lines finds room; `copy`: an LDGSTS, which has an entry for its rows as well.
  Cycle room_from(int lines, bool copy) const {
    if (lines == 0) return 0;
    int used = state_.used + entries_of(lines, copy);
    Cycle from = 0;
    for (std::size_t i = 0; used > capacity_ && i < state_.waiting.size(); ++i) {
      used -= state_.waiting[i].entries;
      from = state_.waiting[i].left;
    }
    return from;
  }
  /// Lines of an access that begin to leave at `now` at the soonest.
  void push(Cycle now, int lines, bool copy) {
    if (lines == 0) return;
    for (; !state_.waiting.empty() && state_.waiting.front().left <= now; state_.waiting.pop_front())
      state_.used -= state_.waiting.front().entries;
    state_.free = std::max(state_.free, now) + static_cast<Cycle>(lines) * interval_;
    state_.waiting.push_back({state_.free, entries_of(lines, copy)});
    state_.used += state_.waiting.back().entries;
  }
  void reset() { state_ = {}; }

 private:
  struct Waiting {
    Cycle left = 0;  // when its last line has left
    int entries = 0;
  };
  int entries_of(int lines, bool copy) const {
    return std::min((lines + entry_lines_ - 1) / entry_lines_ + (copy ? 1 : 0), capacity_);
  }

  const int capacity_;
  const int entry_lines_;
  const Cycle interval_;
  struct State {
    RingQueue<Waiting> waiting;  // oldest first
    int used = 0;                // entries
    Cycle free = 0;
  };
  State state_;
};

}  // namespace stc::sm
