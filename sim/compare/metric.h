// SPDX-License-Identifier: Apache-2.0
// What is compared. Every metric has one key here, one title and one unit, whatever file it was measured in.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace stc::sim {

struct Metric {
  const char* key;
  const char* title;
  std::string unit;
  std::string meaning;                        ///< and, where they differ, what the silicon counts
  std::vector<const char*> measured_columns;  ///< of a GEMM file, the first that exists counts
  const char* figure = nullptr;               ///< of the result (sim/result/describe_run.h) whose value it is
  double least = 0;                           ///< where silicon counts less it is not compared
};

/// In the order of reports.
const std::vector<Metric>& all_metrics();
const Metric& metric_of(const std::string& key);

/// Values by metric key.
using MetricValues = std::map<std::string, double>;

}  // namespace stc::sim
