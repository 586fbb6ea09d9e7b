// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/report_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/provenance.h"

namespace stc::sim {
namespace {

constexpr std::size_t kShown = 10;

std::string heading(const std::string& text) { return fmt::format("\n{}\n", text); }

std::string summary_table(const CompareReport& report) {
  std::size_t width = 5;
  for (const MetricSummary& summary : report.summaries) width = std::max(width, summary.group.size());
  std::string out = fmt::format("  {:<{}}  {:<22}{:>7}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "group", width, "metric",
                                "points", "mean", "median", "worst", "bias", "Pearson");
  std::string previous;
  for (const MetricSummary& summary : report.summaries) {
    const ErrorStatistics& s = summary.statistics;
    out += fmt::format("  {:<{}}  {:<22}{:>7}{:>10}{:>10}{:>10}{:>10}{:>10.4f}\n",
                       summary.group == previous ? "" : summary.group, width, summary.metric, s.points, percent(s.mape),
                       percent(s.median), percent(s.worst), percent(s.bias, true), s.pearson);
    previous = summary.group;
  }
  return out;
}

std::string speedup_lines(const CompareReport& report) {
  if (report.speedups.empty()) return "";
  const ErrorStatistics& s = report.speedup_statistics;
  std::string out = heading("Speedup of sparse kernels over their dense twins");
  out += fmt::format("  {} pairs: mean error {}, worst {} ({}), bias {}, Pearson {:.4f}\n", s.points, percent(s.mape),
                     percent(s.worst), s.worst_name, percent(s.bias, true), s.pearson);
  return out;
}

std::string stall_tables(const CompareReport& report) {
  std::string out;
  for (const StallSummary& summary : report.stalls) {
    out += heading(
        fmt::format("Where warps spend their time, {}: mean shares of {} points", summary.group, summary.points));
    out += fmt::format("  {:<26}{:>9}{:>11}{:>12}  {}\n", "reason", "silicon", "simulated", "difference",
                       "of Nsight Compute");
    for (const StallComparison& one : summary.reasons) {
      out += fmt::format("  {:<26}{:>7.1f} %{:>9.1f} %{:>5.1f} points  {}\n", one.pair->title, 100 * one.measured,
                         100 * one.simulated, 100 * one.difference, fmt::join(one.pair->nsight, ", "));
    }
    out += fmt::format("  mean difference over the reasons: {:.1f} points\n", 100 * summary.difference());
  }
  return out;
}

std::string worst_table(const CompareReport& report) {
  const std::vector<const ComparedPoint*> worst = worst_points(report, kShown);
  if (worst.empty()) return "";
  std::string out = heading("Worst points");
  for (const ComparedPoint* point : worst) {
    const std::string metric = point->headline();
    out += fmt::format("  {:>9}  {} {:.6g} simulated, {:.6g} measured  {}{}\n", percent(point->error(metric), true),
                       metric, point->simulated.at(metric), point->point.measured.at(metric), point->point.id,
                       point->bound.empty() ? "" : fmt::format(" [{}]", point->bound));
  }
  return out;
}

std::string span_lines(const CompareReport& report) {
  std::string lines;
  for (const ComparedPoint& point : report.points) {
    const std::string metric = point.headline();
    if (!point.failure.empty() || metric.empty() || !point.within_span(metric)) continue;
    const auto& [least, most] = point.point.spans.at(metric);
    lines +=
        fmt::format("  {:>9}  {} {:.6g} simulated, {:.6g} to {:.6g} measured  {}\n", percent(point.error(metric), true),
                    metric, point.simulated.at(metric), least, most, point.point.id);
  }
  return lines.empty() ? ""
                       : heading("Races within the span of their own runs: error against the median, no miss") + lines;
}

std::string failure_lines(const CompareReport& report) {
  if (report.failures == 0) return "";
  std::string out = heading(fmt::format("{} points have no simulated values", report.failures));
  std::size_t shown = 0;
  for (const ComparedPoint& point : report.points) {
    if (point.failure.empty()) continue;
    if (++shown > kShown) return out + fmt::format("  and {} more\n", report.failures - kShown);
    out += fmt::format("  {} ({}): {}\n", point.point.id, point.point.place, point.failure.substr(0, 400));
  }
  return out;
}

std::string changes(const char* title, const std::vector<BaselineChange>& list) {
  if (list.empty()) return "";
  std::string out = fmt::format("  {} ({}):\n", title, list.size());
  for (std::size_t i = 0; i < std::min(list.size(), kShown); ++i) {
    out += fmt::format("    {:>9} -> {:>9}  {} {}\n", percent(list[i].before, true), percent(list[i].now, true),
                       list[i].id, list[i].metric);
  }
  return out;
}

std::string baseline_lines(const BaselineComparison& baseline) {
  std::string out = heading(fmt::format("Against {} ({})", baseline.file, baseline.git));
  for (const BaselineComparison::Summary& s : baseline.summaries) {
    if (std::fabs(s.now - s.before) < 5e-5) continue;
    out += fmt::format("  {:>9} -> {:>9}  mean error, {}, {}\n", percent(s.before), percent(s.now), s.group, s.metric);
  }
  out += fmt::format("  {} better, {} worse, {} the same within 0.1 points of percent, {} new, {} no longer there\n",
                     baseline.better.size(), baseline.worse.size(), baseline.same, baseline.added, baseline.removed);
  for (const std::string& id : baseline.failing_now) out += fmt::format("  fails now: {}\n", id);
  return out + changes("worse", baseline.worse) + changes("better", baseline.better);
}

}  // namespace

std::string percent(double fraction, bool with_sign) {
  if (!std::isfinite(fraction)) return "inf";
  return with_sign ? fmt::format("{:+.2f} %", 100 * fraction) : fmt::format("{:.2f} %", 100 * fraction);
}

std::vector<const ComparedPoint*> worst_points(const CompareReport& report, std::size_t count) {
  std::vector<const ComparedPoint*> points;
  for (const ComparedPoint& point : report.points) {
    if (!point.failure.empty() || point.headline().empty() || point.within_span(point.headline())) continue;
    points.push_back(&point);
  }
  const auto size = [](const ComparedPoint* point) { return std::fabs(point->error(point->headline())); };
  std::stable_sort(points.begin(), points.end(),
                   [&](const ComparedPoint* a, const ComparedPoint* b) { return size(a) > size(b); });
  points.resize(std::min(points.size(), count));
  return points;
}

std::string compare_table(const CompareReport& report, const std::optional<BaselineComparison>& baseline) {
  std::string out = fmt::format("{} points of {} against {}\n\n", report.points.size(),
                                fmt::join(report.measured_files, ", "), report.gpu);
  out += summary_table(report) + stall_tables(report) + speedup_lines(report) + worst_table(report) +
         span_lines(report) + failure_lines(report);
  if (baseline) out += baseline_lines(*baseline);
  const std::string caveat = caveat_of_revision(report.git);
  return caveat.empty() ? out : out + fmt::format("\n{}\n", caveat);
}

}  // namespace stc::sim
