// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/stall_shares.h"

#include <cmath>
#include <numeric>

namespace stc::sim {
namespace {

constexpr char kStallColumn[] = "stall_";

double sum_of(const MetricValues& values) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [](double sum, const auto& value) { return sum + value.second; });
}

double value_or_zero(const MetricValues& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? 0.0 : found->second;
}

}  // namespace

MetricValues measured_stall_shares(const CsvRow& row, const CsvTable& table) {
  MetricValues states;
  for (const std::string& column : table.columns()) {
    if (column.rfind(kStallColumn, 0) == 0 && row.has(column)) states[column] = row.measured(column, true);
  }
  const double all = sum_of(states);
  MetricValues shares;
  if (!(all > 0)) return shares;
  for (const StallPair& pair : stall_pairs()) {
    for (const char* name : pair.nsight)
      shares[pair.title] += value_or_zero(states, std::string(kStallColumn) + name) / all;
  }
  return shares;
}

MetricValues simulated_stall_shares(const MetricValues& stalls) {
  const double all = sum_of(stalls) - value_or_zero(stalls, name_of(Stall::kDispatch));
  MetricValues shares;
  if (!(all > 0)) return shares;
  for (const StallPair& pair : stall_pairs()) {
    for (const Stall stall : pair.ours) shares[pair.title] += value_or_zero(stalls, name_of(stall)) / all;
  }
  return shares;
}

double StallSummary::difference() const {
  const double sum = std::accumulate(reasons.begin(), reasons.end(), 0.0,
                                     [](double total, const StallComparison& one) { return total + one.difference; });
  return reasons.empty() ? 0.0 : sum / static_cast<double>(reasons.size());
}

void StallSums::add(const MetricValues& measured, const MetricValues& simulated) {
  if (measured.empty() || simulated.empty()) return;
  ++points_;
  for (const auto& [title, share] : measured) {
    measured_[title] += share;
    simulated_[title] += simulated.at(title);
    differences_[title] += std::fabs(simulated.at(title) - share);
  }
}

StallSummary StallSums::summary(const std::string& group) const {
  StallSummary out;
  out.group = group;
  out.points = points_;
  if (points_ == 0) return out;
  const auto count = static_cast<double>(points_);
  for (const StallPair& pair : stall_pairs()) {
    out.reasons.push_back({&pair, measured_.at(pair.title) / count, simulated_.at(pair.title) / count,
                           differences_.at(pair.title) / count});
  }
  return out;
}

}  // namespace stc::sim
