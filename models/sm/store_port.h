// SPDX-License-Identifier: Apache-2.0
// Models:   the port by which data of stores and atomics leave the SM for L2, the lines that take further stores
//           (write-combining buffer), and before them the queue of stores whose lines have not come to that.
// Evidence: configs/gpus/*.yaml, sm.lsu.store_*; h200/stores.csv; h200/stores_repeated.csv, stores_joined.csv: warps that
//           store to the same 16 lines again and again do so at one cycle a line, to 32 lines and more as the port
//           sends.
// Abstracts: flits of a packet; a line's first sectors are sent when they come, not when no more can join them, and what
//           says which words are stored with the next ones: of the last lines nothing does.
// Timing:   what is sent leaves one after the other; the crossbar may hold it up. A store to one of the last lines joins
//           what was stored there, as long as stores come without a pause or the line waits for the port: L2 looks it
//           up once, and of a sector that both fill one packet leaves. What says which words of a line's sectors are
//           stored leaves behind that, with the next sectors that do.
#pragma once

#include <algorithm>

#include "models/memory/line_request.h"
#include "models/sm/event_queue.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/ring_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class StorePort {
 public:
  explicit StorePort(const LsuParams& params)
      : queue_(static_cast<Cycle>(params.store_queue_cycles)),
        most_lines_(static_cast<std::size_t>(params.store_lines)),
        wavefronts_(params.store_queue_wavefronts),
        bytes_per_cycle_(params.store_bytes_per_cycle),
        mask_packets_(params.store_mask_packets),
        join_cycles_(params.store_join_cycles),
        pause_(static_cast<Cycle>(params.store_pause_cycles)) {}

  /// What a store sends of a line.
  struct Sent {
    std::uint8_t sectors = 0;  ///< none: what is stored goes with what was stored before
    int more_packets = 0;      ///< that say which words of lines are stored
    bool joins = false;        ///< what was sent of the line before
    Cycle left = 0;            ///< when all has
  };

  /// Sends what takes `cycles` from `now` on; returns when it has left.
  Cycle send(Cycle now, int cycles) {
    free_ = std::max(free_, now) + static_cast<Cycle>(cycles);
    return free_;
  }
  /// Sends what a store puts into a line.
  Sent send_line(Cycle now, const LineAccess& access) {
    for (; !waiting_.empty() && waiting_.front() <= now; waiting_.pop_front()) {
    }
    if (free_ <= now) left_ = 0;
    if (now > last_ + pause_) {
      while (!lines_.empty() && lines_.front().left <= now) close();
    }
    last_ = now;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].line == access.line) return join(now, access, lines_[i]);
    }
    if (lines_.size() == most_lines_) close();
    lines_.push_back({access.line, access.words, access.sectors, 0});
    Sent sent;
    sent.sectors = access.sectors;
    leave(now, 0, sent);
    lines_.back().left = sent.left;
    return sent;
  }
  /// The lines of a store that has been served at `now` have been sent: it is in the queue until the last of them is
  /// among those that wait for the port.
  void queue_store(Cycle now, int wavefronts) {
    const bool waits = waiting_.size() > most_lines_;
    queue(now, waits ? waiting_[waiting_.size() - 1 - most_lines_] : now, wavefronts);
  }
  /// The same for a reduction, which takes the port for as long as a line or longer.
  void queue_reduction(Cycle now, int wavefronts) {
    const Cycle ahead = most_lines_ * memory::kLineBytes / static_cast<Cycle>(bytes_per_cycle_);
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
    for (std::size_t i = 0; i < waiting_.size(); ++i) waiting_[i] += cycle - free_;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].left > last_) lines_[i].left += cycle - free_;
    }
    for (std::size_t i = 0; i < stores_.size(); ++i) stores_[i].through += cycle - free_;
    free_ = cycle;
  }
  /// From when on there is room for more of what neither of them is.
  Cycle room_from() const { return free_ > queue_ ? free_ - queue_ : 0; }
  void reset() {
    free_ = 0;
    left_ = 0;
    last_ = 0;
    masks_ = 0;
    waiting_ = {};
    lines_ = {};
    stores_ = {};
    used_ = 0;
  }

 private:
  /// That takes further stores.
  struct Line {
    std::uint64_t line = 0;
    std::uint32_t words = 0;
    std::uint8_t sectors = 0;
    Cycle left = 0;  // when what was sent last has
  };
  struct Store {
    Cycle through = 0;  // when its last line is among those that wait
    int wavefronts = 0;
  };
  Sent join(Cycle now, const LineAccess& access, Line& line) {
    Sent sent;
    sent.joins = true;
    sent.sectors = static_cast<std::uint8_t>(access.sectors & ~line.sectors);
    line.words |= access.words;
    line.sectors |= access.sectors;
    leave(now, join_cycles_, sent);
    line.left = sent.left;
    return sent;
  }
  /// The oldest line takes no more.
  void close() {
    constexpr std::uint32_t kWords = 0xff;  // of a sector
    std::uint32_t whole = 0;
    for (unsigned sector = 0; sector < 4; ++sector)
      whole |= (lines_.front().sectors >> sector & 1) * kWords << 8 * sector;
    if ((whole & ~lines_.front().words) != 0) masks_ += mask_packets_;
    lines_.pop_front();
  }
  /// What is sent goes through the port, with the masks of lines that take no more; parts of a cycle add up over lines.
  void leave(Cycle now, int least, Sent& sent) {
    const int sectors = memory::sector_count(sent.sectors);
    if (sectors != 0) sent.more_packets = std::min(masks_, memory::kMostPackets - sectors);
    masks_ -= sent.more_packets;
    left_ += (sectors + sent.more_packets) * static_cast<int>(memory::kSectorBytes);
    sent.left = send(now, std::max(least, left_ / bytes_per_cycle_));
    left_ %= bytes_per_cycle_;
    waiting_.push_back(sent.left);
  }
  void queue(Cycle now, Cycle through, int wavefronts) {
    for (; !stores_.empty() && stores_.front().through <= now; stores_.pop_front()) used_ -= stores_.front().wavefronts;
    if (through <= now) return;
    stores_.push_back({through, wavefronts});
    used_ += wavefronts;
  }

  const Cycle queue_;
  const std::size_t most_lines_;
  const int wavefronts_;
  const int bytes_per_cycle_;
  const int mask_packets_, join_cycles_;
  const Cycle pause_;
  Cycle free_ = 0;
  int left_ = 0;              // bytes
  Cycle last_ = 0;            // when a store came
  int masks_ = 0;             // packets that nothing has taken along
  RingQueue<Line> lines_;     // that take further stores, oldest first
  RingQueue<Cycle> waiting_;  // when what waits for the port will have left
  RingQueue<Store> stores_;   // in the queue, oldest first
  int used_ = 0;              // their wavefronts
};

}  // namespace stc::sm
