// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/compare/report_json.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSame = 0.001;

double number_of(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::infinity();
}

Json parsed(const std::string& file) {
  Json json = parse_json_or_discard(read_text(file));
  if (json.is_discarded() || !json.is_object() || json.value("schema", Json()) != kCompareSchema) {
    throw UserError(
        fmt::format("--baseline: {} is no report of stcsim compare (compare.json, schema {})", file, kCompareSchema));
  }
  return json;
}

}  // namespace

Baseline::Baseline(const std::string& file) : file_(file) {
  const Json json = parsed(file);
  try {
    git_ = json.at("provenance").at("git").get<std::string>();
    for (const Json& point : json.at("points")) {
      Errors& errors = points_[point.at("id").get<std::string>()];
      if (!point.contains("metrics")) continue;
      for (const auto& [metric, values] : point["metrics"].items()) errors[metric] = number_of(values.at("error"));
    }
    for (const Json& old : json.at("summaries")) {
      summaries_.push_back({old.at("group").get<std::string>(), old.at("metric").get<std::string>(),
                            old.at("points").get<std::size_t>(), number_of(old.at("mape"))});
    }
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("--baseline: {}: {}", file, error.what()));
  }
}

void Baseline::compare_points(const CompareReport& report, BaselineComparison& result) const {
  std::size_t found = 0;
  for (const ComparedPoint& point : report.points) {
    const auto before = points_.find(point.point.id);
    if (before == points_.end()) {
      ++result.added;
      continue;
    }
    ++found;
    const Errors& errors = before->second;
    if (errors.empty()) continue;
    if (!point.failure.empty()) {
      result.failing_now.push_back(point.point.id);
      continue;
    }
    const std::string metric = point.headline();
    const auto error = errors.find(metric);
    if (error == errors.end()) continue;
    const BaselineChange change{point.point.id, metric, error->second, point.error(metric)};
    const double difference = std::fabs(change.now) - std::fabs(change.before);
    if (!(std::fabs(difference) >= kSame)) {
      ++result.same;
    } else {
      (difference < 0 ? result.better : result.worse).push_back(change);
    }
  }
  result.removed = points_.size() - found;
}

BaselineComparison Baseline::compare(const CompareReport& report) const {
  BaselineComparison result;
  result.file = file_;
  result.git = git_;
  compare_points(report, result);
  for (const Summary& old : summaries_) {
    const MetricSummary* now = report.find(old.group, old.metric);
    if (now == nullptr || now->statistics.points != old.points) continue;
    result.summaries.push_back({now->group, now->metric, old.mape, now->statistics.mape});
  }
  const auto by_size = [](const BaselineChange& a, const BaselineChange& b) {
    return std::fabs(std::fabs(a.now) - std::fabs(a.before)) > std::fabs(std::fabs(b.now) - std::fabs(b.before));
  };
  std::stable_sort(result.better.begin(), result.better.end(), by_size);
  std::stable_sort(result.worse.begin(), result.worse.end(), by_size);
  return result;
}

}  // namespace stc::sim
