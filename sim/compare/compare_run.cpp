// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/compare_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "models/gpu/machine.h"
#include "sim/base/json_text.h"
#include "sim/base/streams.h"
#include "sim/base/worker_pool.h"

namespace stc::sim {
namespace {

/// "[=====>      ] 123 of 2377 points, 41 s gone, 80 s to go, 2 failed", redrawn in place; silent without a terminal.
class ProgressBar {
 public:
  ProgressBar(std::size_t all, double all_cost)
      : all_(all), all_cost_(all_cost), enabled_(::isatty(STDERR_FILENO) != 0) {}
  ~ProgressBar() {
    if (drawn_) say("\r\033[K");
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void add(double cost, bool failed) {
    ++done_;
    done_cost_ += cost;
    failed_ += failed ? 1U : 0U;
  }
  void draw() {
    if (!enabled_) return;
    constexpr int kWidth = 30;
    const double fraction = all_cost_ > 0 ? done_cost_ / all_cost_ : 1.0;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const int filled = static_cast<int>(fraction * kWidth);
    say(fmt::format("\r\033[K[{:=>{}}>{:{}}] {} of {} launches, {:.0f} s gone, {} s to go{}", "", filled, "",
                    kWidth - filled, done_, all_, seconds,
                    done_ == 0 ? "?" : fmt::format("{:.0f}", seconds / fraction - seconds),
                    failed_ == 0 ? "" : fmt::format(", {} failed", failed_)));
    drawn_ = true;
  }

 private:
  std::size_t all_;
  double all_cost_;
  bool enabled_;
  bool drawn_ = false;
  std::size_t done_ = 0, failed_ = 0;
  double done_cost_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

constexpr int kRedrawMs = 200;

/// Workers share the terminal with the progress bar, so what they say goes to a file: the words of a crash.
bool silence_terminal(const std::string& log_file) {
  const int log = ::open(log_file.empty() ? "/dev/null" : log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  return log >= 0 && ::dup2(log, STDERR_FILENO) >= 0;
}

struct Plan {
  std::vector<SimulationTask> tasks;           ///< each once
  std::map<std::string, std::size_t> by_name;  ///< index in tasks
};

Plan plan_of(const std::vector<ComparePoint>& points) {
  Plan plan;
  for (const ComparePoint& point : points) {
    for (const SimulationTask& task : point.tasks) {
      if (plan.by_name.emplace(task.name(), plan.tasks.size()).second) plan.tasks.push_back(task);
    }
  }
  return plan;
}

void run_missing(const Plan& plan, const TaskContext& context, std::size_t workers, ResultCache& cache,
                 const std::string& log_file, const std::vector<std::string>& keys, std::vector<TaskResult>& results,
                 CompareProgress& progress) {
  std::vector<std::size_t> missing;
  double cost = 0;
  for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
    if (const auto known = cache.find(keys[i])) {
      results[i] = *known;
      ++progress.reused;
    } else {
      missing.push_back(i);
      cost += plan.tasks[i].cost();
    }
  }
  progress.run = missing.size();
  std::stable_sort(missing.begin(), missing.end(),
                   [&](std::size_t a, std::size_t b) { return plan.tasks[a].cost() > plan.tasks[b].cost(); });
  ProgressBar bar(missing.size(), cost);
  const auto finish = [&](std::size_t task, TaskResult result) {
    cache.add(keys[task], plan.tasks[task].name(), result);
    bar.add(plan.tasks[task].cost(), !result.failure.empty());
    results[task] = std::move(result);
  };
  if (missing.empty()) return;
  std::unique_ptr<gpu::Machine> machine;  // of each worker
  WorkerPool pool(static_cast<int>(std::min(workers, missing.size())), [&](const std::string& task) {
    static const bool quiet = silence_terminal(log_file);
    static_cast<void>(quiet);
    if (!machine) machine = std::make_unique<gpu::Machine>("gpu", context.gpu.params);
    return json_text(simulate_task(plan.tasks[std::stoul(task)], context, *machine).json());
  });
  std::size_t next = 0;
  while (next < missing.size() || pool.busy()) {
    for (; pool.has_idle() && next < missing.size(); ++next) pool.submit(missing[next], std::to_string(missing[next]));
    const auto answer = pool.poll(kRedrawMs);
    bar.draw();
    if (!answer) continue;
    TaskResult result;
    if (answer->failed) {
      result.failure = "the simulator crashed: " + answer->text;
      result.crashed = true;
    } else {
      result = TaskResult::from_json(nlohmann::ordered_json::parse(answer->text));
    }
    finish(answer->id, std::move(result));
  }
}

}  // namespace

std::vector<ComparedPoint> run_points(const std::vector<ComparePoint>& points, const TaskContext& context,
                                      std::size_t workers, const std::string& cache_file, CompareProgress& progress) {
  const Plan plan = plan_of(points);
  TaskKeys hashes(context);
  std::vector<std::string> keys;
  for (const SimulationTask& task : plan.tasks) keys.push_back(hashes.key(task));
  ResultCache cache(cache_file);
  std::vector<TaskResult> results(plan.tasks.size());
  run_missing(plan, context, workers, cache, cache_file.empty() ? "" : cache_file + ".log", keys, results, progress);

  std::vector<ComparedPoint> joined;
  for (const ComparePoint& point : points) {
    std::vector<const TaskResult*> of_point;
    for (const SimulationTask& task : point.tasks) of_point.push_back(&results[plan.by_name.at(task.name())]);
    joined.push_back(join_point(point, of_point));
  }
  return joined;
}

}  // namespace stc::sim
