// SPDX-License-Identifier: Apache-2.0
// Models:   who reads shared memory while warpgroups' matrix instructions read their operands there: these go first,
//           others get the cycles between, of which loads need more than one for a wavefront.
// Evidence: configs/gpus/h200.yaml, sm.warpgroup: loads and stores of four warps beside chains of 64 to 256 columns
//           (measured/h200/wgmma_beside.csv).
// Abstracts: in which cycles of an instruction its operands are read: they are spread evenly over its time.
// Timing:   who would find no cycle for too long is told so (DataStage serves him then).
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>

#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class OperandSchedule {
 public:
  enum class Access : std::uint8_t { kLoad, kStore, kOther };
  explicit OperandSchedule(const WarpgroupParams& params) : params_(params) {}

  /// An instruction reads operands in `reads` of the cycles from `begin` to `end`, which are behind those of the one
  /// before. `registers`: A is there.
  void add(Cycle begin, Cycle end, Cycle reads, bool registers = false) {
    if (begin >= end || reads == 0) return;
    instructions_.push_back({begin, end, end - begin - std::min(reads, end - begin), registers});
  }
  /// When `cycles` of work are done in free cycles, which can begin at `now`, which does not go back; kNever if that is
  /// not before `at_most`.
  Cycle behind(Cycle now, Cycle cycles, Access access, Cycle at_most) {
    while (!instructions_.empty() && instructions_.front().end <= now) instructions_.pop_front();
    if (instructions_.empty()) return now + cycles;
    // Who follows at once begins where the one before has ended within the cycle.
    const double from = std::ceil(exact_) == since_origin(now) ? exact_ : since_origin(now);
    const double end = done(from, static_cast<double>(cycles), access, at_most);
    if (end >= since_origin(at_most)) return kNever;
    exact_ = end;
    return origin_ + static_cast<Cycle>(std::ceil(exact_));
  }
  /// The first cycle from `now` on that is free; no later than `at_most`.
  Cycle gap_from(Cycle now, Cycle at_most) const {
    const double end = done(since_origin(now), 1, Access::kOther, at_most);
    return std::min(origin_ + static_cast<Cycle>(std::ceil(end)) - 1, at_most);
  }
  /// Fractions of cycles are counted from `origin` on, so that a launch does not depend on when it begins.
  void reset(Cycle origin) {
    instructions_.clear();
    exact_ = 0;
    origin_ = origin;
  }

 private:
  struct Instruction {
    Cycle begin, end;
    Cycle free;  ///< cycles in which it reads nothing
    bool registers;
  };
  /// Free cycles that a wavefront needs.
  double turns(const Instruction& beside, Access access) const {
    if (access == Access::kLoad) return beside.registers ? params_.register_load_turns : params_.load_turns;
    return access == Access::kStore && beside.registers ? params_.register_store_turns : 1;
  }
  double since_origin(Cycle cycle) const { return static_cast<double>(cycle - origin_); }
  double done(double at, double left, Access access, Cycle at_most) const {
    for (const Instruction& one : instructions_) {
      const double begin = since_origin(one.begin), end = since_origin(one.end);
      if (at >= end) continue;
      if (at + left <= begin || at >= since_origin(at_most)) break;
      if (at < begin) left -= begin - at, at = begin;
      const auto free = static_cast<double>(one.free);
      const double each = turns(one, access), passed = (at - begin) * free / (end - begin);
      if (free - passed >= left * each) {
        if (left > 0) at = begin + (passed + left * each) * (end - begin) / free;
        return at;
      }
      left -= (free - passed) / each;
      at = end;
    }
    return at + left;
  }

  const WarpgroupParams& params_;
  std::deque<Instruction> instructions_;
  double exact_ = 0;  ///< when the work before was done, from the origin on
  Cycle origin_ = 0;
};

}  // namespace stc::sm
