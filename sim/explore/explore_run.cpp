// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/explore_run.h"

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/base/work_off.h"
#include "sim/explore/run_point.h"
#include "sim/explore/sweep_progress.h"

namespace stc::sim {

WorkerPool::Work point_worker(const SweepPlan& plan) {
  return [&plan, machines = std::make_shared<WorkerMachines>(plan.sweep.gpus)](const std::string& job) {
    return json_text(run_point(plan, static_cast<std::size_t>(parse_integer(job).value()), *machines).json());
  };
}

SweepResults run_sweep(const SweepPlan& plan, Journal& journal, Crew& crew) {
  SweepResults results;
  const std::deque<std::size_t> missing = missing_points(plan.points, journal, results.reused);
  SweepProgress progress(plan, missing, results.reused, crew.size());
  const auto answered = [&](const WorkerPool::Answer& answer) {
    PointResult result;
    if (answer.failed) {
      result.failure = answer.text;
    } else {
      result = PointResult::from_json(parse_json(answer.text));
    }
    const SweepPoint& point = plan.points[answer.id];
    journal.add(point.key, point.name, result);
    progress.finished(answer.id, result);
  };
  work_off(missing, crew, answered, shown_until_stopped(progress, "run"));
  // Points with the same key share a run.
  for (const SweepPoint& point : plan.points) results.points.push_back(*journal.find(point.key));
  return results;
}

}  // namespace stc::sim
