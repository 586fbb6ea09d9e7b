// SPDX-License-Identifier: Apache-2.0
// The points of a sweep that are finished.
#pragma once

#include <string>

#include "sim/explore/point_result.h"
#include "sim/result/result_journal.h"

namespace stc::sim {

class Journal : public ResultJournal<PointResult> {
 public:
  explicit Journal(const std::string& file, bool forget = false) : ResultJournal(file, "sweep", forget) {}
  /// Failures are kept for this sweep only; the next one tries them again.
  void add(const std::string& key, const std::string& name, const PointResult& result) {
    ResultJournal::add(key, "point", name, result, result.ok());
  }
};

}  // namespace stc::sim
