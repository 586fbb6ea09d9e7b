// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/run.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
#include <optional>

#include "models/gpu/machine.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/launch/manifest.h"
#include "sim/result/result_json.h"
#include "sim/result/result_table.h"
#include "sim/run/best_kernel.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  stcsim run configs/workloads/demo_1024_sparse.yaml\n"
    "  stcsim run configs/workloads/demo_1024_sparse.yaml --set workload.gemm.k=2048 --json result.json\n"
    "  stcsim run configs/workloads/demo_1024_sparse.yaml --set gpu.sms=54 --out results\n";

std::string output_path(const RunCommand& command, const Save& save) {
  return resolve_path(command.out_folder.empty() ? save.folder : command.out_folder, save.file);
}

/// Fails now rather than after an hour of simulation.
void require_outputs_writable(const RunCommand& command, const RunFile& run_file) {
  std::vector<std::string> outputs;
  if (command.json_file != "-") outputs.push_back(command.json_file);
  for (const char* name : {"result.json", "report.txt"}) {
    if (!command.out_folder.empty()) outputs.push_back(resolve_path(command.out_folder, name));
  }
  for (const Save& save : run_file.saves) outputs.push_back(output_path(command, save));
  const auto* launch = std::get_if<LaunchPlan>(&run_file.work);
  require_outputs(outputs, {command.file, run_file.gpu_file, launch != nullptr ? launch->module : ""});
}

/// A launch of a run, with what is needed to check its result.
struct Job {
  ReadyLaunch ready;
  std::optional<GemmProblem> gemm;
};

struct Jobs {
  Job main;
  std::optional<Job> dense, same_tile;
  GemmMatrices matrices;  ///< of the GEMM, kept for the check
};

/// Kernels to compare with.
struct DenseKernels {
  std::optional<LibraryKernel> dense, same_tile;
};

std::vector<KernelEstimate> rank(const GemmPlan& plan, const std::string& pattern, const RunFile& run_file,
                                 BestKernel& best) {
  const auto size = [](std::int64_t value) { return static_cast<int>(value); };
  return best.rank(
      {plan.type, pattern, size(plan.m), size(plan.n), size(plan.k), run_file.options.warm_l2, plan.place});
}

/// The dense twin, or the fastest dense kernel with the twin beside it where the run file asks for the best.
DenseKernels dense_kernels(const RunFile& run_file, const GemmPlan& plan, const LibraryKernel& kernel,
                           const Manifest& manifest, BestKernel& best, RunResult& result) {
  if (!run_file.options.compare_dense) return {};
  const std::optional<LibraryKernel> twin = kernel.sparse() ? dense_twin(kernel, manifest) : std::nullopt;
  if (!twin) {
    throw UserError(fmt::format("{}: compare_dense: kernel {} {}", run_file.file, kernel.name,
                                kernel.sparse() ? "has no dense twin in the library" : "is dense itself"));
  }
  if (!plan.best) return {twin, std::nullopt};
  result.dense_candidates = rank(plan, "dense", run_file, best);
  const LibraryKernel* const fastest = manifest.find(result.dense_candidates.front().kernel);
  if (fastest->name == twin->name) return {twin, std::nullopt};
  return {*fastest, twin};
}

Jobs prepare_gemm_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine, RunResult& result) {
  auto plan = std::get<GemmPlan>(run_file.work);
  const Manifest manifest = Manifest::load(plan.kernels_folder);
  BestKernel best(gpu, manifest, machine);
  if (plan.best) {
    result.candidates = rank(plan, plan.pattern, run_file, best);
    plan.kernel = result.candidates.front().kernel;
  }
  const GemmProblem problem = resolve_gemm(plan, manifest);
  const DenseKernels compared = dense_kernels(run_file, plan, problem.kernel, manifest, best, result);
  for (const Save& save : run_file.saves) {
    if (save.buffer == "E" && !problem.kernel.sparse()) {
      throw UserError(fmt::format("{}: workload.save: a dense kernel has no buffer 'E'", run_file.file));
    }
  }
  const bool full = run_file.options.full_values;
  // All launches are prepared before the first one runs.
  double others = 0;
  for (const auto& other : {compared.dense, compared.same_tile}) {
    if (other) others += host_bytes(with_kernel(problem, *other), false);
  }
  require_host_memory(host_bytes(problem, full) + others,
                      fmt::format("{}: m = {}, n = {}, k = {}", plan.place, problem.m, problem.n, problem.k));
  Jobs jobs;
  const auto ready = [&](const GemmProblem& of, const GemmMatrices* matrices) {
    PreparedLaunch prepared = prepare_gemm(of, gpu.params.sm_version, matrices);
    const std::string& place = plan.place;  // all that the launch demands comes from the kernel
    prepared.places = {place, place, place, place, place, place, place};
    return make_ready(std::move(prepared), gpu, of.kernel.name);
  };
  ready(problem, nullptr);  // without contents first: whatever is wrong with it shows before the long work
  if (full) jobs.matrices = make_matrices(problem);
  const auto make = [&](const GemmProblem& of) { return Job{ready(of, full ? &jobs.matrices : nullptr), of}; };
  jobs.main = make(problem);
  if (compared.dense) jobs.dense = make(with_kernel(problem, *compared.dense));
  if (compared.same_tile) jobs.same_tile = make(with_kernel(problem, *compared.same_tile));
  if (!run_file.options.check) jobs.matrices = {};
  return jobs;
}

Jobs prepare_jobs(const RunFile& run_file, const GpuConfig& gpu, gpu::Machine& machine, RunResult& result) {
  if (run_file.is_gemm()) return prepare_gemm_jobs(run_file, gpu, machine, result);
  Jobs jobs;
  jobs.main.ready = make_ready(prepare_launch(std::get<LaunchPlan>(run_file.work)), gpu);
  return jobs;
}

LaunchResult run_job(Job& job, const Jobs& jobs, const RunFile& run_file, gpu::Machine& machine,
                     isa::GlobalMemory& memory, std::FILE* printed) {
  LaunchResult result = run_launch(job.ready, machine, run_file.options, memory, printed);
  result.gemm = job.gemm;
  if (run_file.options.check) {
    result.check = check_gemm(*job.gemm, machine.params().sm_version, jobs.matrices, memory.find("D")->data);
  }
  return result;
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

CLI::App* add_run_command(CLI::App& app, RunCommand& command) {
  CLI::App* run = app.add_subcommand("run", "Run a kernel on a simulated GPU and report what it cost");
  run->add_option("FILE", command.file, "Run file (YAML); configs/workloads/README.md explains it")->required();
  run->set_version_flag("--schema", [] { return json_text(result_schema(), 2); })
      ->description("Print the JSON schema of results, every key with its unit and meaning, and exit");
  run->add_option("--set", command.sets,
                  "Replace a key of the run file, or of the GPU with gpu. in front: --set workload.gemm.m=8192 "
                  "--set gpu.clock_mhz=1095; file names in a VALUE are relative to the working folder; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  run->add_option("--out", command.out_folder,
                  "Folder for report.txt, result.json and the saved buffers; made if missing")
      ->type_name("DIR");
  run->add_option("--json", command.json_file, "Write the result as JSON; - prints it instead of the table")
      ->type_name("FILE");
  run->footer(option_list() + kExamples);
  return run;
}

int run(const RunCommand& command) {
  std::vector<Override> overrides;
  for (const std::string& set : command.sets) overrides.push_back(parse_override(set));
  const RunFile run_file = read_run_file(command.file, overrides);
  const GpuConfig gpu = read_gpu_config(run_file.gpu_file, run_file.gpu_overrides);
  require_outputs_writable(command, run_file);
  gpu::Machine machine("gpu", gpu.params, tensor_core_of(run_file.options));
  RunResult result;
  Jobs jobs = prepare_jobs(run_file, gpu, machine, result);
  result.run_file = command.file;
  result.gpu_file = run_file.gpu_file;
  result.gpu = gpu.params;
  result.config_hash = gpu.hash;
  result.options = texts_of(run_file.options);
  result.options.emplace_back("set", fmt::format("{}", fmt::join(command.sets, " ")));
  OutputFiles outputs;
  std::FILE* const printed = command.json_file == "-" ? stderr : stdout;  // standard output is JSON alone
  {
    isa::GlobalMemory memory;
    result.launch = run_job(jobs.main, jobs, run_file, machine, memory, printed);
    for (const Save& save : run_file.saves) outputs.add(output_path(command, save), memory.find(save.buffer)->data);
  }
  const auto run_dense = [&](std::optional<Job>& job) -> std::optional<LaunchResult> {
    if (!job) return std::nullopt;
    isa::GlobalMemory memory;
    return run_job(*job, jobs, run_file, machine, memory, printed);
  };
  result.dense = run_dense(jobs.dense);
  result.same_tile = run_dense(jobs.same_tile);
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
