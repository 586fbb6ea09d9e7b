// SPDX-License-Identifier: Apache-2.0
#include "sim/jobs/simulate.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "models/gpu/machine/machine.h"
#include "sim/base/error.h"
#include "sim/base/interrupt.h"
#include "sim/base/worker_pool.h"
#include "sim/jobs/launch_keeper.h"
#include "sim/jobs/run_jobs.h"
#include "sim/run/launch_look.h"
#include "sim/run/launch_sequence.h"

namespace stc::sim {
namespace {

/// The launch of another run file, on the same GPU from the same state of its caches.
Job prepare_dense(RunFile dense, const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine) {
  if (dense.options.warm_l2 != run_file.options.warm_l2) {
    throw UserError(fmt::format("{}: options.l2 is not that of {}", dense.file, run_file.file));
  }
  dense.options.compare_dense = false;
  dense.options.ideal = run_file.options.ideal;
  Job job = std::move(prepare_jobs(dense, gpu, machine).main);
  job.options = dense.options;
  return job;
}

/// What is seen of the launches of a run, if anybody wants to see it.
class Looks {
 public:
  Looks(const Simulation& how, const gpu::GpuParams& gpu) : how_(how), gpu_(gpu) {
    choice_.profile = how.profiles != nullptr;
    if (how.timelines != nullptr) choice_.timeline = how.timeline;
  }
  LaunchResult run(ReadyLaunch& ready, LaunchSequence& sequence, const char* role) {
    if (!choice_.any()) return sequence.run(ready);
    const LaunchLook look(ready, role, gpu_, choice_);
    LaunchResult result = sequence.run(ready);
    if (choice_.profile) how_.profiles->push_back(look.profile(result));
    if (choice_.timeline) {
      how_.timelines->push_back(look.timeline(result));
      choice_.timeline->most_spans -= how_.timelines->back().span_count();
    }
    return result;
  }

 private:
  const Simulation& how_;
  const gpu::GpuParams& gpu_;
  LookChoice choice_;
};

LaunchResult run_job(Job& job, LaunchSequence& sequence, Looks& looks, const char* role,
                     std::vector<LaunchResult>* before = nullptr) {
  for (ReadyLaunch& ready : job.before) {
    LaunchResult one = looks.run(ready, sequence, "before");
    if (before != nullptr) before->push_back(std::move(one));
  }
  LaunchResult result = looks.run(job.ready, sequence, role);
  result.gemm = job.gemm;
  if (job.check) result.check = job.check(sequence.memory().find("D")->data);
  return result;
}

/// What memory calls a buffer, or a variable that the run file names as its source does.
std::string name_in_memory(const ReadyLaunch& ready, const std::string& name) {
  const std::vector<SymbolPlan>& plans = ready.prepared.symbols;  // in the order of ready.symbols
  const auto is_it = [&](const SymbolPlan& plan) { return plan.name == name; };
  const auto found = std::find_if(plans.begin(), plans.end(), is_it);
  return found == plans.end() ? name : ready.symbols[static_cast<std::size_t>(found - plans.begin())].name;
}

/// Bytes of a variable that the launch sets; UserError where kernels cannot write it.
std::uint64_t variable_bytes(const ReadyLaunch& ready, const Expectation& expectation) {
  const std::string name = name_in_memory(ready, expectation.buffer);
  for (const isa::ModuleVariable& variable : ready.kernel.variables) {
    if (variable.name == name && !variable.constant_offset) return variable.bytes;
  }
  throw UserError(fmt::format("{}: '{}' is a __constant__ variable, which no kernel writes", expectation.place,
                              expectation.buffer));
}

/// What is expected and saved, against the sizes of the buffers: now rather than after an hour of simulation.
std::vector<Expectation> require_sizes(const RunFile& run_file, const Jobs& jobs) {
  const auto& buffers = (jobs.main.before.empty() ? jobs.main.ready : jobs.main.before.front()).prepared.buffers;
  const auto find = [&](const std::string& name) {
    const auto is_it = [&](const PreparedBuffer& buffer) { return buffer.name == name; };
    return std::find_if(buffers.begin(), buffers.end(), is_it);
  };
  for (const Save& save : run_file.saves) {
    if (save.type) require_savable(save, find(save.buffer)->data.size());
  }
  std::vector<Expectation> expectations = run_file.expectations;
  for (Expectation& expectation : expectations) {
    const auto buffer = find(expectation.buffer);
    load_expectation(expectation,
                     buffer != buffers.end() ? buffer->data.size() : variable_bytes(jobs.main.ready, expectation));
  }
  return expectations;
}

/// Number and names of launches, for their progress.
void number_launches(Jobs& jobs) {
  std::vector<Job*> all = {&jobs.main};
  if (jobs.dense) all.push_back(&*jobs.dense);
  if (jobs.same_tile) all.push_back(&*jobs.same_tile);
  for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
    all[i]->ready.step = fmt::format("launch {}/{}", i + 1, all.size());
  }
}

void keep_launch(const Job& job, LaunchKeeper& keeper, const RunFile& run_file) {
  if (!job.before.empty()) {
    throw UserError(fmt::format("{}: --keep keeps one launch, not those of a sequence", run_file.file));
  }
  keeper.before(job.ready);
}

double peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace

Jobs prepare_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine) {
  if (run_file.is_gemm()) return prepare_gemm_jobs(run_file, gpu, machine);
  if (run_file.is_convolution()) return prepare_convolution_jobs(run_file, gpu, machine);
  Jobs jobs;
  jobs.main.before = make_ready_sequence(std::get<LaunchPlan>(run_file.work), gpu);
  jobs.main.ready = std::move(jobs.main.before.back());
  jobs.main.before.pop_back();
  return jobs;
}

RunResult empty_result(const RunFile& run_file, const GpuConfig& gpu, const std::vector<std::string>& sets) {
  RunResult result;
  result.run_file = run_file.file;
  result.gpu_file = run_file.gpu_file;
  result.gpu = gpu.params;
  result.config_hash = gpu.hash;
  result.options = texts_of(run_file.options);
  result.options.emplace_back("set", fmt::format("{}", fmt::join(sets, " ")));
  return result;
}

void simulate(const RunFile& run_file, const GpuConfig& gpu, const Simulation& how, RunResult& result) {
  gpu::Machine machine("gpu", gpu.params, tensor_core_of(run_file.options));
  machine.use_threads(how.threads > 0 ? how.threads : processor_share());
  Jobs jobs = prepare_jobs(run_file, gpu, machine);
  if (how.dense != nullptr) jobs.dense = prepare_dense(*how.dense, run_file, gpu, machine);
  number_launches(jobs);
  const std::vector<Expectation> expectations = require_sizes(run_file, jobs);
  result.candidates = jobs.candidates;
  result.dense_candidates = jobs.dense_candidates;
  Looks looks(how, gpu.params);
  {
    if (how.keeper != nullptr) keep_launch(jobs.main, *how.keeper, run_file);
    LaunchSequence sequence(machine, run_file.options, how.printed);
    result.launch = run_job(jobs.main, sequence, looks, "launch", &result.before);
    const Contents contents = [&](const std::string& name) -> const isa::BufferBytes& {
      return sequence.memory().find(name_in_memory(jobs.main.ready, name))->data;
    };
    if (how.ended) how.ended(contents);
    if (how.keeper != nullptr) how.keeper->after(sequence.memory());
    for (const Expectation& expectation : expectations) {
      result.expectations.push_back(check_expectation(expectation, contents(expectation.buffer)));
    }
  }
  const auto run_dense = [&](std::optional<Job>& job, const char* role) -> std::optional<LaunchResult> {
    if (!job) return std::nullopt;
    LaunchSequence sequence(machine, job->options ? *job->options : run_file.options, how.printed);
    return run_job(*job, sequence, looks, role);
  };
  result.dense = run_dense(jobs.dense, "dense");
  result.same_tile = run_dense(jobs.same_tile, "same_tile");
  stop_if_asked("all launches have ended");
  result.peak_mib = peak_mib();
}

}  // namespace stc::sim
