// SPDX-License-Identifier: Apache-2.0
// How far a sweep is, on standard error: a line that is redrawn on a terminal, a line for each point elsewhere.
#pragma once

#include <deque>
#include <string>

#include "sim/base/progress.h"
#include "sim/explore/point_result.h"
#include "sim/explore/sweep_plan.h"

namespace stc::sim {

class SweepProgress {
 public:
  SweepProgress(const SweepPlan& plan, const std::deque<std::size_t>& missing, std::size_t reused, int workers);

  void draw() { work_.draw(); }
  void finished(std::size_t point, const PointResult& result);
  /// "12 of 40 points".
  std::string reached() const { return work_.reached(); }

 private:
  const SweepPlan& plan_;
  WorkProgress work_;
  std::size_t all_, done_ = 0;
};

}  // namespace stc::sim
