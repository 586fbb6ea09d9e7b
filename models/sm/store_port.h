// SPDX-License-Identifier: Apache-2.0
// Models:   the port by which data of stores and atomics leave the SM for L2, and the lines of stores that wait for it.
// Evidence: configs/gpus/*.yaml, sm.lsu.store_*; micro_rate_*; h200/stores_repeated.csv: warps that store to the same 16
//           lines again and again do so at 2 cycles a line, to 32 lines and more at the port's 4.
// Abstracts: flits of a packet; the two cycles of the SM that a line which joins takes at the least on an H200.
// Timing:   what is sent leaves one after the other; the crossbar may hold it up. A store to sectors of a line that waits
//           joins it.
#pragma once

#include <algorithm>

#include "models/memory/line_request.h"
#include "models/sm/event_queue.h"
#include "models/sm/ring_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class StorePort {
 public:
  explicit StorePort(const LsuParams& params)
      : queue_(static_cast<Cycle>(params.store_queue_cycles)),
        lines_(static_cast<std::size_t>(params.store_lines)),
        bytes_per_cycle_(params.store_bytes_per_cycle) {}

  /// Sends what takes `cycles` from `now` on; returns when it has left.
  Cycle send(Cycle now, int cycles) {
    free_ = std::max(free_, now) + static_cast<Cycle>(cycles);
    return free_;
  }
  /// Sends sectors of a line. Those of them that wait already are taken out of `sectors`; returns when all have left.
  Cycle send_line(Cycle now, std::uint64_t line, std::uint8_t& sectors) {
    for (; !waiting_.empty() && waiting_.front().left <= now; waiting_.pop_front()) {
    }
    if (free_ <= now) left_ = 0;
    Cycle last = now;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i].line != line || (sectors & waiting_[i].sectors) == 0) continue;
      sectors = static_cast<std::uint8_t>(sectors & ~waiting_[i].sectors);
      last = waiting_[i].left;
    }
    if (sectors == 0) return last;
    // Parts of a cycle add up over lines.
    left_ += memory::sector_count(sectors) * static_cast<int>(memory::kSectorBytes);
    waiting_.push_back({line, sectors, send(now, left_ / bytes_per_cycle_)});
    left_ %= bytes_per_cycle_;
    return waiting_.back().left;
  }
  /// When what comes at `now` begins to leave.
  Cycle begin(Cycle now) const { return std::max(free_, now); }
  /// When all that was sent has left.
  Cycle free_from() const { return free_; }
  /// What was sent waits until `cycle`.
  void hold(Cycle cycle) {
    if (cycle <= free_) return;
    for (std::size_t i = 0; i < waiting_.size(); ++i) waiting_[i].left += cycle - free_;
    free_ = cycle;
  }
  /// From when on there is room for more of what is no line of a store.
  Cycle room_from() const { return free_ > queue_ ? free_ - queue_ : 0; }
  /// The same for a line of a store.
  Cycle line_room_from() const { return waiting_.size() < lines_ ? 0 : waiting_[waiting_.size() - lines_].left; }
  void reset() {
    free_ = 0;
    left_ = 0;
    waiting_ = {};
  }

 private:
  struct Line {
    std::uint64_t line = 0;
    std::uint8_t sectors = 0;
    Cycle left = 0;  // when it has
  };
  const Cycle queue_;
  const std::size_t lines_;
  const int bytes_per_cycle_;
  Cycle free_ = 0;
  int left_ = 0;             // bytes
  RingQueue<Line> waiting_;  // oldest first
};

}  // namespace stc::sm
