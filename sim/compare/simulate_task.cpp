// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/simulate_task.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

#include "models/gpu/gpu.h"
#include "sim/base/error.h"
#include "sim/base/median.h"
#include "sim/compare/metric.h"
#include "sim/compare/read_measured.h"
#include "sim/compare/simulate_foreign.h"
#include "sim/convolution/simulate.h"
#include "sim/crossover/spmm_launch.h"
#include "sim/launch/gemm_workload.h"
#include "sim/micro/run_point.h"
#include "sim/result/describe_run.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

/// Those of zeros too; none where that of the matrix instructions is not known.
void add_energy(const gpu::Energy& energy, const gpu::GpuParams& gpu, MetricValues& metrics) {
  if (!energy.known || energy.seconds <= 0) return;
  metrics["joules"] = energy.limited_joules;
  metrics["watts"] = energy.limited_joules / energy.limited_seconds;
  metrics["limited_us"] = energy.limited_seconds * 1e6;
  metrics["limited_mhz"] = energy.limited_mhz;
  metrics["joules_of_zeros"] = energy.total_of_zeros();
  metrics["watts_of_zeros"] = energy.total_of_zeros() / energy.seconds;
  metrics["us_of_zeros"] = energy.seconds * 1e6;
  metrics["mhz_of_zeros"] = gpu.clock_mhz;
}

void add_run(const gpu::RunStatistics& run, const GpuConfig& gpu, TaskResult& result) {
  MetricValues& metrics = result.metrics;
  const Json figures = describe_run().json({&run, &gpu.params});
  for (const Metric& metric : all_metrics()) {
    if (metric.figure != nullptr) metrics[metric.key] = figure_of(figures, metric.figure);
  }
  add_energy(run.energy, gpu.params, metrics);
  for (int i = 0; i < kStalls; ++i) {
    const std::uint64_t cycles = run.total.stalls[static_cast<std::size_t>(i)];
    if (cycles != 0) result.stalls[name_of(static_cast<Stall>(i))] = static_cast<double>(cycles);
  }
  result.bound = find_bound(gpu.params, run).by;
}

void run_gemm(const SimulationTask& task, const TaskContext& context, gpu::Machine& machine, TaskResult& result) {
  GemmPlan plan;
  plan.kernel = task.kernel;
  plan.m = task.m;
  plan.n = task.n;
  plan.k = task.k;
  plan.place = "kernel";
  plan.m_place = "m";
  plan.n_place = "n";
  plan.k_place = "k";
  const GemmProblem problem = resolve_gemm(plan, context.manifest);
  ReadyLaunch ready =
      make_ready(prepare_gemm(problem, context.gpu.params.sm_version, nullptr), context.gpu, task.kernel);
  RunOptions options;
  options.full_values = false;
  options.warm_l2 = task.warm_l2;
  isa::GlobalMemory memory;
  add_run(run_launch(ready, machine, options, memory).run, context.gpu, result);
}

void run_spmm(const SimulationTask& task, const TaskContext& context, gpu::Machine& machine, TaskResult& result) {
  const SpmmOperands operands = measured_spmm_operands(task.spmm, static_cast<int>(task.m), static_cast<int>(task.n),
                                                       static_cast<int>(task.k), task.sparsity);
  ReadyLaunch ready = make_ready(prepare_spmm(task.spmm, operands, context.gpu.params.sm_version, task.parts),
                                 context.gpu, task.kernel);
  RunOptions options;
  options.full_values = false;
  isa::GlobalMemory memory;
  add_run(run_launch(ready, machine, options, memory).run, context.gpu, result);
}

void run_microbenchmark(const SimulationTask& task, const TaskContext& context, gpu::Machine& machine,
                        TaskResult& result) {
  const micro::Outcome outcome = micro::Runner(machine, context.micro_folder).run(task.micro);
  add_run(outcome.run, context.gpu, result);
  result.operations = static_cast<double>(outcome.operations);
  const std::vector<double>& values = outcome.simulated;
  switch (task.micro.kind) {
    case micro::Kind::kInterval:
      result.metrics["cycles"] = values.at(0);
      result.metrics["cta_cycles"] = values.at(1);
      result.metrics["warp_cycles"] = values.at(2);
      break;
    case micro::Kind::kClocks: {
      std::vector<double> last;
      for (std::size_t i = task.micro.samples; i <= values.size(); i += task.micro.samples)
        last.push_back(values[i - 1]);
      result.metrics["last_clock"] = median(std::move(last));
      break;
    }
    case micro::Kind::kLatency: result.metrics["latency"] = median(values); break;
    case micro::Kind::kCtas: result.metrics["cta_cycles"] = median(values); break;
  }
}

}  // namespace

TaskResult simulate_task(const SimulationTask& task, const TaskContext& context, gpu::Machine& machine) {
  TaskResult result;
  const auto start = std::chrono::steady_clock::now();
  try {
    if (task.kind == SimulationTask::Kind::kGemm) {
      run_gemm(task, context, machine, result);
    } else if (task.kind == SimulationTask::Kind::kConvolution) {
      add_run(simulate_convolution(task.layer, task.convolution, context.gpu, machine, task.warm_l2).run, context.gpu,
              result);
    } else if (task.kind == SimulationTask::Kind::kSpmm) {
      run_spmm(task, context, machine, result);
    } else if (task.kind == SimulationTask::Kind::kForeign) {
      add_run(simulate_foreign(task.foreign, context.gpu, machine), context.gpu, result);
    } else {
      run_microbenchmark(task, context, machine, result);
    }
  } catch (const std::bad_alloc&) {
    result.failure = "not enough memory on this computer";
    result.crashed = true;
  } catch (const std::exception& error) {  // faults, deadlocks, refused launches, what the decoder does not know
    result.failure = error.what();
  }
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

nlohmann::ordered_json TaskResult::json() const {
  nlohmann::ordered_json json = {
      {"metrics", metrics}, {"stalls", stalls}, {"bound", bound}, {"operations", operations}, {"wall_s", wall_s}};
  if (!failure.empty()) json["failure"] = failure;
  if (crashed) json["crashed"] = true;
  return json;
}

TaskResult TaskResult::from_json(const nlohmann::ordered_json& json) {
  TaskResult result;
  result.metrics = json.at("metrics").get<MetricValues>();
  result.stalls = json.at("stalls").get<MetricValues>();
  result.bound = json.at("bound").get<std::string>();
  result.operations = json.at("operations").get<double>();
  result.wall_s = json.at("wall_s").get<double>();
  result.failure = json.value("failure", "");
  result.crashed = json.value("crashed", false);
  return result;
}

}  // namespace stc::sim
