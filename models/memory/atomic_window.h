// SPDX-License-Identifier: Apache-2.0
// Models:   how many packets of atomics one SM may have waiting for slices of L2.
// Evidence: micro_rate_red_*: how much sooner than at the slices' rate the last of 128 passes is sent.
// Abstracts: where they wait.
// Timing:   one more than there is room for is sent when the oldest of them are done.
#pragma once

#include <deque>
#include <utility>

#include "models/core/time_base.h"

namespace stc::memory {

class AtomicWindow {
 public:
  explicit AtomicWindow(int packets) : room_(packets) {}
  void reset() {
    waiting_.clear();
    count_ = 0;
  }
  /// `packets` that are done at `done` join at `now`; returns from when on there is room for more.
  Tick add(int packets, Tick now, Tick done) {
    while (!waiting_.empty() && waiting_.front().first <= now) leave();
    waiting_.emplace_back(done, packets);
    count_ += packets;
    Tick from = now;
    for (; count_ > room_ && !waiting_.empty(); leave()) from = waiting_.front().first;
    return from;
  }

 private:
  void leave() {
    count_ -= waiting_.front().second;
    waiting_.pop_front();
  }

  int room_;
  int count_ = 0;
  std::deque<std::pair<Tick, int>> waiting_;  // when they are done, how many
};

}  // namespace stc::memory
