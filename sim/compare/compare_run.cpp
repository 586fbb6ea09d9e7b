// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/compare_run.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/gpu/machine/machine.h"
#include "sim/base/json_text.h"
#include "sim/base/progress.h"
#include "sim/base/work_off.h"

namespace stc::sim {
namespace {

struct PlannedTask {
  SimulationTask task;
  std::string key;
  double cost = 0;
};

struct TaskPlan {
  std::vector<PlannedTask> tasks;              ///< each once
  std::map<std::string, std::size_t> by_name;  ///< index in tasks
};

TaskPlan plan_of(const std::vector<ComparePoint>& points, const TaskContext& context) {
  TaskPlan plan;
  TaskKeys keys(context);
  for (const ComparePoint& point : points) {
    for (const SimulationTask& task : point.tasks) {
      if (!plan.by_name.emplace(task.name(), plan.tasks.size()).second) continue;
      plan.tasks.push_back({task, keys.key(task), task.cost()});
    }
  }
  return plan;
}

void run_missing(const std::vector<PlannedTask>& tasks, const TaskContext& context, std::size_t workers,
                 ResultCache& cache, const std::string& log_file, CompareProgress& progress) {
  const std::deque<std::size_t> missing = missing_points(tasks, cache, progress.reused);
  progress.run = missing.size();
  if (missing.empty()) return;
  WorkProgress bar("launches", missing.size(), cost_of(tasks, missing));
  std::unique_ptr<gpu::Machine> machine;  // of each worker
  const auto work = [&](const std::string& task) {
    if (!machine) {
      machine = std::make_unique<gpu::Machine>("gpu", context.gpu.params);
      machine->use_threads(processor_share());
    }
    return json_text(simulate_task(tasks[std::stoul(task)].task, context, *machine).json());
  };
  LocalCrew crew(static_cast<int>(std::min(workers, missing.size())), work, log_file);
  const auto answered = [&](const WorkerPool::Answer& answer) {
    TaskResult result;
    if (answer.failed) {
      result.failure = "the simulator crashed: " + answer.text;
      result.crashed = true;
    } else {
      result = TaskResult::from_json(parse_json(answer.text));
    }
    const PlannedTask& of = tasks[answer.id];
    cache.add(of.key, of.task.name(), result);
    bar.finished(of.cost, !result.failure.empty());
  };
  work_off(missing, crew, answered, shown_until_stopped(bar, "simulated"));
}

}  // namespace

std::vector<ComparedPoint> run_points(const std::vector<ComparePoint>& points, const TaskContext& context,
                                      std::size_t workers, const std::string& cache_file, CompareProgress& progress) {
  const TaskPlan plan = plan_of(points, context);
  ResultCache cache(cache_file);
  run_missing(plan.tasks, context, workers, cache, cache_file.empty() ? "" : cache_file + ".log", progress);

  std::vector<ComparedPoint> joined;
  for (const ComparePoint& point : points) {
    std::vector<const TaskResult*> of_point;
    for (const SimulationTask& task : point.tasks)
      of_point.push_back(cache.find(plan.tasks[plan.by_name.at(task.name())].key));
    joined.push_back(join_point(point, of_point));
  }
  return joined;
}

}  // namespace stc::sim
