// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "sim/base/text.h"

namespace stc::sim {
namespace {

void join_published(const ComparePoint& point, const TaskResult& result, MetricValues& simulated) {
  const SimulationTask& task = point.tasks.front();
  const double cycles = result.metrics.at("cycles");
  const std::string& kernel = task.micro.kernel;  // ends in _c and the number of chains
  const double chains = parse_number(kernel.substr(kernel.rfind('c') + 1)).value_or(1);
  simulated["latency"] = simulated["iteration"] = cycles * chains / result.operations;
  simulated["interval"] = cycles / result.operations;
  simulated["throughput"] = result.operations * task.micro.warps * point.operations / cycles;
}

void join_library(const ComparePoint& point, const std::vector<const TaskResult*>& results, ComparedPoint& joined) {
  const auto best = [&](std::size_t begin, std::size_t end, std::string& name) {
    double time = std::numeric_limits<double>::infinity();
    for (std::size_t i = begin; i < end; ++i) {
      if (results[i]->metrics.at("time_us") >= time) continue;
      time = results[i]->metrics.at("time_us");
      name = point.tasks[i].kernel;
    }
    return time;
  };
  std::string dense, sparse;
  joined.simulated["sparse_us"] = best(point.dense_tasks, results.size(), sparse);
  if (point.dense_tasks != 0) {
    joined.simulated["dense_us"] = best(0, point.dense_tasks, dense);
    joined.simulated["speedup"] = joined.simulated["dense_us"] / joined.simulated["sparse_us"];
    dense += " / ";
  }
  joined.remark = fmt::format("{}{}{}{}", dense, sparse, point.caveat.empty() ? "" : "; ", point.caveat);
}

void join_energy(const ComparePoint& point, const TaskResult& result, ComparedPoint& joined) {
  if (result.metrics.count("joules") == 0) {
    joined.failure = "the energy of these matrix instructions is not known";
    return;
  }
  joined.simulated = result.metrics;
  if (!point.zero_operands) return;
  joined.simulated["joules"] = result.metrics.at("joules_of_zeros");
  joined.simulated["watts"] = result.metrics.at("watts_of_zeros");
  joined.simulated["limited_us"] = result.metrics.at("us_of_zeros");
  joined.simulated["limited_mhz"] = result.metrics.at("mhz_of_zeros");
}

std::string name_of_kind(ComparePoint::Kind kind) {
  switch (kind) {
    case ComparePoint::Kind::kGemm: return "all GEMMs";
    case ComparePoint::Kind::kMicro: return "all microbenchmarks";
    case ComparePoint::Kind::kForeign: return "all foreign launches";
    case ComparePoint::Kind::kConvolution: return "all convolutions";
    case ComparePoint::Kind::kEnergy: return "all energies";
    case ComparePoint::Kind::kSpmm: return "all unstructured products";
    case ComparePoint::Kind::kPublishedMma: return "all published matrix instructions";
    default: return "all library GEMMs";
  }
}

std::string default_headline(const ComparedPoint& point) {
  const std::vector<std::string> keys = point.metrics();
  const auto has = [&](const char* key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
  if (point.point.kind == ComparePoint::Kind::kGemm && has("cycles_elapsed")) return "cycles_elapsed";
  if (point.point.kind == ComparePoint::Kind::kForeign && has("cycles_elapsed")) return "cycles_elapsed";
  if (point.point.kind == ComparePoint::Kind::kConvolution && has("cycles_elapsed")) return "cycles_elapsed";
  if (point.point.kind == ComparePoint::Kind::kSpmm && has("cycles_elapsed")) return "cycles_elapsed";
  if (point.point.kind == ComparePoint::Kind::kLibraryGemm) return has("speedup") ? "speedup" : "sparse_us";
  if (point.point.kind == ComparePoint::Kind::kMicro && has("cta_cycles")) return "cta_cycles";  // repeats better
  return keys.empty() ? "" : keys.front();
}

void add_stalls(CompareReport& report) {
  std::vector<std::pair<ComparePoint::Kind, StallSums>> kinds;  // in the order of the data
  for (const ComparedPoint& point : report.points) {
    if (!point.failure.empty() || point.point.stall_shares.empty()) continue;
    const auto is_it = [&](const auto& kind) { return kind.first == point.point.kind; };
    auto found = std::find_if(kinds.begin(), kinds.end(), is_it);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {point.point.kind, StallSums()});
    found->second.add(point.point.stall_shares, simulated_stall_shares(point.stalls));
  }
  for (const auto& [kind, sums] : kinds) report.stalls.push_back(sums.summary(name_of_kind(kind)));
}

void unify_gemm_headlines(CompareReport& report) {
  std::map<std::string, std::size_t> have;
  for (const ComparedPoint& point : report.points) {
    if (point.point.kind != ComparePoint::Kind::kGemm) continue;
    for (const std::string& metric : point.metrics()) ++have[metric];
  }
  std::string chosen;
  for (const char* metric : {"cycles_elapsed", "cycles", "time_us"}) {
    if (have[metric] > have[chosen]) chosen = metric;
  }
  for (ComparedPoint& point : report.points) {
    if (point.point.kind != ComparePoint::Kind::kGemm) continue;
    const std::vector<std::string> keys = point.metrics();
    point.set_headline(std::find(keys.begin(), keys.end(), chosen) != keys.end() ? chosen : "");
  }
}

void add_summaries(CompareReport& report) {
  std::vector<std::string> groups;  // in the order of the data, totals after their groups
  std::map<std::string, std::map<std::string, std::vector<ValuePair>>> pairs;
  const auto collect = [&](const std::string& group, const ComparedPoint& point) {
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
    for (const std::string& metric : point.metrics()) {
      pairs[group][metric].push_back({point.point.id, point.simulated.at(metric), point.point.measured.at(metric)});
    }
  };
  for (const ComparedPoint& point : report.points) {
    if (point.failure.empty()) collect(point.point.group, point);
  }
  const std::size_t single = groups.size();
  for (const ComparedPoint& point : report.points) {
    if (point.failure.empty()) collect(name_of_kind(point.point.kind), point);
  }
  for (const std::string& group : groups) {
    for (const Metric& metric : all_metrics()) {
      const auto values = pairs[group].find(metric.key);
      if (values != pairs[group].end()) {
        report.summaries.push_back({group, metric.key, error_statistics(values->second)});
      }
    }
  }
  if (single == 1 && groups.size() == 2) {  // a total of one group says nothing new
    report.summaries.erase(std::remove_if(report.summaries.begin(), report.summaries.end(),
                                          [&](const MetricSummary& s) { return s.group == groups.back(); }),
                           report.summaries.end());
  }
}

void add_speedups(CompareReport& report, const Manifest& manifest) {
  std::map<std::string, const ComparedPoint*> gemms;
  for (const ComparedPoint& point : report.points) {
    if (point.point.kind == ComparePoint::Kind::kGemm && point.failure.empty()) gemms[point.point.id] = &point;
  }
  std::vector<ValuePair> values;
  for (const ComparedPoint& sparse : report.points) {
    if (gemms.count(sparse.point.id) == 0) continue;
    const LibraryKernel* kernel = manifest.find(sparse.point.tasks.front().kernel);
    const LibraryKernel* twin = kernel->sparse() ? manifest.dense_twin(*kernel) : nullptr;
    if (twin == nullptr) continue;
    SimulationTask task = sparse.point.tasks.front();
    task.kernel = twin->name;
    const auto dense = gemms.find(task.name());
    const std::string metric = sparse.headline();
    if (metric.empty() || dense == gemms.end() || dense->second->headline() != metric) continue;
    const auto ratio = [&](const MetricValues& of_dense, const MetricValues& of_sparse) {
      return of_dense.at(metric) / of_sparse.at(metric);
    };
    report.speedups.push_back({sparse.point.id, task.name(), metric, ratio(dense->second->simulated, sparse.simulated),
                               ratio(dense->second->point.measured, sparse.point.measured)});
    values.push_back({sparse.point.id, report.speedups.back().simulated, report.speedups.back().measured});
  }
  report.speedup_statistics = error_statistics(values);
}

}  // namespace

std::vector<std::string> ComparedPoint::metrics() const {
  std::vector<std::string> keys;
  for (const Metric& metric : all_metrics()) {
    if (simulated.count(metric.key) != 0 && point.measured.count(metric.key) != 0) keys.emplace_back(metric.key);
  }
  return keys;
}

double ComparedPoint::error(const std::string& metric) const {
  return relative_error(simulated.at(metric), point.measured.at(metric));
}

bool ComparedPoint::within_span(const std::string& metric) const {
  const auto span = point.spans.find(metric);
  if (span == point.spans.end()) return false;
  const double value = simulated.at(metric);
  return span->second.first <= value && value <= span->second.second;
}

const MetricSummary* CompareReport::find(const std::string& group, const std::string& metric) const {
  for (const MetricSummary& summary : summaries) {
    if (summary.group == group && summary.metric == metric) return &summary;
  }
  return nullptr;
}

ComparedPoint join_point(const ComparePoint& point, const std::vector<const TaskResult*>& results) {
  ComparedPoint joined;
  joined.point = point;
  joined.remark = point.caveat;
  for (std::size_t i = 0; i < results.size(); ++i) {
    joined.wall_s += results[i]->wall_s;
    if (!results[i]->failure.empty() && joined.failure.empty()) {
      joined.failure = fmt::format("{}: {}", point.tasks[i].name(), results[i]->failure);
    }
  }
  if (!joined.failure.empty()) return joined;
  joined.stalls = results.front()->stalls;
  // A microbenchmark leaves most of the machine idle on purpose.
  if (point.kind == ComparePoint::Kind::kGemm || point.kind == ComparePoint::Kind::kConvolution ||
      point.kind == ComparePoint::Kind::kSpmm)
    joined.bound = results.front()->bound;
  switch (point.kind) {
    case ComparePoint::Kind::kPublishedMma: join_published(point, *results.front(), joined.simulated); break;
    case ComparePoint::Kind::kLibraryGemm: join_library(point, results, joined); break;
    case ComparePoint::Kind::kEnergy: join_energy(point, *results.front(), joined); break;
    default: joined.simulated = results.front()->metrics;
  }
  joined.set_headline(default_headline(joined));
  return joined;
}

void summarise(CompareReport& report, const Manifest& manifest) {
  report.failures = 0;
  report.simulation_s = 0;
  for (const ComparedPoint& point : report.points) {
    report.failures += point.failure.empty() ? 0U : 1U;
    report.simulation_s += point.wall_s;
  }
  unify_gemm_headlines(report);
  add_summaries(report);
  add_stalls(report);
  add_speedups(report, manifest);
}

}  // namespace stc::sim
