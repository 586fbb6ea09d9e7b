// SPDX-License-Identifier: Apache-2.0
#include "sim/training/training_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "models/gpu/machine/machine.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/base/work_off.h"
#include "sim/launch/prepared_launch.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

/// A step to be simulated, and where its cost belongs.
struct Job {
  TrainingStep step;
  std::string name;
  StepCost* to = nullptr;        ///< of a training step
  PruningCost* prune = nullptr;  ///< of pruning alone
  double cost() const {
    double sum = 0;
    for (const StepLaunch& launch : step.launches) sum += launch.operations();
    return sum;
  }
};

constexpr const char* kChoices[] = {"exact", "greedy", "row"};

/// The matrix that is pruned: the weights (an MLP's two have one size), or the activations at the most tokens.
std::pair<int, int> pruned_matrix(const TrainingPlan& plan, const TrainingLayer& layer) {
  if (plan.sparse == TrainingPlan::Sparse::kActivations) return {plan.tokens.back(), layer.hidden};
  return {plan.mlp() ? layer.hidden : layer.outputs, layer.inputs};
}

/// Makes room in the report for all results before anything points at it.
void prepare_report(TrainingReport& report) {
  for (const TrainingLayer& layer : report.plan.layers) {
    LayerReport of{layer, {}, {}};
    for (const int tokens : report.plan.tokens) of.points.push_back({tokens, {}, {}});
    for (const char* choice : kChoices) of.pruning.push_back({choice, 0, 0, 0});
    report.layers.push_back(std::move(of));
  }
}

std::vector<Job> plan_jobs(TrainingReport& report, const TrainingKernels& kernels, int sms) {
  std::vector<Job> jobs;
  const TrainingPlan& plan = report.plan;
  for (LayerReport& layer : report.layers) {
    for (TrainingPoint& point : layer.points) {
      for (const bool sparse : {false, true}) {
        jobs.push_back({make_step(plan, layer.layer, point.tokens, sparse, kernels, sms),
                        fmt::format("{}, {} tokens, {}", layer.layer.name(), point.tokens, sparse ? "2:4" : "dense"),
                        sparse ? &point.sparse : &point.dense});
      }
    }
    for (PruningCost& cost : layer.pruning) {
      const auto [rows, columns] = pruned_matrix(plan, layer.layer);
      jobs.push_back({make_pruning(cost.choice, rows, columns, kernels),
                      fmt::format("pruning {} x {} by {}", rows, columns, cost.choice), nullptr, &cost});
    }
  }
  // The longest first, so that no process works alone at the end.
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.cost() > b.cost(); });
  return jobs;
}

/// Whatever a launch would be refused for shows before the long work.
void require_runnable(const std::vector<Job>& jobs, const TrainingFile& file, const GpuConfig& gpu, int workers) {
  double most = 0;
  for (const Job& job : jobs) {
    most = std::max(most, host_bytes(job.step));
    for (const StepLaunch& launch : job.step.launches) require_runnable(launch, gpu);
  }
  require_host_memory(most * std::min(workers, static_cast<int>(jobs.size())), file.file + ": the largest step");
}

void take(const Job& job, const StepCost& cost, TrainingReport& report) {
  for (const LaunchCost& launch : cost.launches) report.checked += launch.checked ? 1 : 0;
  if (!cost.failure().empty()) report.failures.push_back(job.name + ": " + cost.failure());
  if (job.to != nullptr) {
    *job.to = cost;
    return;
  }
  job.prune->time_us = cost.time_us();
  job.prune->dram_bytes = cost.launches.front().dram_bytes;
  job.prune->l2_bytes = cost.launches.front().l2_bytes;
}

void run_jobs(const std::vector<Job>& jobs, const TrainingFile& file, const GpuConfig& gpu, int workers,
              TrainingReport& report) {
  std::unique_ptr<gpu::Machine> machine;  // of each process
  LocalCrew crew(std::min(workers, static_cast<int>(jobs.size())), [&](const std::string& job) {
    if (!machine) {
      machine = std::make_unique<gpu::Machine>("gpu", gpu.params, tensor_core_of(file.options));
      machine->use_threads(processor_share());
    }
    return run_step(jobs[std::stoul(job)].step, file.plan, file.options, gpu, *machine).text();
  });
  double cost = 0;
  for (const Job& job : jobs) cost += job.cost();
  WorkProgress progress("steps", jobs.size(), cost);
  const auto answered = [&](const WorkerPool::Answer& answer) {
    if (answer.failed) throw StudyFault(jobs[answer.id].name + ": " + answer.text);
    progress.finished(jobs[answer.id].cost());
    take(jobs[answer.id], StepCost::from_text(answer.text), report);
  };
  work_off(all_points(jobs.size()), crew, answered, shown_until_stopped(progress, "run; nothing is kept of them"));
  std::sort(report.failures.begin(), report.failures.end());
}

}  // namespace

TrainingReport run_study(const TrainingFile& file, const GpuConfig& gpu, int workers) {
  TrainingReport report;
  report.file = file.file;
  report.gpu_name = gpu.params.name;
  report.clock_mhz = gpu.params.clock_mhz;
  report.plan = file.plan;
  const TrainingKernels kernels = TrainingKernels::load(file.kernels_folder);
  prepare_report(report);
  const std::vector<Job> jobs = plan_jobs(report, kernels, gpu.params.sms);
  require_runnable(jobs, file, gpu, workers);
  report.quality = mask_quality(file.plan);
  run_jobs(jobs, file, gpu, workers, report);
  return report;
}

}  // namespace stc::sim
