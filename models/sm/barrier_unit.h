// SPDX-License-Identifier: Apache-2.0
// Models:   CTA barriers (BAR): 16 per CTA, one arrival after the other.
// Evidence: configs/gpus/*.yaml, sm.issue.barrier_*: cost of __syncthreads over warps.
// Abstracts: BAR.RED values (computed at issue).
// Timing:   the unit takes an arrival per barrier_arrival_interval; the barrier opens barrier_latency after the last.
#pragma once

#include "models/isa/values/execute.h"
#include "models/sm/cta_slots.h"
#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class BarrierUnit {
 public:
  /// An opening barrier becomes an event (kBarrierOpen) in `events`.
  BarrierUnit(const IssueParams& params, EventQueue& events) : params_(params), events_(events) {}

  /// `warp`, of the CTA in `slot`, has executed a BAR at `now`. `defers`: it goes on to the next instruction that
  /// waits.
  void arrive(WarpContext& warp, CtaSlot& slot, const isa::ExecuteResult& result, bool defers, Cycle now);
  /// A warp of the CTA in place `number` has exited: barriers may be complete without it.
  void warp_exits(int number, CtaSlot& slot, Cycle now);
  void reset() { free_ = 0; }

 private:
  void open_if_complete(int number, CtaSlot& slot, std::size_t id, Cycle taken);

  const IssueParams params_;
  EventQueue& events_;
  Cycle free_ = 0;  // when it can take the next arrival
};

}  // namespace stc::sm
