// SPDX-License-Identifier: Apache-2.0
// Models:   the policy of a warp scheduler: which of the warps that can issue does. Greedy for some cycles, then the
//           oldest CTA's, of its warps the least recently issued (a variant of greedy-then-oldest, GTO).
// Evidence: micro_mma with several warps; measured/h200/ctas_per_sm.csv.
// Abstracts: nothing known.
// Timing:   none: it chooses within a cycle.
//
// SubCore asks for nothing else, so that another policy (loose round robin, two levels) is a class with these members
// in this file and a line in SubCore.
#pragma once

#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"
#include "models/sm/warp_context.h"

namespace stc::sm {

class WarpScheduler {
 public:
  explicit WarpScheduler(const IssueParams& params) : greedy_cycles_(static_cast<Cycle>(params.greedy_cycles)) {}
  void reset() { last_ = nullptr; }

  /// `warp`, which can issue at `now`, does whoever else can.
  bool stays_with(const WarpContext& warp, Cycle now) const {
    return &warp == last_ && warp.issued_at + greedy_cycles_ >= now;
  }
  /// Of two that can issue, the first does rather than the second.
  static bool prefers(const WarpContext& a, const WarpContext& b) {
    if (a.state.cta != b.state.cta) return a.state.cta->linear_index < b.state.cta->linear_index;
    return a.issued_at < b.issued_at;
  }
  void issued(const WarpContext& warp) { last_ = &warp; }
  void left(const WarpContext& warp) {
    if (last_ == &warp) last_ = nullptr;
  }

 private:
  const Cycle greedy_cycles_;
  const WarpContext* last_ = nullptr;  // issued
};

}  // namespace stc::sm
