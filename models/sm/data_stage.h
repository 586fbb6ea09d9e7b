// SPDX-License-Identifier: Apache-2.0
// Models:   the data array that L1 and shared memory share (l1tex data stage): one 128-byte wavefront a cycle for the
//           whole SM, and one every other cycle for a warp's loads and for a sub-core's stores.
// Evidence: conflict sweeps on an H200 (micro_shared lds_rate, ldsm_rate, sts): one warp and two warps on two sub-cores
//           pay two cycles per wavefront each, four sub-cores together reach one wavefront a cycle; so do four warps of
//           one sub-core that load (blocks of LDSM and LDS, one sub-core: 256 LDSM of four matrices take 1120 cycles).
// Abstracts: which banks are read; the order of wavefronts of different sub-cores.
// Timing:   the accesses of a way, which is a warp's or a sub-core's, follow one another; all together are held to the
//           common rate, and to what operands of warpgroups' matrix instructions leave of it (operand_schedule.h). Who
//           finds nothing left is served after a while, each way for itself, and the matrix instructions lose it.
#pragma once

#include <algorithm>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/operand_schedule.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class DataStage {
 public:
  DataStage(const LsuParams& params, const WarpgroupParams& warpgroup, int ways)
      : warpgroup_(warpgroup),
        operands_(warpgroup),
        width_(params.data_width_bytes),
        own_interval_(static_cast<Cycle>(params.own_wavefront_interval)),
        interval_(static_cast<Cycle>(params.wavefront_interval)),
        own_free_(static_cast<std::size_t>(ways), 0),
        forced_(static_cast<std::size_t>(ways), 0) {}

  /// Takes `wavefronts` wavefronts for `way` from `now` on; returns the cycle after the last of them. `idle` turns
  /// behind them keep others waiting, `parts` of the access, each of which takes its way as long as a wavefront does,
  /// what comes the same way.
  Cycle reserve(Cycle now, int way, int wavefronts, int idle = 0,
                OperandSchedule::Access access = OperandSchedule::Access::kOther, int parts = 0) {
    const auto count = static_cast<Cycle>(std::max(1, (wavefronts * kWavefrontBytes + width_ - 1) / width_));
    Cycle& own = own_free_[static_cast<std::size_t>(way)];
    const Cycle start = std::max(now, own);
    Cycle& forced = forced_[static_cast<std::size_t>(way)];
    const Cycle at_most = patience_ends(now, forced, count, access);
    const Cycle in_turn = take(now, count * interval_, access, at_most);
    if (in_turn == at_most) forced = at_most;
    const Cycle end = std::max(start + (count - 1) * own_interval_ + 1, in_turn);
    own = std::max(start + std::max(count, static_cast<Cycle>(parts)) * own_interval_, end) +
          static_cast<Cycle>(idle) * own_interval_;
    shared_free_ += static_cast<Cycle>(idle) * interval_;
    return end;
  }
  /// An instruction without data takes its turn: as many cycles as `wavefronts` take.
  void pass(Cycle now, int wavefronts) {
    const Cycle cycles = static_cast<Cycle>(wavefronts) * interval_;
    take(now, cycles, OperandSchedule::Access::kOther, now + static_cast<Cycle>(warpgroup_.store_patience) + cycles);
  }
  /// When an mbarrier, which lies in shared memory, can be seen to at `now`.
  Cycle mbarrier_from(Cycle now) {
    const Cycle at_most = now + static_cast<Cycle>(warpgroup_.mbarrier_patience);
    const Cycle from = operands_.gap_from(now, at_most);
    if (from == at_most) forced_cycles_ += warpgroup_.forced_cycles;
    return from;
  }
  /// What accesses have taken of the time of matrix instructions, in whole cycles, since this was asked last.
  Cycle forced_cycles() {
    const auto whole = static_cast<Cycle>(forced_cycles_);
    forced_cycles_ -= static_cast<double>(whole);
    return whole;
  }
  /// Operands of warpgroups' matrix instructions, which go first.
  OperandSchedule& operands() { return operands_; }
  /// Writes rows that arrive from L2 from `now` on, in cycles that no access needs; returns the cycle after the last.
  Cycle fill(Cycle now, int wavefronts) {
    fill_free_ = std::max(fill_free_, now) + static_cast<Cycle>(wavefronts) * interval_;
    return fill_free_;
  }
  /// From when on less than `cycles` of work wait.
  Cycle backlog_below(Cycle cycles) const { return shared_free_ >= cycles ? shared_free_ - cycles + 1 : 0; }
  /// From when on less than that of `way` waits.
  Cycle own_backlog_below(int way, Cycle cycles) const {
    const Cycle free = own_free_[static_cast<std::size_t>(way)];
    return free >= cycles ? free - cycles + 1 : 0;
  }
  void reset(Cycle origin) {
    shared_free_ = fill_free_ = 0;
    forced_cycles_ = 0;
    operands_.reset(origin);
    std::fill(own_free_.begin(), own_free_.end(), 0);
    std::fill(forced_.begin(), forced_.end(), 0);
  }

 private:
  static constexpr int kWavefrontBytes = 128;
  /// When the last of `count` wavefronts of a way that come at `now` is served even if operands are read all the time;
  /// `before`: when the way's last one was that was.
  Cycle patience_ends(Cycle now, Cycle before, Cycle count, OperandSchedule::Access access) const {
    if (access == OperandSchedule::Access::kStore) {
      return std::max(now, before) + count * static_cast<Cycle>(warpgroup_.store_patience);
    }
    const auto next = static_cast<Cycle>(warpgroup_.next_patience);
    return std::max(now + static_cast<Cycle>(warpgroup_.patience), before + next) + (count - 1) * next;
  }
  /// When work that comes at `now` is done, `at_most` at the latest: then it has taken cycles in which operands are
  /// read, and none of those that others wait for.
  Cycle take(Cycle now, Cycle cycles, OperandSchedule::Access access, Cycle at_most) {
    const Cycle from = std::max(shared_free_, now);
    const Cycle end = operands_.behind(from, cycles, access, at_most);
    if (end == kNever) {
      forced_cycles_ += static_cast<double>(cycles) * warpgroup_.forced_cycles;
      return at_most;
    }
    shared_free_ = end;
    return end;
  }

  const WarpgroupParams& warpgroup_;
  OperandSchedule operands_;
  const int width_;
  const Cycle own_interval_;
  const Cycle interval_;
  Cycle shared_free_ = 0;
  Cycle fill_free_ = 0;
  std::vector<Cycle> own_free_;
  std::vector<Cycle> forced_;  // by way
  double forced_cycles_ = 0;
};

}  // namespace stc::sm
