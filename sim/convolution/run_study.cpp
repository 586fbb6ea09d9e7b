// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/base/json_text.h"
#include "sim/base/progress.h"
#include "sim/base/work_off.h"
#include "sim/convolution/simulate.h"
#include "sim/convolution/study.h"
#include "sim/run/worker_machines.h"

namespace stc::sim {
namespace {

struct Task {
  std::size_t gpu = 0, layer = 0;
  ConvolutionKernel kernel;
  double cost = 0;
};

std::vector<Task> tasks_of(const ConvolutionStudy& study) {
  std::vector<Task> tasks;
  for (std::size_t gpu = 0; gpu < study.gpus.size(); ++gpu) {
    for (std::size_t layer = 0; layer < study.layers.size(); ++layer) {
      const ConvolutionLayer& of = study.layers[layer].layer;
      for (const bool sparse : {false, true}) {
        for (const ConvolutionKernel& kernel : study.library.fitting(of, study.type, sparse)) {
          tasks.push_back({gpu, layer, kernel, of.operations()});
        }
      }
    }
  }
  // The dearest first, so that no long one is left for the end.
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.cost > b.cost; });
  return tasks;
}

std::vector<KernelTime> time_tasks(const ConvolutionStudy& study, const std::vector<Task>& tasks, int jobs) {
  WorkerMachines machines(study.gpus);
  LocalCrew crew(std::min(jobs, static_cast<int>(tasks.size())), [&](const std::string& job) {
    const Task& task = tasks[std::stoul(job)];
    const ConvolutionLayer& layer = study.layers[task.layer].layer;
    const GpuConfig& gpu = study.gpus[task.gpu].config;
    const LaunchResult launch = simulate_convolution(layer, task.kernel, gpu, machines[task.gpu], study.warm_l2);
    return json_text(kernel_time(launch, gpu.params, task.kernel, layer).json());
  });
  std::vector<KernelTime> times(tasks.size());
  const std::deque<std::size_t> all = all_points(tasks.size());
  WorkProgress progress("kernels", all.size(), cost_of(tasks, all));
  const auto answered = [&](const WorkerPool::Answer& answer) {
    const Task& task = tasks[answer.id];
    if (answer.failed) {
      throw std::runtime_error(
          fmt::format("{} with {}: {}", study.layers[task.layer].layer.name, task.kernel.name(), answer.text));
    }
    progress.finished(task.cost);
    times[answer.id] = KernelTime::from_json(parse_json(answer.text));
  };
  work_off(all, crew, answered, shown_until_stopped(progress, "timed; nothing is kept of them"));
  return times;
}

std::size_t fastest(const std::vector<KernelTime>& times, bool sparse) {
  std::size_t best = times.size();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].sparse == sparse && (best == times.size() || times[i].cycles < times[best].cycles)) best = i;
  }
  return best;
}

}  // namespace

double LayerResult::speedup() const {
  return static_cast<double>(dense().cycles) / static_cast<double>(sparse().cycles);
}

ConvolutionTotals ConvolutionResult::totals_of(const ConvolutionStudy& study, std::size_t gpu) const {
  ConvolutionTotals totals;
  for (const LayerResult& one : layers) {
    if (one.gpu != gpu) continue;
    const double count = study.layers[one.layer].count;
    totals.dense_us += count * one.dense().time_us;
    totals.sparse_us += count * one.sparse().time_us;
    totals.best_us += count * std::min(one.dense().time_us, one.sparse().time_us);
  }
  return totals;
}

ConvolutionResult run_study(const ConvolutionStudy& study, int jobs) {
  const std::vector<Task> tasks = tasks_of(study);
  const std::vector<KernelTime> times = time_tasks(study, tasks, jobs);
  ConvolutionResult result;
  result.layers.resize(study.gpus.size() * study.layers.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    LayerResult& one = result.layers[tasks[i].gpu * study.layers.size() + tasks[i].layer];
    one.gpu = tasks[i].gpu;
    one.layer = tasks[i].layer;
    one.times.push_back(times[i]);
  }
  for (LayerResult& one : result.layers) {
    one.dense_at = fastest(one.times, false);
    one.sparse_at = fastest(one.times, true);
    one.advice = advise(one.dense(), one.sparse(), study.gpus[one.gpu].config.params.sms);
  }
  return result;
}

}  // namespace stc::sim
