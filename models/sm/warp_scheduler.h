// SPDX-License-Identifier: Apache-2.0
// Models:   the policy of a warp scheduler: which of the warps that can issue does. Greedy for some cycles, then the
//           oldest CTA's, of its warps the least recently issued (a variant of greedy-then-oldest, GTO); but where all
//           of these have had to wait for a pipe or for others, and that CTA issued last, whoever waits and has issued
//           the least recently.
// Evidence: micro_mma with several warps; measured/h200/ctas_per_sm.csv; cta_turns.csv.
// Abstracts: two CTAs whose warps run loops of four chains of matrix instructions end together on silicon,
//           here the older one first (cta_turns.csv).
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
  void reset() {
    last_ = nullptr;
    last_cta_ = kNone;
  }

  /// `warp`, which can issue at `now`, does whoever else can.
  bool stays_with(const WarpContext& warp, Cycle now) const {
    return &warp == last_ && warp.issued_at + greedy_cycles_ >= now;
  }
  /// Those that can issue in a cycle, one after the other.
  class Choice {
   public:
    /// `has_waited`: it could have issued sooner, had its pipe been free and nobody else issued.
    void offer(const WarpContext& warp, bool has_waited) {
      if (!has_waited) take_if(ready_, warp, prefers);
      if (has_waited) take_if(waiting_, warp, issued_before);
      take_if(first_, warp, prefers);
    }

   private:
    friend WarpScheduler;
    using Order = bool (*)(const WarpContext&, const WarpContext&);
    static void take_if(const WarpContext*& taken, const WarpContext& warp, Order order) {
      if (taken == nullptr || order(warp, *taken)) taken = &warp;
    }
    static bool issued_before(const WarpContext& a, const WarpContext& b) { return a.issued_at < b.issued_at; }
    static bool prefers(const WarpContext& a, const WarpContext& b) {
      if (a.state.cta != b.state.cta) return a.state.cta->linear_index < b.state.cta->linear_index;
      return issued_before(a, b);
    }

    const WarpContext* first_ = nullptr;    // of the oldest CTA
    const WarpContext* ready_ = nullptr;    // the same of those that have not waited
    const WarpContext* waiting_ = nullptr;  // of those that have, the least recently issued
  };
  /// Who issues; null if nobody can.
  const WarpContext* chosen(const Choice& choice) const {
    if (choice.first_ == nullptr) return nullptr;
    const isa::CtaState* const oldest = choice.first_->state.cta;
    const bool all_wait = choice.ready_ == nullptr || choice.ready_->state.cta != oldest;
    return all_wait && oldest->linear_index == last_cta_ ? choice.waiting_ : choice.first_;
  }
  void issued(const WarpContext& warp) {
    last_ = &warp;
    last_cta_ = warp.state.cta->linear_index;
  }
  void left(const WarpContext& warp) {
    if (last_ == &warp) last_ = nullptr;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  const Cycle greedy_cycles_;
  const WarpContext* last_ = nullptr;  // issued
  std::uint64_t last_cta_ = kNone;     // whose warp that was, even if it has ended
};

}  // namespace stc::sm
