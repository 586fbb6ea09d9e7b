// SPDX-License-Identifier: Apache-2.0
// Models:   the tensor cores of an SM at a warpgroup's matrix instruction, which they work on together.
// Evidence: configs/gpus/h200.yaml, sm.warpgroup: chains of 8 to 256 columns, one to four warpgroups
//           (measured/h200/wgmma_times.csv).
// Abstracts: which part of an instruction each tensor core has.
// Timing:   an instruction begins when all four warps have issued it and the one before has let go; see WarpgroupTiming.
//           What others take of shared memory by force (data_stage.h) and what copies write there delays the next one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/issue_info.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

constexpr int kWarpsOfGroup = 4;

class WarpgroupUnit {
 public:
  WarpgroupUnit(const WarpgroupParams& params, int warp_slots)
      : landed_cycles_(params.landed_cycles), issued_(static_cast<std::size_t>(warp_slots) + kWarpsOfGroup, 0) {}

  struct Work {
    Cycle begin, end;  ///< between which operands are read and products summed
    Cycle known;       ///< when a wait for it ends
  };
  /// The warp of slot `first` + `warp`, `warp` of a group, issues an instruction; all four issue the same ones. The
  /// last of them learns when it is worked on.
  std::optional<Work> issue(int first, int warp, const WarpgroupTiming& timing, Cycle now) {
    const auto group = issued_.begin() + first;
    const auto complete = [&] { return *std::min_element(group, group + kWarpsOfGroup); };
    const std::uint64_t before = complete();
    ++group[warp];
    if (complete() == before) return std::nullopt;
    const Cycle begin = std::max(now, free_);
    free_ = begin + timing.interval;
    return Work{begin, free_, begin + timing.latency};
  }
  /// Until when those that were issued keep it busy.
  Cycle busy_until() const { return free_; }
  /// Cycles, in whole ones, that instructions lose to `lines` of copies which have been written to shared memory since
  /// the one before `timing` was issued. Where operands are read in nearly every cycle each costs some, but for as many
  /// as an instruction takes cycles to read A.
  Cycle lost_to_copies(int lines, const WarpgroupTiming& timing) {
    constexpr int kMostInstructions = 4, kNearly = 50;  // all but one in so many
    if ((timing.interval - timing.reads) * kNearly > timing.interval) {
      lines_ = 0;
      return 0;
    }
    lines_ = std::max(lines_ + lines - timing.reads_a, -timing.reads_a * kMostInstructions);
    if (lines_ <= 0) return 0;
    lost_ += lines_ * landed_cycles_;
    lines_ = 0;
    const auto whole = static_cast<Cycle>(lost_);
    lost_ -= static_cast<double>(whole);
    return whole;
  }
  /// Instructions that are issued from now on begin `cycles` later: others have taken what the ones before them read
  /// by.
  void delay(Cycle cycles) { free_ += cycles; }
  void reset() {
    std::fill(issued_.begin(), issued_.end(), 0);
    free_ = 0;
    lines_ = 0;
    lost_ = 0;
  }

 private:
  const double landed_cycles_;
  std::vector<std::uint64_t> issued_;  ///< instructions, by warp slot
  Cycle free_ = 0;
  int lines_ = 0;    ///< of copies; negative: what of reads of A is left for more
  double lost_ = 0;  ///< the part of a cycle
};

}  // namespace stc::sm
