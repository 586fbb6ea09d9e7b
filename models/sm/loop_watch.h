// SPDX-License-Identifier: Apache-2.0
// Who wants to know when warps go round a loop, and may let them leave rounds out (models/gpu/sampler.h).
#pragma once

#include <cstdint>

#include "models/sm/event_queue.h"

namespace stc::sm {

struct WarpContext;

class LoopWatch {
 public:
  virtual ~LoopWatch() = default;
  /// `warp` of SM `sm` has taken the loop's branch back at `now` and stands at the loop's first instruction. Called
  /// while SMs run side by side: it may touch what belongs to this SM alone.
  virtual void passed(int sm, WarpContext& warp, Cycle now) = 0;
};

}  // namespace stc::sm
