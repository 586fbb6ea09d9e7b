// SPDX-License-Identifier: Apache-2.0
// Models:   where lines that copies (TMA) bring enter an SM's shared memory: one queue for each slice of L2.
// Evidence: measured/h200/multicast.csv: of copies that follow one another, the last is complete when all lines have
//           passed at bytes_per_cycle, the first ones late: lines of later copies pass theirs.
// Abstracts: queues beyond 64, which slices share; that a line for several SMs needs the ports of all of them at once;
//           which of those that come to a queue together is first.
// Timing:   lines that have come are written one after the other, at bytes_per_cycle; the queues take turns.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "models/memory/line_request.h"
#include "models/sm/event_queue.h"
#include "models/sm/ring_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

/// A line on its way to shared memory.
struct LandingLine {
  Cycle here = 0;            ///< when it has come to the port
  std::uint32_t copy = 0;    ///< this SM's, to which it belongs
  std::uint16_t slice = 0;   ///< of L2, from which it comes
  std::uint8_t sectors = 0;  ///< how many
  std::uint8_t source = 0;   ///< 0: a copy of this SM, else the rank, and one, of the CTA whose copy it is
};

class LandingPort {
 public:
  explicit LandingPort(const BulkParams& params) : bytes_per_cycle_(params.bytes_per_cycle) {}

  void add(const LandingLine& line) {
    assert(line.here >= settled_ && "what is here before the end of a window is known when it is written");
    coming_.push_back({line, order_++});
    soonest_ = std::min(soonest_, line.here);
  }
  /// Calls each(copy, cycle) for all lines of this SM's copies that are written from before cycle `end` on. No line may
  /// come later that is here before `end`.
  template <class Each>
  void write(Cycle end, const Each& each) {
    settled_ = std::max(settled_, end);
    if (soonest_ < end) put_in_order(end);
    while (true) {
      if (waiting_ == 0) {
        if (first_ == ordered_.size()) return;
        free_ = std::max(free_, static_cast<double>(ordered_[first_].here - origin_));
      }
      const Cycle now = origin_ + static_cast<Cycle>(free_);
      if (now >= end) return;
      while (first_ != ordered_.size() && ordered_[first_].here <= now) take_in();
      const LandingLine line = next_line();
      if (line.source == 0) each(line.copy, now);
      if (written_.size() == kRemembered) written_.pop_front();
      written_.push_back(now);
      free_ += line.sectors * memory::kSectorBytes / bytes_per_cycle_;
    }
  }
  /// How many lines were written before `now`, while something else went on until `busy_until`, since this was asked
  /// last.
  int written_beside(Cycle now, Cycle busy_until) {
    int lines = 0;
    for (; !written_.empty() && written_.front() < now; written_.pop_front()) lines += written_.front() < busy_until;
    return lines;
  }
  /// When write() has something to do next, kNever if nothing is on its way.
  Cycle next() const {
    const Cycle free = origin_ + static_cast<Cycle>(free_);
    if (waiting_ != 0) return free;
    const Cycle here = first_ != ordered_.size() ? ordered_[first_].here : soonest_;
    return here == kNever ? kNever : std::max(free, here);
  }
  /// Fractions of cycles are counted from `origin` on, so that a launch does not depend on when it begins.
  void reset(Cycle origin) {
    origin_ = origin;
    coming_.clear();
    ordered_.clear();
    first_ = 0;
    soonest_ = kNever;
    for (RingQueue<LandingLine>& queue : lines_) queue = {};
    written_ = {};
    waiting_ = 0;
    turn_ = 0;
    free_ = 0;
    settled_ = 0;
    order_ = 0;
  }

 private:
  static constexpr std::size_t kRemembered = 4096;  // lines that were written: more than come during an instruction
  static constexpr unsigned kQueues = 64;           // of so many slices each has its own; an H200's partition has fewer
  struct Coming {
    LandingLine line;
    std::uint64_t order = 0;
  };
  /// Whoever of two SMs has told of its line first: those of this one, then by rank.
  static bool sooner(const Coming& a, const Coming& b) {
    if (a.line.here != b.line.here) return a.line.here < b.line.here;
    return a.line.source != b.line.source ? a.line.source < b.line.source : a.order < b.order;
  }
  /// Those that are here before `end`, which no other one comes before any more.
  void put_in_order(Cycle end) {
    const auto due =
        std::partition(coming_.begin(), coming_.end(), [end](const Coming& one) { return one.line.here >= end; });
    std::sort(due, coming_.end(), sooner);
    ordered_.erase(ordered_.begin(), ordered_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
    for (auto one = due; one != coming_.end(); ++one) ordered_.push_back(one->line);
    coming_.erase(due, coming_.end());
    soonest_ = kNever;
    for (const Coming& one : coming_) soonest_ = std::min(soonest_, one.line.here);
  }
  void take_in() {
    const LandingLine& line = ordered_[first_++];
    const unsigned queue = line.slice % kQueues;
    lines_[queue].push_back(line);
    waiting_ |= std::uint64_t{1} << queue;
  }
  /// The first of the next queue that has any.
  LandingLine next_line() {
    const std::uint64_t behind = turn_ < kQueues ? waiting_ >> turn_ << turn_ : 0;
    const auto queue = static_cast<unsigned>(__builtin_ctzll(behind != 0 ? behind : waiting_));
    RingQueue<LandingLine>& lines = lines_[queue];
    const LandingLine line = lines.front();
    lines.pop_front();
    if (lines.empty()) waiting_ &= ~(std::uint64_t{1} << queue);
    turn_ = queue + 1;
    return line;
  }

  const double bytes_per_cycle_;
  std::vector<Coming> coming_;        // in no order
  Cycle soonest_ = kNever;            // the first of them is here
  std::vector<LandingLine> ordered_;  // from first_ on: those that have come and those that come next, in their order
  std::size_t first_ = 0;
  std::array<RingQueue<LandingLine>, kQueues> lines_;
  RingQueue<Cycle> written_;   // when the latest lines were
  std::uint64_t waiting_ = 0;  // bit per queue: it has lines
  unsigned turn_ = 0;          // the queue whose turn is next
  double free_ = 0;            // when the next line can be written, from the origin on
  Cycle origin_ = 0;
  Cycle settled_ = 0;  // no line comes any more that is here before it
  std::uint64_t order_ = 0;
};

}  // namespace stc::sm
