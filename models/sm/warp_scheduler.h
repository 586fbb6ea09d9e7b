// SPDX-License-Identifier: Apache-2.0
// Models:   the policy of a warp scheduler: which of the warps that can issue does. Who issued last goes on as long as
//           its instructions do not yield (a bit of their control codes) and each can issue as soon as its stall count
//           lets it; who issued the last matrix instruction keeps the tensor core while it can issue the next, from
//           warps of its CTA, and from those of younger ones where that comes at the core's pace. Else the oldest
//           CTA's, of its warps the least recently issued (a variant of greedy-then-oldest, GTO); but where all of
//           these have had to wait for a pipe or for others, and that CTA issued last, whoever waits and has issued the
//           least recently. An instruction for which the queue of memory instructions has no room takes no part in such
//           turns: the oldest CTA's goes first.
// Evidence: measured/h200/warp_bursts.csv: clocks that the warps of a sub-core read every 8 or 16 instructions;
//           micro_mma, micro_ports and micro_mix with several warps; cta_turns.csv, whose CTAs of stores end one after
//           the other, those of matrix instructions take turns.
// Abstracts: of two CTAs whose warps load matrices between each four products the younger one gets two fifths of what
//           the older does on silicon, a fifth here (warp_bursts.csv, spread).
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
  void reset() { *this = {}; }

  /// `warp`, which can issue now what `multiplies` or not, does whoever else can. `has_waited`: it could have issued
  /// sooner, had its pipe been free and nobody else issued.
  bool stays_with(const WarpContext& warp, bool multiplies, bool has_waited) const {
    return !multiplies && !has_waited && goes_on(warp);
  }
  /// Of the instruction that a warp can issue.
  struct Next {
    bool multiplies = false;
    bool to_memory = false;      ///< it goes to the queue of memory instructions
    bool has_waited = false;     ///< see stays_with()
    bool core_was_busy = false;  ///< it has waited for the tensor core
  };
  /// Those that can issue in a cycle, one after the other.
  class Choice {
   public:
    explicit Choice(const WarpScheduler& scheduler) : scheduler_(scheduler) {}
    void offer(const WarpContext& warp, const Next& next) {
      const bool goes_on = next.multiplies && scheduler_.goes_on(warp);
      all_.offer(warp, next, goes_on);
      if (!next.multiplies || !scheduler_.yields_to_own(warp)) within_cta_.offer(warp, next, false);
      if (!next.multiplies || !scheduler_.yields_to_any(warp)) keeping_.offer(warp, next, goes_on);
      if (next.multiplies && &warp == scheduler_.multiplied_) owner_ = next.core_was_busy ? &within_cta_ : &keeping_;
    }
    /// Who issues; null if nobody can.
    const WarpContext* chosen() const {
      const Candidates& of = *owner_;
      if (of.first == nullptr || of.goes_on != nullptr) return of.goes_on;
      const isa::CtaState* const oldest = of.first->state.cta;
      const bool all_wait = of.ready == nullptr || of.ready->state.cta != oldest;
      const bool turns = all_wait && !of.first_to_memory && oldest->linear_index == scheduler_.last_cta_;
      return turns ? of.waiting : of.first;
    }

   private:
    struct Candidates {
      void offer(const WarpContext& warp, const Next& next, bool continues) {
        if (continues) goes_on = &warp;
        if (!next.has_waited) take_if(ready, warp, prefers);
        if (next.has_waited && !next.to_memory) take_if(waiting, warp, issued_before);
        if (take_if(first, warp, prefers)) first_to_memory = next.to_memory;
      }
      const WarpContext* goes_on = nullptr;  // who issued last
      const WarpContext* first = nullptr;    // of the oldest CTA
      const WarpContext* ready = nullptr;    // the same of those that have not waited
      const WarpContext* waiting = nullptr;  // of those that have and take turns, the least recently issued
      bool first_to_memory = false;
    };
    using Order = bool (*)(const WarpContext&, const WarpContext&);
    static bool take_if(const WarpContext*& taken, const WarpContext& warp, Order order) {
      const bool takes = taken == nullptr || order(warp, *taken);
      if (takes) taken = &warp;
      return takes;
    }
    static bool issued_before(const WarpContext& a, const WarpContext& b) { return a.issued_at < b.issued_at; }
    static bool prefers(const WarpContext& a, const WarpContext& b) {
      if (a.state.cta != b.state.cta) return a.state.cta->linear_index < b.state.cta->linear_index;
      return issued_before(a, b);
    }

    const WarpScheduler& scheduler_;
    Candidates all_;
    Candidates within_cta_;  // where who multiplied last can go on with that, and keeps it from others of its CTA
    Candidates keeping_;     // the same from those of younger ones, too
    const Candidates* owner_ = &all_;
  };
  void issued(const WarpContext& warp, bool multiplies, bool yields) {
    last_ = &warp;
    last_cta_ = warp.state.cta->linear_index;
    yields_ = yields;
    if (multiplies) multiplied_ = &warp;
  }
  void left(const WarpContext& warp) {
    if (last_ == &warp) last_ = nullptr;
    if (multiplied_ == &warp) multiplied_ = nullptr;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  bool goes_on(const WarpContext& warp) const { return &warp == last_ && !yields_; }
  // Leave the tensor core to who issued the last matrix instruction, if he can issue the next: one of his CTA's warps,
  // one of any that is not older.
  bool yields_to_own(const WarpContext& warp) const {
    return multiplied_ != nullptr && multiplied_ != &warp && multiplied_->state.cta == warp.state.cta;
  }
  bool yields_to_any(const WarpContext& warp) const {
    return multiplied_ != nullptr && multiplied_ != &warp &&
           warp.state.cta->linear_index >= multiplied_->state.cta->linear_index;
  }

  const WarpContext* last_ = nullptr;        // issued
  const WarpContext* multiplied_ = nullptr;  // issued the last matrix instruction
  std::uint64_t last_cta_ = kNone;           // whose warp issued last, even if it has ended
  bool yields_ = false;                      // what was issued last lets others go first
};

}  // namespace stc::sm
