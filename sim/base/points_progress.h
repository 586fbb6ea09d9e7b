// SPDX-License-Identifier: Apache-2.0
// How far the points of a study are, on standard error: a line that is redrawn on a terminal, a line for each point
// elsewhere.
#pragma once

#include <string>

#include "sim/base/progress.h"

namespace stc::sim {

class PointsProgress {
 public:
  /// `study` names it; `missing` points of this cost in all are to be run, `reused` are known from before.
  PointsProgress(const std::string& study, std::size_t missing, double cost, std::size_t reused, int workers);

  void draw() { work_.draw(); }
  /// `outcome`: "1,234 cycles", "failed: ...".
  void finished(const std::string& point, double cost, bool failed, const std::string& outcome);
  /// "12 of 40 points".
  std::string reached() const { return work_.reached(); }

 private:
  WorkProgress work_;
  std::size_t all_, done_ = 0;
};

}  // namespace stc::sim
