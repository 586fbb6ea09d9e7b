// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/base/worker_pool.h"
#include "sim/commands/run_looks.h"
#include "sim/jobs/launch_keeper.h"
#include "sim/jobs/run_why.h"
#include "sim/jobs/simulate.h"
#include "sim/page/run_page.h"
#include "sim/result/result_json.h"
#include "sim/result/result_table.h"

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
  if (!command.html_file.empty()) outputs.push_back(command.html_file);
  for (const char* name : {"result.json", "report.txt"}) {
    if (!command.out_folder.empty()) outputs.push_back(resolve_path(command.out_folder, name));
  }
  for (const std::string& file : {command.profile_file, command.timeline_file}) {
    if (!file.empty()) outputs.push_back(file);
  }
  for (const Save& save : run_file.saves) outputs.push_back(output_path(command, save));
  if (!command.keep_folder.empty()) outputs.push_back(resolve_path(command.keep_folder, "001/run.yaml"));
  return outputs;
}

std::vector<std::string> input_files(const RunCommand& command, const RunFile& run_file) {
  std::vector<std::string> inputs = {command.file, run_file.gpu_file};
  const auto add = [&inputs](const LaunchPlan& launch) {
    inputs.push_back(launch.module);
    for (const BufferPlan& buffer : launch.buffers) inputs.push_back(buffer.fill.file);
    for (const SymbolPlan& symbol : launch.symbols) inputs.push_back(symbol.fill.file);
  };
  if (!command.dense_file.empty()) inputs.push_back(command.dense_file);
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

/// The options of run files, for --help.
std::string option_list() {
  std::string text = "Options of run files (options: KEY: VALUE, or --set options.KEY=VALUE):\n";
  for (const RunOption& option : run_options()) {
    text += fmt::format("  {:<18} {}\n{}{}\n", option.key, option.values, std::string(21, ' '), option.meaning);
  }
  return text + "\n";
}

/// Whether all that is asked for goes with what the run file says.
void require_possible(const RunCommand& command, const RunFile& run_file, const gpu::GpuParams& gpu) {
  if (!command.dense_file.empty() && run_file.options.compare_dense) {
    throw UserError(
        fmt::format("{}: options.compare_dense does not go with --dense, which names the dense kernel", command.file));
  }
  if (command.html_file == "-") throw UserError("--html -: must be a file; only --json can be printed");
  if (command.keep_folder == "-") throw UserError("--keep -: standard output is no folder; name one");
  require_looks_possible(command, run_file.options, gpu);
}

int processes_of(const RunCommand& command) { return command.threads > 0 ? command.threads : available_processors(); }

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
  run.option("--dense", command.dense_file,
             "Run file of the dense kernel to compare with; a GEMM of the library has its own (options.compare_dense)")
      .type("FILE");
  run.flag(
      "--why", command.why,
      "Also explain the gap to the ideal speedup (without a dense kernel: to the tensor cores' time) as parts, each "
      "by a run in which a limit of the GPU is lifted (options.ideal): seven more runs of each kernel");
  run.option("--out", command.out_folder, "Folder for report.txt, result.json and the saved buffers; made if missing")
      .type("DIR");
  run.option("--json", command.json_file, "Write the result as JSON; - prints it instead of the table").type("FILE");
  run.option("--profile", command.profile_file,
             "Write what each instruction costs as JSON: executions, stalls, wavefronts, sectors, source lines; "
             "`stcsim inspect --profile FILE CUBIN` shows it as a listing")
      .type("FILE");
  run.option(
         "--timeline", command.timeline_file,
         "Write what happens when, for ui.perfetto.dev: launches, CTAs on all SMs, issues and stalls of the warps of "
         "some SMs, use of the GPU's resources over time")
      .type("FILE");
  run.option("--timeline-window", command.timeline_window, "Only these cycles of each launch").type("FIRST-LAST");
  run.option("--timeline-sms", command.timeline_sms, "SMs whose warps it shows, such as 0,4-7; 0 if not given")
      .type("LIST");
  run.option("--keep", command.keep_folder,
             "Keep the launch in DIR/001 as a run file of its own: machine code, also of kernels that stcsim builds, "
             "buffers at their addresses and what they held afterwards; for `stcsim run` and `stcgpu run`")
      .type("DIR");
  run.option("--html", command.html_file,
             "Write a page with charts: what bounds the run, where warps wait, use over time, the hottest "
             "instructions, each "
             "level's use and bytes, energy; with --why the waterfall")
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
  require_possible(command, run_file, gpu.params);
  require_outputs_writable(command, run_file);
  RunResult result = empty_result(run_file, gpu, command.sets);
  OutputFiles outputs;
  const auto keep = [&](const Contents& contents) {
    for (const Save& save : run_file.saves) {
      outputs.add(output_path(command, save), saved_bytes(save, contents(save.buffer)));
    }
  };
  std::optional<RunFile> dense;
  if (!command.dense_file.empty()) dense = read_run_file(command.dense_file);
  RunLooks looks(command);
  Simulation how;
  how.threads = command.threads;
  how.printed = command.json_file == "-" ? stderr : stdout;  // standard output is JSON alone
  how.ended = keep;
  looks.choose(how, run_file.options, gpu.params);
  if (dense) how.dense = &*dense;
  std::optional<WhyPlan> why;
  std::optional<WhyRuns> why_runs;  // before this process has threads or a machine
  if (command.why) {
    why = plan_why(command.file, command.sets, command.dense_file, run_file);
    why_runs.emplace(*why, processes_of(command));
  }
  std::optional<LaunchKeeper> keeper;
  if (!command.keep_folder.empty()) how.keeper = &keeper.emplace(command.keep_folder, run_file);
  stop_on_signals();
  try {
    simulate(run_file, gpu, how, result);
    if (why_runs) result.waterfall = why_runs->explain(result);
  } catch (const Interrupted& stopped) {
    throw Interrupted(stopped.signal, stopped.what() + what_is_left(result, output_files(command, run_file)));
  }

  looks.write(gpu.params, outputs);
  const std::string table = result_table(result);
  const std::string json = json_text(result_json(result), 2) + "\n";
  if (!command.json_file.empty() && command.json_file != "-") outputs.add_text(command.json_file, json);
  if (!command.out_folder.empty()) {
    outputs.add_text(resolve_path(command.out_folder, "result.json"), json);
    outputs.add_text(resolve_path(command.out_folder, "report.txt"), table);
  }
  if (!command.html_file.empty()) outputs.add_text(command.html_file, run_page(result, looks.profiles()));
  if (keeper) keeper->finish(outputs);
  outputs.commit();
  fmt::print("{}", command.json_file == "-" ? json : for_output(table));
  return result.checks_passed() ? kOk : kCheckFailed;
}

}  // namespace stc::sim
