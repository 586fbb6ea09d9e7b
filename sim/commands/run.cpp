// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/run.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "models/gpu/machine/machine.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/base/worker_pool.h"
#include "sim/commands/run_jobs.h"
#include "sim/profile/profile_json.h"
#include "sim/result/result_json.h"
#include "sim/result/result_table.h"
#include "sim/run/launch_look.h"
#include "sim/run/launch_sequence.h"

namespace stc::sim {
namespace {

constexpr const char* kRunExamples =
    "Examples:\n"
    "  stcsim run configs/workloads/demo_1024_sparse.yaml\n"
    "  stcsim run configs/workloads/demo_1024_sparse.yaml --set workload.gemm.k=2048 --json result.json\n"
    "  stcsim run configs/workloads/demo_1024_sparse.yaml --set gpu.sms=54 --out results\n";

std::string output_path(const RunCommand& command, const Save& save) {
  return resolve_path(command.out_folder.empty() ? save.folder : command.out_folder, save.file);
}

std::vector<std::string> output_files(const RunCommand& command, const RunFile& run_file) {
  std::vector<std::string> outputs;
  if (!command.json_file.empty() && command.json_file != "-") outputs.push_back(command.json_file);
  for (const char* name : {"result.json", "report.txt"}) {
    if (!command.out_folder.empty()) outputs.push_back(resolve_path(command.out_folder, name));
  }
  if (!command.profile_file.empty()) outputs.push_back(command.profile_file);
  for (const Save& save : run_file.saves) outputs.push_back(output_path(command, save));
  return outputs;
}

std::vector<std::string> input_files(const RunCommand& command, const RunFile& run_file) {
  std::vector<std::string> inputs = {command.file, run_file.gpu_file};
  const auto add = [&inputs](const LaunchPlan& launch) {
    inputs.push_back(launch.module);
    for (const BufferPlan& buffer : launch.buffers) inputs.push_back(buffer.fill.file);
    for (const SymbolPlan& symbol : launch.symbols) inputs.push_back(symbol.fill.file);
  };
  if (const auto* launch = std::get_if<LaunchPlan>(&run_file.work)) {
    add(*launch);
    for (const LaunchPlan& before : launch->before) add(before);
  }
  for (const Expectation& expectation : run_file.expectations) inputs.push_back(expectation.file);
  return inputs;
}

/// Fails now rather than after an hour of simulation.
void require_outputs_writable(const RunCommand& command, const RunFile& run_file) {
  require_outputs(output_files(command, run_file), input_files(command, run_file));
}

Jobs prepare_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine) {
  if (run_file.is_gemm()) return prepare_gemm_jobs(run_file, gpu, machine);
  if (run_file.is_convolution()) return prepare_convolution_jobs(run_file, gpu, machine);
  Jobs jobs;
  jobs.before = make_ready_sequence(std::get<LaunchPlan>(run_file.work), gpu);
  jobs.main.ready = std::move(jobs.before.back());
  jobs.before.pop_back();
  return jobs;
}

/// What is seen of the launches of a run, if anybody wants to see it.
class Looks {
 public:
  Looks(bool wanted, const gpu::GpuParams& gpu) : wanted_(wanted), gpu_(gpu) {}
  LaunchResult run(ReadyLaunch& ready, LaunchSequence& sequence, const char* role) {
    if (!wanted_) return sequence.run(ready);
    const LaunchLook look(ready, role);
    LaunchResult result = sequence.run(ready);
    profiles_.push_back(look.profile(result, gpu_));
    return result;
  }
  void write(const RunCommand& command, OutputFiles& outputs) const {
    if (wanted_) outputs.add_text(command.profile_file, json_text(profile_json(profiles_)) + "\n");
  }

 private:
  const bool wanted_;
  const gpu::GpuParams& gpu_;
  std::vector<LaunchProfile> profiles_;
};

LaunchResult run_job(Job& job, LaunchSequence& sequence, Looks& looks, const char* role) {
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

const std::vector<std::uint8_t>& contents(LaunchSequence& sequence, const ReadyLaunch& ready, const std::string& name) {
  return sequence.memory().find(name_in_memory(ready, name))->data;
}

/// What is expected and saved, against the sizes of the buffers: now rather than after an hour of simulation.
std::vector<Expectation> require_sizes(const RunFile& run_file, const Jobs& jobs) {
  const auto& buffers = (jobs.before.empty() ? jobs.main.ready : jobs.before.front()).prepared.buffers;
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

/// All launches of the run, and the buffers that it saves.
void simulate(const RunCommand& command, const RunFile& run_file, const GpuConfig& gpu, RunResult& result,
              OutputFiles& outputs) {
  gpu::Machine machine("gpu", gpu.params, tensor_core_of(run_file.options));
  machine.use_threads(command.threads > 0 ? command.threads : processor_share());
  Jobs jobs = prepare_jobs(run_file, gpu, machine);
  number_launches(jobs);
  const std::vector<Expectation> expectations = require_sizes(run_file, jobs);
  result.candidates = jobs.candidates;
  result.dense_candidates = jobs.dense_candidates;
  Looks looks(!command.profile_file.empty(), gpu.params);
  std::FILE* const printed = command.json_file == "-" ? stderr : stdout;  // standard output is JSON alone
  {
    LaunchSequence sequence(machine, run_file.options, printed);
    for (ReadyLaunch& ready : jobs.before) result.before.push_back(looks.run(ready, sequence, "before"));
    result.launch = run_job(jobs.main, sequence, looks, "launch");
    for (const Save& save : run_file.saves) {
      outputs.add(output_path(command, save), saved_bytes(save, contents(sequence, jobs.main.ready, save.buffer)));
    }
    for (const Expectation& expectation : expectations) {
      result.expectations.push_back(
          check_expectation(expectation, contents(sequence, jobs.main.ready, expectation.buffer)));
    }
  }
  const auto run_dense = [&](std::optional<Job>& job, const char* role) -> std::optional<LaunchResult> {
    if (!job) return std::nullopt;
    LaunchSequence sequence(machine, run_file.options, printed);
    return run_job(*job, sequence, looks, role);
  };
  result.dense = run_dense(jobs.dense, "dense");
  result.same_tile = run_dense(jobs.same_tile, "same_tile");
  looks.write(command, outputs);
  stop_if_asked("all launches have ended");
}

/// Of a run that was stopped: the launches that had ended, and the files that would have been written.
std::string what_is_left(const RunResult& result, const std::vector<std::string>& files) {
  std::string text;
  const auto ended = [&](const LaunchResult& launch) {
    text += fmt::format("\n{} had ended, after {} cycles", launch.name, grouped(launch.run.cycles_elapsed));
  };
  for (const LaunchResult& launch : result.before) ended(launch);
  if (!result.launch.name.empty()) ended(result.launch);
  if (result.dense) ended(*result.dense);
  if (result.same_tile) ended(*result.same_tile);
  if (files.empty()) return text;
  return text + fmt::format("\nnot written: {}", join(files, ", "));
}

double peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// The options of run files, for --help.
std::string option_list() {
  std::string text = "Options of run files (options: KEY: VALUE, or --set options.KEY=VALUE):\n";
  for (const RunOption& option : run_options()) {
    text += fmt::format("  {:<18} {}\n{}{}\n", option.key, option.values, std::string(21, ' '), option.meaning);
  }
  return text + "\n";
}

}  // namespace

Command add_run_command(CommandLine& line, RunCommand& command) {
  Command run = line.command("run", "Run a kernel on a simulated GPU and report what it cost");
  run.option("FILE", command.file, "Run file (YAML); configs/workloads/README.md explains it").required();
  run.prints("--schema", "Print the JSON schema of results, every key with its unit and meaning, and exit",
             [] { return json_text(result_schema(), 2); });
  run.option("--set", command.sets,
             "Replace a key of the run file, or of the GPU with gpu. in front: --set workload.gemm.m=8192 "
             "--set gpu.clock_mhz=1095; file names in a VALUE are relative to the working folder; may be repeated")
      .one_value()
      .type("KEY=VALUE");
  run.option("--out", command.out_folder, "Folder for report.txt, result.json and the saved buffers; made if missing")
      .type("DIR");
  run.option("--json", command.json_file, "Write the result as JSON; - prints it instead of the table").type("FILE");
  run.option("--profile", command.profile_file,
             "Write what each instruction costs as JSON: executions, stalls, wavefronts, sectors, source lines; "
             "`stcsim inspect --profile FILE CUBIN` shows it as a listing")
      .type("FILE");
  run.option("--threads", command.threads,
             "Threads that may run SMs side by side, while that is faster than one: one per processor if not given. "
             "The result is the same with any number")
      .whole_number(1, 1024);
  run.footer(option_list() + kRunExamples);
  return run;
}

int run(const RunCommand& command) {
  const std::vector<Override> overrides = parse_overrides(command.sets);
  const RunFile run_file = read_run_file(command.file, overrides);
  const GpuConfig gpu = read_gpu_config(run_file.gpu_file, run_file.gpu_overrides);
  if (!command.profile_file.empty() && run_file.options.sampling) {
    throw UserError(
        "--profile: does not go with 'options.sampling', which leaves out what repeats; 'sampling: off' "
        "simulates all of it");
  }
  require_outputs_writable(command, run_file);
  RunResult result;
  result.run_file = command.file;
  result.gpu_file = run_file.gpu_file;
  result.gpu = gpu.params;
  result.config_hash = gpu.hash;
  result.options = texts_of(run_file.options);
  result.options.emplace_back("set", fmt::format("{}", fmt::join(command.sets, " ")));
  OutputFiles outputs;
  stop_on_signals();
  try {
    simulate(command, run_file, gpu, result, outputs);
  } catch (const Interrupted& stopped) {
    throw Interrupted(stopped.signal, stopped.what() + what_is_left(result, output_files(command, run_file)));
  }
  result.peak_mib = peak_mib();

  const std::string table = result_table(result);
  const std::string json = json_text(result_json(result), 2) + "\n";
  if (!command.json_file.empty() && command.json_file != "-") outputs.add_text(command.json_file, json);
  if (!command.out_folder.empty()) {
    outputs.add_text(resolve_path(command.out_folder, "result.json"), json);
    outputs.add_text(resolve_path(command.out_folder, "report.txt"), table);
  }
  outputs.commit();
  fmt::print("{}", command.json_file == "-" ? json : table);
  return result.checks_passed() ? kOk : kCheckFailed;
}

}  // namespace stc::sim
