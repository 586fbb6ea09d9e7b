// SPDX-License-Identifier: Apache-2.0
// Measured and simulated values joined: per point, per group and metric, and as sparse-to-dense speedups.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/compare/compare_point.h"
#include "sim/compare/error_statistics.h"
#include "sim/compare/simulate_task.h"
#include "sim/compare/stall_shares.h"

namespace stc::sim {

struct ComparedPoint {
  ComparePoint point;
  std::string failure;  ///< why there are no simulated values
  MetricValues simulated;
  MetricValues stalls;
  std::string bound;
  std::string remark;  ///< which tiles stood for the library's, what the source says
  double wall_s = 0;

  /// Metrics that both sides have, in the order of reports.
  std::vector<std::string> metrics() const;
  /// The one that stands for the point: elapsed cycles of a GEMM, cycles of a microbenchmark (of its
  /// median CTA when there are several), the speedup of libraries.
  /// Empty when the point lacks what stands for its kind in this report.
  const std::string& headline() const { return headline_; }
  void set_headline(const std::string& metric) { headline_ = metric; }
  double error(const std::string& metric) const;
  /// Whether the point is a race whose simulated value lies between the least and the most of its measured runs.
  bool within_span(const std::string& metric) const;

 private:
  std::string headline_;
};

struct MetricSummary {
  std::string group;
  std::string metric;
  ErrorStatistics statistics;
};

/// A sparse kernel and its dense twin at the same shape and state of L2.
struct SpeedupPair {
  std::string name;   ///< of the sparse point
  std::string dense;  ///< of the dense point
  std::string metric;
  double simulated = 0;
  double measured = 0;
};

struct CompareReport {
  std::string version, git;
  std::string gpu, gpu_file, config_hash;
  double clock_mhz = 0;
  std::vector<std::string> measured_files;
  std::string filter;
  std::vector<std::string> notes;
  std::vector<ComparedPoint> points;
  std::vector<MetricSummary> summaries;
  std::vector<StallSummary> stalls;  ///< by kind of point, where both sides have them
  std::vector<SpeedupPair> speedups;
  ErrorStatistics speedup_statistics;
  std::size_t failures = 0;
  double simulation_s = 0;  ///< sum over all tasks, whenever they were run

  const MetricSummary* find(const std::string& group, const std::string& metric) const;
};

/// `results` are those of point.tasks, in order.
ComparedPoint join_point(const ComparePoint& point, const std::vector<const TaskResult*>& results);
/// Decides which metric stands for the GEMMs of a report (the first of elapsed cycles, cycles and time that most of
/// them have, so that one plot holds one unit); fills summaries, speedups and counts from the points.
void summarise(CompareReport& report, const Manifest& manifest);

}  // namespace stc::sim
