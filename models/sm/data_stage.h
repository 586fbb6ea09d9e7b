// SPDX-License-Identifier: Apache-2.0
// Models:   the data array that L1 and shared memory share: one 128-byte wavefront a cycle in all, but an instruction's
//           own wavefronts follow each other only every other cycle.
// Evidence: conflict sweeps: a lone warp pays two cycles per further wavefront, all warps together reach 128 bytes a
//           cycle (Sun et al. 2023, tables 9 and 10).
// Abstracts: which banks are read.
// Timing:   own_wavefront_interval / wavefront_interval instructions are served side by side.
#pragma once

#include <algorithm>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

class DataStage {
 public:
  explicit DataStage(const LsuParams& params)
      : interval_(static_cast<Cycle>(params.own_wavefront_interval)),
        free_(static_cast<std::size_t>(std::max(1, params.own_wavefront_interval / params.wavefront_interval)), 0) {}

  /// Takes the next free place for `wavefronts` wavefronts; returns the cycle of the first.
  Cycle reserve(Cycle now, int wavefronts) {
    Cycle& lane = *std::min_element(free_.begin(), free_.end());
    const Cycle start = std::max(now, lane);
    lane = start + interval_ * static_cast<Cycle>(std::max(1, wavefronts));
    return start;
  }
  /// Wavefronts that wait, in cycles of the whole stage.
  Cycle backlog(Cycle now) const {
    Cycle sum = 0;
    for (const Cycle lane : free_) sum += lane > now ? lane - now : 0;
    return sum / interval_;
  }
  void reset() { std::fill(free_.begin(), free_.end(), 0); }

 private:
  const Cycle interval_;
  std::vector<Cycle> free_;
};

}  // namespace stc::sm
