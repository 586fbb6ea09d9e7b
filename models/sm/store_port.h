// SPDX-License-Identifier: Apache-2.0
// Models:   the port by which data of stores and atomics leave the SM for L2.
// Evidence: configs/gpus/*.yaml, sm.lsu.store_*; micro_rate_*.
// Abstracts: flits of a packet.
// Timing:   what is sent leaves one after the other; the crossbar may hold it up.
#pragma once

#include <algorithm>

#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class StorePort {
 public:
  explicit StorePort(const LsuParams& params) : queue_(static_cast<Cycle>(params.store_queue_cycles)) {}

  /// Sends what takes `cycles` from `now` on; returns when it has left.
  Cycle send(Cycle now, int cycles) {
    free_ = std::max(free_, now) + static_cast<Cycle>(cycles);
    return free_;
  }
  /// When what comes at `now` begins to leave.
  Cycle begin(Cycle now) const { return std::max(free_, now); }
  /// When all that was sent has left.
  Cycle free_from() const { return free_; }
  /// What was sent waits until `cycle`.
  void hold(Cycle cycle) { free_ = std::max(free_, cycle); }
  /// From when on there is room for more.
  Cycle room_from() const { return free_ > queue_ ? free_ - queue_ : 0; }
  void reset() { free_ = 0; }

 private:
  const Cycle queue_;
  Cycle free_ = 0;
};

}  // namespace stc::sm
