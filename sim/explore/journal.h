// SPDX-License-Identifier: Apache-2.0
// Results of a sweep on disk, one line of JSON each, synced to the disk before the next point is handed out: whatever
// ends the sweep, only running points are lost. A line that was cut short is dropped when the file is opened again.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/explore/point_result.h"

namespace stc::sim {

class Journal {
 public:
  /// Opens or makes the file and locks it; UserError when it cannot be written or another sweep has it.
  explicit Journal(const std::string& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  std::optional<PointResult> find(const std::string& key) const;
  /// Failures are kept for this sweep only; the next one tries them again.
  void add(const std::string& key, const std::string& name, const PointResult& result);

 private:
  void read(const std::string& text);

  std::string file_;
  int descriptor_ = -1;
  std::map<std::string, PointResult> results_;
};

}  // namespace stc::sim
