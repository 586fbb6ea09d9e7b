// SPDX-License-Identifier: Apache-2.0
#include "sim/jobs/run_why.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "models/gpu/machine/machine.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/base/work_off.h"
#include "sim/config/ideal_limits.h"
#include "sim/jobs/run_jobs.h"
#include "sim/result/description.h"
#include "sim/run/launch_sequence.h"
#include "sim/run/spread_evenly.h"
#include "sim/run/worker_machines.h"

namespace stc::sim {
namespace {

/// Points: each GPU of the plan with the kernel itself and, where there is one, the dense one behind it.
struct Point {
  std::size_t gpu = 0;
  bool dense = false;
};

Point point_of(const WhyPlan& plan, std::size_t number) {
  return plan.dense ? Point{number / 2, number % 2 == 1} : Point{number, false};
}

/// `kernel`: what 'kernel: best' has chosen.
void name_kernel(RunFile& file, const std::string& kernel) {
  if (auto* gemm = std::get_if<GemmPlan>(&file.work); gemm != nullptr && gemm->best) {
    gemm->best = false;
    gemm->kernel = kernel;
  }
  if (auto* convolution = std::get_if<ConvolutionPlan>(&file.work)) convolution->kernel = kernel;
}

/// Time alone is asked for. Values change that of no kernel of the library; others may look at them.
RunFile file_of(const WhyPlan& plan, const Point& point, const std::string& kernel) {
  const bool other = point.dense && !plan.dense_file.empty();
  RunFile file = other ? read_run_file(plan.dense_file) : read_run_file(plan.file, parse_overrides(plan.sets));
  if (!other) name_kernel(file, kernel);
  file.saves.clear();
  file.expectations.clear();
  if (file.is_gemm() || file.is_convolution()) file.options.full_values = false;
  file.options.check = file.options.poison = file.options.check_dependences = false;
  file.options.compare_dense = point.dense && !other;
  return file;
}

/// Where what kernels print goes: it was printed by the run itself.
struct Nowhere {
  std::FILE* const file = std::fopen("/dev/null", "w");
  Nowhere() {
    if (file == nullptr) throw std::runtime_error("cannot open /dev/null");
  }
  ~Nowhere() { std::fclose(file); }
  Nowhere(const Nowhere&) = delete;
  Nowhere& operator=(const Nowhere&) = delete;
};

std::string run_point(const WhyPlan& plan, const std::string& job, WorkerMachines& machines) {
  const std::size_t blank = job.find(' ');
  const Point point = point_of(plan, static_cast<std::size_t>(parse_integer(job.substr(0, blank)).value()));
  const RunFile file = file_of(plan, point, job.substr(blank + 1));
  gpu::Machine& machine = machines[point.gpu];
  Jobs jobs = prepare_jobs(file, plan.gpus[point.gpu].config, machine);
  Job& one = point.dense && jobs.dense ? *jobs.dense : jobs.main;
  const Nowhere nowhere;
  LaunchSequence sequence(machine, file.options, nowhere.file);
  for (ReadyLaunch& before : one.before) sequence.run(before);
  gpu::RunStatistics run = sequence.run(one.ready).run;
  Json answer = {{"cycles_elapsed", run.cycles_elapsed}, {"busy", run.total.tensor_busy_cycles}};
  spread_evenly(run, plan.gpus[point.gpu].config.params);
  answer["without_tail"] = run.cycles_elapsed;
  return json_text(answer);
}

WaterfallRun run_of(const gpu::RunStatistics& run) { return {run.cycles_elapsed, run.total.tensor_busy_cycles}; }

/// The dense kernel that a waterfall is about: of the same tile.
const LaunchResult* dense_of(const RunResult& result) {
  if (result.same_tile) return &*result.same_tile;
  return result.dense ? &*result.dense : nullptr;
}

/// The command that gives both kernels' cycles with the first `lifted` limits lifted.
std::string command_of(const WhyPlan& plan, const RunResult& result, std::size_t lifted) {
  std::string command = "stcsim run " + shell_word(plan.file);
  if (!plan.dense_file.empty()) command += " --dense " + shell_word(plan.dense_file);
  for (const std::string& set : plan.sets) command += " --set " + shell_word(set);
  if (!result.candidates.empty()) command += " --set workload.gemm.kernel=" + result.launch.name;
  std::string names;
  for (std::size_t i = 0; i < lifted; ++i) names += fmt::format("{}{}", i == 0 ? "" : ",", ideal_limits()[i].key);
  return lifted == 0 ? command : command + " --set options.ideal=" + names;
}

/// That both kernels multiply, and as much: tiles that stand over the edge may add some.
void require_twins(const LaunchResult& kernel, const LaunchResult& dense) {
  constexpr double kMostApart = 1.25;
  const auto work = [](const LaunchResult& launch) { return launch.run.total.tensor_logical_macs; };
  for (const LaunchResult* launch : {&kernel, &dense}) {
    if (work(*launch) != 0) continue;
    throw UserError(
        fmt::format("--why compares times of tensor cores, but {} executes no matrix instruction", launch->name));
  }
  const auto macs = static_cast<double>(work(kernel)), of_dense = static_cast<double>(work(dense));
  if (std::max(macs, of_dense) > kMostApart * std::min(macs, of_dense)) {
    throw UserError(
        fmt::format("--why compares kernels of the same product, but {} has {} multiply-adds (zeros included) "
                    "and {} has {}",
                    kernel.name, grouped(work(kernel)), dense.name, grouped(work(dense))));
  }
}

/// All steps, the first with what the run itself has told.
Waterfall first_step(const WhyPlan& plan, const RunResult& result) {
  Waterfall waterfall;
  waterfall.tensor_cores = result.gpu.sms * result.gpu.sm.sub_cores;
  const LaunchResult* const dense = dense_of(result);
  WaterfallStep simulated{"", "", "", command_of(plan, result, 0), run_of(result.launch.run), std::nullopt};
  if (dense != nullptr) simulated.dense = run_of(dense->run);
  waterfall.steps.push_back(simulated);
  for (const IdealLimit& limit : ideal_limits()) {
    WaterfallStep step{limit.key, limit.title, limit.meaning, command_of(plan, result, waterfall.steps.size()), {}, {}};
    if (dense != nullptr) step.dense.emplace();
    waterfall.steps.push_back(step);
  }
  return waterfall;
}

/// What a run has told, in the steps that it is for.
void fill_in(const WhyPlan& plan, const Point& point, const Json& figures, Waterfall& waterfall) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (plan.steps[i].gpu != point.gpu) continue;
    const std::vector<std::string>& lifted = plan.steps[i].lifted;
    const bool tail = std::find(lifted.begin(), lifted.end(), kTailLimit) == lifted.end();
    const std::string cycles = tail ? "cycles_elapsed" : "without_tail";
    WaterfallStep& step = waterfall.steps[i + 1];
    (point.dense ? *step.dense : step.sparse) = {figures.at(cycles).get<std::uint64_t>(),
                                                 figures.at("busy").get<std::uint64_t>()};
  }
}

}  // namespace

WhyPlan plan_why(const std::string& file, const std::vector<std::string>& sets, const std::string& dense_file,
                 const RunFile& run_file) {
  if (!run_file.options.ideal.empty()) {
    throw UserError(fmt::format("{}: options.ideal does not go with --why, which lifts limits itself", file));
  }
  if (run_file.options.tensor_steps) {
    throw UserError(
        fmt::format("{}: options.tensor_core: steps does not go with --why, which lifts limits of them", file));
  }
  WhyPlan plan{file, sets, dense_file, run_file.options.compare_dense || !dense_file.empty(), {}, {}};
  std::vector<std::string> lifted;
  for (const IdealLimit& limit : ideal_limits()) {
    lifted.emplace_back(limit.key);
    if (!limit.keys.empty()) {
      std::vector<Override> keys = run_file.gpu_overrides;
      for (const Override& key : lifted_keys(lifted)) keys.push_back(key);
      plan.gpus.push_back({read_gpu_config(run_file.gpu_file, keys)});
    }
    plan.steps.push_back({lifted, plan.gpus.size() - 1});
  }
  return plan;
}

/// Its jobs are numbers of points with the name of the kernel.
struct WhyRuns::Crew : sim::Crew {
  Crew(const WhyPlan& plan, int processes)
      : pool(processes, [&plan, machines = std::make_shared<WorkerMachines>(plan.gpus)](const std::string& job) {
          return run_point(plan, job, *machines);
        }) {}
  int size() const override { return pool.size(); }
  bool has_idle() const override { return pool.has_idle(); }
  bool busy() const override { return pool.busy(); }
  void submit(std::size_t point) override { pool.submit(point, fmt::format("{} {}", point, kernel)); }
  std::optional<WorkerPool::Answer> poll(int milliseconds) override { return pool.poll(milliseconds); }

  WorkerPool pool;
  std::string kernel;
};

WhyRuns::WhyRuns(const WhyPlan& plan, int processes) : plan_(plan) {
  const std::size_t points = plan.gpus.size() * (plan.dense ? 2 : 1);
  crew_ = std::make_unique<Crew>(plan, std::clamp(processes, 1, static_cast<int>(points)));
}
WhyRuns::~WhyRuns() = default;

Waterfall WhyRuns::explain(const RunResult& result) {
  if (const LaunchResult* const dense = dense_of(result)) require_twins(result.launch, *dense);
  Waterfall waterfall = first_step(plan_, result);
  const std::size_t points = plan_.gpus.size() * (plan_.dense ? 2 : 1);
  crew_->kernel = result.launch.name;
  WorkProgress progress("runs with lifted limits", points, static_cast<double>(points));
  const auto answered = [&](const WorkerPool::Answer& answer) {
    const Point point = point_of(plan_, answer.id);
    if (answer.failed) {
      throw std::runtime_error(fmt::format("--why, run {} of {}: {}", answer.id + 1, points, answer.text));
    }
    fill_in(plan_, point, parse_json(answer.text), waterfall);
    progress.finished(1);
  };
  work_off(all_points(points), *crew_, answered, shown_until_stopped(progress, "simulated"));
  return waterfall;
}

}  // namespace stc::sim
