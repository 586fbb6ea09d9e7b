// SPDX-License-Identifier: Apache-2.0
// Models:   the unit that serves SYNCS: operations on mbarrier objects in shared memory.
// Evidence: configs/gpus/*.yaml, sm.mbarrier: arrivals of 1 to 16 warps at 1 to 32 barriers (micro_mbarrier_arrive).
// Abstracts: where it keeps the objects; what it takes of the data stage of shared memory, but beside matrix
//           instructions of warpgroups (DataStage::mbarrier_from).
// Timing:   lanes of one barrier are served together; a warp's instructions and the barriers of an instruction follow
//           one another, all together are held to the common rate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class MbarrierUnit {
 public:
  explicit MbarrierUnit(const MbarrierParams& params) : params_(params) {}

  /// Serves `barriers` barriers of an instruction from `now` on; returns the cycle after the last of them.
  Cycle reserve(Cycle now, int warp, int barriers, bool checks_phase) {
    if (own_free_.size() <= static_cast<std::size_t>(warp)) own_free_.resize(static_cast<std::size_t>(warp) + 1, 0);
    Cycle& own = own_free_[static_cast<std::size_t>(warp)];
    const Cycle start = std::max(now, own);
    const auto further = static_cast<Cycle>(std::max(0, barriers - 1) * params_.next_interval);
    own = start + further + static_cast<Cycle>(params_.own_interval);
    const Cycle turn = std::max(free_, now);
    const int each = checks_phase ? params_.check_interval : params_.interval;
    free_ = turn + static_cast<Cycle>(std::max(1, barriers) * each);
    return std::max(start, turn) + further + 1;
  }
  int latency(bool resumed) const { return resumed ? params_.resume_latency : params_.latency; }
  void reset() {
    free_ = 0;
    own_free_.clear();
  }

 private:
  const MbarrierParams params_;
  Cycle free_ = 0;
  std::vector<Cycle> own_free_;  ///< per warp slot
};

}  // namespace stc::sm
