// SPDX-License-Identifier: Apache-2.0
// Models:   the tensor cores of an SM at a warpgroup's matrix instruction, which they work on together.
// Evidence: configs/gpus/h200.yaml, sm.warpgroup: chains of 8 to 256 columns, one to four warpgroups
//           (measured/h200/wgmma_times.csv).
// Abstracts: which part of an instruction each tensor core has.
// Timing:   an instruction begins when all four warps have issued it and the one before has let go; see WarpgroupTiming.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/issue_info.h"

namespace stc::sm {

constexpr int kWarpsOfGroup = 4;

class WarpgroupUnit {
 public:
  explicit WarpgroupUnit(int warp_slots) : issued_(static_cast<std::size_t>(warp_slots) + kWarpsOfGroup, 0) {}

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
  void reset() {
    std::fill(issued_.begin(), issued_.end(), 0);
    free_ = 0;
  }

 private:
  std::vector<std::uint64_t> issued_;  ///< instructions, by warp slot
  Cycle free_ = 0;
};

}  // namespace stc::sm
