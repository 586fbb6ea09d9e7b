// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/compare/report_json.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSame = 0.001;

Json read_report(const std::string& file) {
  Json json = Json::parse(read_text(file), nullptr, false);
  if (json.is_discarded() || !json.is_object() || json.value("schema", "") != kCompareSchema) {
    throw UserError(
        fmt::format("--baseline: {} is no report of stcsim compare (compare.json, schema {})", file, kCompareSchema));
  }
  return json;
}

double number_of(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::infinity();
}

void compare_points(const CompareReport& report, const Json& earlier, BaselineComparison& result) {
  std::map<std::string, const Json*> before;
  for (const Json& point : earlier.at("points")) before[point.at("id").get<std::string>()] = &point;
  for (const ComparedPoint& point : report.points) {
    const auto found = before.find(point.point.id);
    if (found == before.end()) {
      ++result.added;
      continue;
    }
    const Json& old = *found->second;
    before.erase(found);
    if (!old.contains("metrics")) continue;
    if (!point.failure.empty()) {
      result.failing_now.push_back(point.point.id);
      continue;
    }
    const std::string metric = point.headline();
    if (metric.empty() || !old["metrics"].contains(metric)) continue;
    const BaselineChange change{point.point.id, metric, number_of(old["metrics"][metric]["error"]),
                                point.error(metric)};
    const double difference = std::fabs(change.now) - std::fabs(change.before);
    if (!(std::fabs(difference) >= kSame)) {
      ++result.same;
    } else {
      (difference < 0 ? result.better : result.worse).push_back(change);
    }
  }
  result.removed = before.size();
}

void compare_summaries(const CompareReport& report, const Json& earlier, BaselineComparison& result) {
  for (const Json& old : earlier.at("summaries")) {
    const MetricSummary* now = report.find(old.at("group"), old.at("metric"));
    if (now == nullptr || now->statistics.points != old.at("points").get<std::size_t>()) continue;
    result.summaries.push_back({now->group, now->metric, number_of(old.at("mape")), now->statistics.mape});
  }
}

}  // namespace

BaselineComparison compare_with_baseline(const CompareReport& report, const std::string& file) {
  const Json earlier = read_report(file);
  BaselineComparison result;
  result.file = file;
  try {
    result.git = earlier.at("provenance").at("git").get<std::string>();
    compare_points(report, earlier, result);
    compare_summaries(report, earlier, result);
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("--baseline: {}: {}", file, error.what()));
  }
  const auto by_size = [](const BaselineChange& a, const BaselineChange& b) {
    return std::fabs(std::fabs(a.now) - std::fabs(a.before)) > std::fabs(std::fabs(b.now) - std::fabs(b.before));
  };
  std::stable_sort(result.better.begin(), result.better.end(), by_size);
  std::stable_sort(result.worse.begin(), result.worse.end(), by_size);
  return result;
}

}  // namespace stc::sim
