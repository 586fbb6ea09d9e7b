// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/explore_run.h"

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/explore/run_point.h"

namespace stc::sim {

WorkerPool::Work point_worker(const SweepPlan& plan) {
  return [&plan, machines = std::make_shared<WorkerMachines>(plan.sweep.gpus)](const std::string& job) {
    return json_text(run_point(plan, static_cast<std::size_t>(parse_integer(job).value()), *machines).json());
  };
}

SweepResults run_sweep(const SweepPlan& plan, Journal& journal, Crew& crew) {
  return run_points(plan.sweep.file, plan.points, journal, crew);
}

}  // namespace stc::sim
