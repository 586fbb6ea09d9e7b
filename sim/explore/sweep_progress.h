// SPDX-License-Identifier: Apache-2.0
// How far a sweep is, on standard error: a bar with an estimate on a terminal, a line for each point elsewhere.
#pragma once

#include <chrono>
#include <deque>

#include "sim/explore/point_result.h"
#include "sim/explore/sweep_plan.h"

namespace stc::sim {

class SweepProgress {
 public:
  SweepProgress(const SweepPlan& plan, const std::deque<std::size_t>& missing, std::size_t reused, int workers);
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void draw();
  void finished(std::size_t point, const PointResult& result);

 private:
  std::string estimate() const;

  const SweepPlan& plan_;
  std::size_t all_;
  double all_cost_ = 0;
  std::size_t done_ = 0;
  double done_cost_ = 0;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace stc::sim
