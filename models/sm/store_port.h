// SPDX-License-Identifier: Apache-2.0
// Models:   the port by which data of stores and atomics leave the SM for L2, the lines of stores that wait for it, and
//           before them the queue of stores whose lines have not come to that.
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
        wavefronts_(params.store_queue_wavefronts),
        bytes_per_cycle_(params.store_bytes_per_cycle),
        partial_packets_(params.partial_store_packets) {}

  /// Sends what takes `cycles` from `now` on; returns when it has left.
  Cycle send(Cycle now, int cycles) {
    free_ = std::max(free_, now) + static_cast<Cycle>(cycles);
    return free_;
  }
  /// Sends sectors of a line, of which a store fills those in `partial` partly. Those that wait already are taken out
  /// of `sectors`; returns when all have left.
  Cycle send_line(Cycle now, std::uint64_t line, std::uint8_t& sectors, std::uint8_t partial) {
    for (; !waiting_.empty() && waiting_.front().left <= now; waiting_.pop_front()) {
    }
    if (free_ <= now) left_ = 0;
    Cycle last = now;
    for (std::size_t i = waiting_.size() - std::min(lines_, waiting_.size()); i < waiting_.size(); ++i) {
      if (waiting_[i].line != line || (sectors & waiting_[i].sectors) == 0) continue;
      sectors = static_cast<std::uint8_t>(sectors & ~waiting_[i].sectors);
      last = waiting_[i].left;
    }
    if (sectors == 0) return last;
    // Parts of a cycle add up over lines.
    const int packets = memory::sector_count(sectors) + more_packets(sectors, partial);
    left_ += packets * static_cast<int>(memory::kSectorBytes);
    waiting_.push_back({line, sectors, send(now, left_ / bytes_per_cycle_)});
    left_ %= bytes_per_cycle_;
    return waiting_.back().left;
  }
  /// Packets of data beside one for each sector.
  int more_packets(std::uint8_t sectors, std::uint8_t partial) const {
    return (partial_packets_ - 1) * memory::sector_count(static_cast<std::uint8_t>(sectors & partial));
  }
  /// The lines of a store that has been served at `now` have been sent: it is in the queue until the last of them is
  /// among those that wait for the port.
  void queue_store(Cycle now, int wavefronts) {
    const bool waits = waiting_.size() > lines_;
    queue(now, waits ? waiting_[waiting_.size() - 1 - lines_].left : now, wavefronts);
  }
  /// The same for a reduction, which takes the port for as long as a line or longer.
  void queue_reduction(Cycle now, int wavefronts) {
    const Cycle ahead = lines_ * memory::kLineBytes / static_cast<Cycle>(bytes_per_cycle_);
    queue(now, free_ > ahead ? free_ - ahead : 0, wavefronts);
  }
  /// From when on the queue has room for wavefronts of data.
  Cycle queue_room_from(int wavefronts) const {
    int used = used_ + wavefronts;
    Cycle from = 0;
    for (std::size_t i = 0; used > wavefronts_ && i < stores_.size(); ++i) {
      used -= stores_[i].wavefronts;
      from = stores_[i].through;
    }
    return from;
  }
  /// When what comes at `now` begins to leave.
  Cycle begin(Cycle now) const { return std::max(free_, now); }
  /// When all that was sent has left.
  Cycle free_from() const { return free_; }
  /// What was sent waits until `cycle`.
  void hold(Cycle cycle) {
    if (cycle <= free_) return;
    for (std::size_t i = 0; i < waiting_.size(); ++i) waiting_[i].left += cycle - free_;
    for (std::size_t i = 0; i < stores_.size(); ++i) stores_[i].through += cycle - free_;
    free_ = cycle;
  }
  /// From when on there is room for more of what neither of them is.
  Cycle room_from() const { return free_ > queue_ ? free_ - queue_ : 0; }
  void reset() {
    free_ = 0;
    left_ = 0;
    waiting_ = {};
    stores_ = {};
    used_ = 0;
  }

 private:
  struct Line {
    std::uint64_t line = 0;
    std::uint8_t sectors = 0;
    Cycle left = 0;  // when it has
  };
  struct Store {
    Cycle through = 0;  // when its last line is among those that wait
    int wavefronts = 0;
  };
  void queue(Cycle now, Cycle through, int wavefronts) {
    for (; !stores_.empty() && stores_.front().through <= now; stores_.pop_front()) used_ -= stores_.front().wavefronts;
    if (through <= now) return;
    stores_.push_back({through, wavefronts});
    used_ += wavefronts;
  }

  const Cycle queue_;
  const std::size_t lines_;
  const int wavefronts_;
  const int bytes_per_cycle_;
  const int partial_packets_;
  Cycle free_ = 0;
  int left_ = 0;             // bytes
  RingQueue<Line> waiting_;  // oldest first
  RingQueue<Store> stores_;  // in the queue, oldest first
  int used_ = 0;             // their wavefronts
};

}  // namespace stc::sm
