// SPDX-License-Identifier: Apache-2.0
// Models:   who reads shared memory while warpgroups' matrix instructions read their operands there: these go first,
//           others get the cycles between.
// Evidence: configs/gpus/h200.yaml, sm.warpgroup.patience: stores of four warps beside chains of 16 to 256 columns
//           (measured/h200/wgmma_beside.csv).
// Abstracts: in which cycles of an instruction its operands are read: they are spread evenly over its time. What others
//           take by force delays no instruction (1 to 5 % on an H200).
// Timing:   who finds no cycle for so long is served all the same.
#pragma once

#include <algorithm>
#include <deque>

#include "models/sm/event_queue.h"

namespace stc::sm {

class OperandSchedule {
 public:
  explicit OperandSchedule(int patience) : patience_(static_cast<Cycle>(patience)) {}

  /// An instruction reads operands in `reads` of the cycles from `begin` to `end`, which are behind those of the one
  /// before.
  void add(Cycle begin, Cycle end, Cycle reads) {
    if (begin < end && reads != 0) instructions_.push_back({begin, end, end - begin - std::min(reads, end - begin)});
  }
  /// When `cycles` of work are done that can begin at `now`, which does not go back.
  Cycle behind(Cycle now, Cycle cycles) {
    while (!instructions_.empty() && instructions_.front().end <= now) instructions_.pop_front();
    const Cycle at_most = now + patience_ + cycles;
    Cycle at = now, left = cycles;
    for (const Instruction& one : instructions_) {
      if (at + left <= one.begin || at >= at_most) break;
      if (at < one.begin) left -= one.begin - at, at = one.begin;
      const Cycle length = one.end - one.begin, passed = ((at - one.begin) * one.free + length - 1) / length;
      if (one.free - passed >= left) {
        // Free cycle i is the last before i + 1 parts of `free` of the time are over.
        return std::min(at_most, one.begin + ((passed + left) * length + one.free - 1) / one.free);
      }
      left -= one.free - passed;
      at = one.end;
    }
    return std::min(at_most, at + left);
  }
  void reset() { instructions_.clear(); }

 private:
  struct Instruction {
    Cycle begin, end;
    Cycle free;  ///< cycles in which it reads nothing
  };
  const Cycle patience_;
  std::deque<Instruction> instructions_;
};

}  // namespace stc::sm
