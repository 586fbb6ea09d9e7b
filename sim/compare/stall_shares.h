// SPDX-License-Identifier: Apache-2.0
// Shares of warps' time by reason, on silicon and simulated: columns stall_X of measured files, warps in state X of
// Nsight Compute for each issue.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/csv_table.h"
#include "sim/compare/metric.h"
#include "sim/result/nsight_stalls.h"

namespace stc::sim {

/// By title of the pair (sim/result/nsight_stalls.h); empty where the row has no such columns.
MetricValues measured_stall_shares(const CsvRow& row, const CsvTable& table);
/// The same of warp-cycles by name of the stall, without those before a CTA's first instruction.
MetricValues simulated_stall_shares(const MetricValues& stalls);

/// A reason over all points that have it on both sides.
struct StallComparison {
  const StallPair* pair = nullptr;
  double measured = 0, simulated = 0;  ///< mean shares, 0 to 1
  double difference = 0;               ///< mean of the differences' sizes
};
struct StallSummary {
  std::string group;
  std::size_t points = 0;
  std::vector<StallComparison> reasons;  ///< in the order of the pairs
  /// Mean over the reasons.
  double difference() const;
};

/// Adds up points of a group.
class StallSums {
 public:
  void add(const MetricValues& measured, const MetricValues& simulated);
  StallSummary summary(const std::string& group) const;

 private:
  std::size_t points_ = 0;
  MetricValues measured_, simulated_, differences_;
};

}  // namespace stc::sim
