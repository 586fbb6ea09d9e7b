// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/explore_run.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <stdexcept>

#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/explore/run_point.h"
#include "sim/explore/sweep_progress.h"

namespace stc::sim {
namespace {

constexpr int kRedrawMs = 200;

bool redirect_standard_error(const std::string& file) {
  const int log = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (log < 0) return false;
  ::dup2(log, STDERR_FILENO);
  ::close(log);
  return true;
}

/// Points without a result, the dearest first, so that no long one is left for the end.
std::deque<std::size_t> missing_points(const SweepPlan& plan, const Journal& journal, SweepResults& results) {
  std::deque<std::size_t> missing;
  std::set<std::string> known;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    if (const auto result = journal.find(plan.points[i].key)) {
      results.points[i] = *result;
      ++results.reused;
    } else if (known.insert(plan.points[i].key).second) {
      missing.push_back(i);
    }
  }
  std::stable_sort(missing.begin(), missing.end(),
                   [&](std::size_t a, std::size_t b) { return plan.points[a].cost > plan.points[b].cost; });
  return missing;
}

}  // namespace

WorkerPool::Work point_worker(const SweepPlan& plan, const std::string& log_file) {
  // Built by each worker process, for its first point.
  return [&plan, log_file, machines = std::shared_ptr<SweepMachines>()](const std::string& job) mutable {
    static const bool redirected = redirect_standard_error(log_file);
    static_cast<void>(redirected);
    if (!machines) machines = std::make_shared<SweepMachines>(plan.sweep);
    return json_text(run_point(plan, static_cast<std::size_t>(parse_integer(job).value()), *machines).json());
  };
}

SweepResults run_sweep(const SweepPlan& plan, Journal& journal, Crew& crew) {
  SweepResults results;
  results.points.resize(plan.points.size());
  std::deque<std::size_t> missing = missing_points(plan, journal, results);
  SweepProgress progress(plan, missing, results.reused, crew.size());
  std::set<std::size_t> retried;
  while (!missing.empty() || crew.busy()) {
    for (; !missing.empty() && crew.has_idle(); missing.pop_front()) crew.submit(missing.front());
    const auto answer = crew.poll(kRedrawMs);
    progress.draw();
    if (!answer) continue;
    if (answer->failed && retried.insert(answer->id).second) {
      missing.push_back(answer->id);
      continue;
    }
    PointResult result;
    if (answer->failed) {
      result.failure = answer->text;
    } else {
      result = PointResult::from_json(nlohmann::ordered_json::parse(answer->text));
    }
    const SweepPoint& point = plan.points[answer->id];
    journal.add(point.key, point.name, result);
    progress.finished(answer->id, result);
  }
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    results.points[i] = journal.find(plan.points[i].key).value();  // points with the same key share a run
  }
  return results;
}

}  // namespace stc::sim
