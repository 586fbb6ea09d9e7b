// SPDX-License-Identifier: Apache-2.0
// Models:   CTA barriers (BAR): 16 per CTA, one arrival after the other.
// Evidence: configs/gpus/*.yaml, sm.issue.barrier_*: cost of __syncthreads over warps.
// Abstracts: BAR.RED values (computed at issue).
// Timing:   the unit takes an arrival per barrier_arrival_interval; the barrier opens barrier_latency after the last.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

constexpr int kBarriersPerCta = 16;

/// Arrivals at the barriers of one CTA.
struct CtaBarriers {
  std::array<int, kBarriersPerCta> arrived{};
  std::array<int, kBarriersPerCta> expected{};
};

class BarrierUnit {
 public:
  explicit BarrierUnit(const IssueParams& params) : params_(params) {}

  /// Time at which an arrival at `now` has been taken.
  Cycle take(Cycle now) {
    const Cycle taken = std::max(now, free_);
    free_ = taken + static_cast<Cycle>(params_.barrier_arrival_interval);
    return taken;
  }
  Cycle opens(Cycle last_taken) const { return last_taken + static_cast<Cycle>(params_.barrier_latency); }
  void reset() { free_ = 0; }

 private:
  const IssueParams params_;
  Cycle free_ = 0;
};

}  // namespace stc::sm
