// SPDX-License-Identifier: Apache-2.0
// Models:   the data array that L1 and shared memory share (l1tex data stage): one 128-byte wavefront a cycle for the
//           whole SM, and one every other cycle for a warp's loads and for a sub-core's stores.
// Evidence: conflict sweeps on an H200 (micro_shared lds_rate, ldsm_rate, sts): one warp and two warps on two sub-cores
//           pay two cycles per wavefront each, four sub-cores together reach one wavefront a cycle; so do four warps of
//           one sub-core that load (blocks of LDSM and LDS, one sub-core: 256 LDSM of four matrices take 1120 cycles).
// Abstracts: which banks are read; the order of wavefronts of different sub-cores.
// Timing:   the accesses of a way, which is a warp's or a sub-core's, follow one another; all together are held to the common rate, and to what operands
//           of warpgroups' matrix instructions leave of it (operand_schedule.h).
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
      : operands_(warpgroup),
        width_(params.data_width_bytes),
        own_interval_(static_cast<Cycle>(params.own_wavefront_interval)),
        interval_(static_cast<Cycle>(params.wavefront_interval)),
        own_free_(static_cast<std::size_t>(ways), 0) {}

  /// Takes `wavefronts` wavefronts for `way` from `now` on; returns the cycle after the last of them. `idle` turns
  /// behind them keep others waiting.
  Cycle reserve(Cycle now, int way, int wavefronts, int idle = 0,
                OperandSchedule::Access access = OperandSchedule::Access::kOther) {
    const auto count = static_cast<Cycle>(std::max(1, (wavefronts * kWavefrontBytes + width_ - 1) / width_));
    Cycle& own = own_free_[static_cast<std::size_t>(way)];
    const Cycle start = std::max(now, own);
    shared_free_ = operands_.behind(std::max(shared_free_, now), count * interval_, access);
    const Cycle end = std::max(start + (count - 1) * own_interval_ + 1, shared_free_);
    own = std::max(start + count * own_interval_, end) + static_cast<Cycle>(idle) * own_interval_;
    shared_free_ += static_cast<Cycle>(idle) * interval_;
    return end;
  }
  /// An instruction without data takes its turn: as many cycles as `wavefronts` take.
  void pass(Cycle now, int wavefronts) {
    shared_free_ = operands_.behind(std::max(shared_free_, now), static_cast<Cycle>(wavefronts) * interval_);
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
  void reset() {
    shared_free_ = fill_free_ = 0;
    operands_.reset();
    std::fill(own_free_.begin(), own_free_.end(), 0);
  }

 private:
  static constexpr int kWavefrontBytes = 128;
  OperandSchedule operands_;
  const int width_;
  const Cycle own_interval_;
  const Cycle interval_;
  Cycle shared_free_ = 0;
  Cycle fill_free_ = 0;
  std::vector<Cycle> own_free_;
};

}  // namespace stc::sm
