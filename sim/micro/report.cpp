// SPDX-License-Identifier: Apache-2.0
#include "sim/micro/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/median.h"

namespace stc::micro {
namespace {

double median(const std::vector<double>& values) { return values.empty() ? 0 : sim::median(values); }

double value_of(const Point& p, const std::vector<double>& numbers) {
  if (numbers.empty()) return 0;
  switch (p.kind) {
    case Kind::kInterval: return p.ctas > 1 ? numbers[1] : numbers[0];
    case Kind::kClocks: {
      std::vector<double> last;
      for (std::size_t i = p.samples; i <= numbers.size(); i += p.samples) last.push_back(numbers[i - 1]);
      return median(last);
    }
    case Kind::kLatency:
    case Kind::kCtas: return median(numbers);
  }
  return 0;
}

std::string list(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{}{:.0f}", text.empty() ? "" : " ", number);
  return text;
}

}  // namespace

double Result::simulated_value() const { return value_of(*point, simulated); }
double Result::measured_value() const { return value_of(*point, point->measured); }

std::string text_row(const Result& r) {
  const bool ok = r.failure.empty();
  return fmt::format("{:<70}{:>10.0f}{:>10.0f}{:>8.1f}%{:>8.2f} s  {}", r.point->key(), r.measured_value(),
                     r.simulated_value(), ok ? 100 * r.error() : 0.0, r.wall_s, r.failure);
}

std::string csv_row(const Result& r) {
  const Point& p = *r.point;
  const bool ok = r.failure.empty();
  std::string failure = r.failure;
  std::replace(failure.begin(), failure.end(), ',', ';');
  std::replace(failure.begin(), failure.end(), '\n', ' ');
  return fmt::format(
      "{},{},{},{},{},{},{},{},{:.0f},{},{},{:.3f},{},{},{}\n", p.group, p.cubin, p.kernel, p.ctas, p.warps,
      p.shared_bytes, p.data_bytes, p.args, r.measured_value(), ok ? fmt::format("{:.0f}", r.simulated_value()) : "",
      ok ? fmt::format("{:.2f}", 100 * r.error()) : "", r.wall_s, p.kind == Kind::kClocks ? list(p.measured) : "",
      p.kind == Kind::kClocks ? list(r.simulated) : "", failure);
}

std::string csv(const std::vector<Result>& results) {
  std::string text =
      "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,measured_cycles,simulated_cycles,error_percent,"
      "wall_s,measured_all,simulated_all,failure\n";
  for (const Result& result : results) text += csv_row(result);
  return text;
}

std::string summary(const std::vector<Result>& results) {
  std::vector<std::string> groups;
  for (const Result& r : results) {
    if (std::find(groups.begin(), groups.end(), r.point->group) == groups.end()) groups.push_back(r.point->group);
  }
  std::string text = fmt::format("{:<20}{:>7}{:>8}{:>9}{:>9}{:>9}  worst point\n", "group", "points", "failed",
                                 "mean |e|", "bias", "worst");
  for (const std::string& group : groups) {
    std::size_t points = 0, failed = 0;
    double sum = 0, bias = 0;
    const Result* worst = nullptr;
    for (const Result& r : results) {
      if (r.point->group != group) continue;
      ++points;
      if (!r.failure.empty()) {
        ++failed;
        continue;
      }
      sum += std::fabs(r.error());
      bias += r.error();
      if (worst == nullptr || std::fabs(r.error()) > std::fabs(worst->error())) worst = &r;
    }
    const double count = static_cast<double>(std::max<std::size_t>(1, points - failed));
    text +=
        fmt::format("{:<20}{:>7}{:>8}{:>8.2f}%{:>8.2f}%", group, points, failed, 100 * sum / count, 100 * bias / count);
    if (worst != nullptr)
      text += fmt::format("{:>8.1f}%  {} ctas {} warps {} [{}]: measured {:.0f}, simulated {:.0f}",
                          100 * worst->error(), worst->point->kernel, worst->point->ctas, worst->point->warps,
                          worst->point->args, worst->measured_value(), worst->simulated_value());
    text += '\n';
  }
  return text;
}

}  // namespace stc::micro
