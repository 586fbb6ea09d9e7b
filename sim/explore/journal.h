// SPDX-License-Identifier: Apache-2.0
// The points of a sweep that are finished.
#pragma once

#include <string>

#include "sim/explore/point_result.h"
#include "sim/result/run_points.h"

namespace stc::sim {

class Journal : public PointJournal<PointResult> {
 public:
  explicit Journal(const std::string& file, bool forget = false) : PointJournal(file, "sweep", forget) {}
};

}  // namespace stc::sim
