// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/report_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "sim/base/csv_table.h"
#include "sim/base/provenance.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json statistics_json(const ErrorStatistics& s) {
  return {{"points", s.points},       {"mape", finite(s.mape)},      {"median", finite(s.median)},
          {"worst", finite(s.worst)}, {"worst_point", s.worst_name}, {"bias", finite(s.bias)},
          {"pearson", s.pearson}};
}

/// Shares of warps' time, 0 to 1.
Json stalls_json(const StallSummary& summary) {
  Json reasons = Json::array();
  for (const StallComparison& one : summary.reasons) {
    reasons.push_back({{"reason", one.pair->title},
                       {"nsight", one.pair->nsight},
                       {"measured", one.measured},
                       {"simulated", one.simulated},
                       {"difference", one.difference}});
  }
  return {
      {"group", summary.group}, {"points", summary.points}, {"difference", summary.difference()}, {"reasons", reasons}};
}

Json point_json(const ComparedPoint& point) {
  Json json = {{"id", point.point.id}, {"group", point.point.group}, {"place", point.point.place}};
  Json columns = Json::object();
  for (const auto& [name, value] : point.point.fields) columns[name] = value;
  json["columns"] = columns;
  if (!point.failure.empty()) {
    json["failure"] = point.failure;
    return json;
  }
  json["headline"] = point.headline();
  Json metrics = Json::object();
  for (const std::string& key : point.metrics()) {
    metrics[key] = {{"simulated", point.simulated.at(key)},
                    {"measured", point.point.measured.at(key)},
                    {"error", finite(point.error(key))}};
  }
  json["metrics"] = metrics;
  json["bound"] = point.bound;
  json["stalls"] = point.stalls;
  if (!point.remark.empty()) json["remark"] = point.remark;
  json["wall_s"] = point.wall_s;
  return json;
}

}  // namespace

nlohmann::ordered_json compare_json(const CompareReport& report) {
  Json json = {{"schema", kCompareSchema},
               {"gpu", {{"name", report.gpu}, {"file", report.gpu_file}, {"clock_mhz", report.clock_mhz}}},
               {"measured", report.measured_files},
               {"filter", report.filter},
               {"provenance",
                {{"version", report.version},
                 {"git", report.git},
                 {"caveat", caveat_of_revision(report.git)},
                 {"config_hash", report.config_hash}}},
               {"failures", report.failures},
               {"simulation_s", report.simulation_s},
               {"notes", report.notes}};
  Json summaries = Json::array();
  for (const MetricSummary& summary : report.summaries) {
    Json entry = {{"group", summary.group}, {"metric", summary.metric}};
    entry.update(statistics_json(summary.statistics));
    summaries.push_back(entry);
  }
  json["summaries"] = summaries;
  Json stalls = Json::array();
  for (const StallSummary& summary : report.stalls) stalls.push_back(stalls_json(summary));
  json["stalls"] = stalls;
  Json pairs = Json::array();
  for (const SpeedupPair& pair : report.speedups) {
    pairs.push_back({{"sparse", pair.name},
                     {"dense", pair.dense},
                     {"metric", pair.metric},
                     {"simulated", pair.simulated},
                     {"measured", pair.measured},
                     {"error", finite(relative_error(pair.simulated, pair.measured))}});
  }
  json["speedup"] = statistics_json(report.speedup_statistics);
  json["speedup"]["pairs"] = pairs;
  Json points = Json::array();
  for (const ComparedPoint& point : report.points) points.push_back(point_json(point));
  json["points"] = points;
  return json;
}

std::string compare_csv(const CompareReport& report) {
  std::string out = "group,point,metric,unit,simulated,measured,error,bound,failure,remark\n";
  for (const ComparedPoint& point : report.points) {
    const std::string head = fmt::format("{},{}", csv_field(point.point.group), csv_field(point.point.id));
    if (!point.failure.empty()) {
      out += fmt::format("{},,,,,,,{},{}\n", head, csv_field(point.failure), csv_field(point.remark));
      continue;
    }
    for (const std::string& key : point.metrics()) {
      out += fmt::format("{},{},{},{:.10g},{:.10g},{:.6f},{},,{}\n", head, key, metric_of(key).unit,
                         point.simulated.at(key), point.point.measured.at(key), point.error(key), point.bound,
                         csv_field(point.remark));
    }
  }
  return out;
}

}  // namespace stc::sim
