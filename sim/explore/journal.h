// SPDX-License-Identifier: Apache-2.0
// Results of a sweep on disk, one line of JSON each, synced to the disk before the next point is handed out: whatever
// ends the sweep, only running points are lost.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/base/line_journal.h"
#include "sim/explore/point_result.h"

namespace stc::sim {

class Journal {
 public:
  /// UserError when the file cannot be written or another sweep has it. `forget`: starts without earlier results.
  explicit Journal(const std::string& file, bool forget = false);

  std::optional<PointResult> find(const std::string& key) const;
  /// Failures are kept for this sweep only; the next one tries them again.
  void add(const std::string& key, const std::string& name, const PointResult& result);

 private:
  LineJournal lines_;
  std::map<std::string, PointResult> results_;
};

}  // namespace stc::sim
