// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/exec.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/gpu/machine/machine.h"
#include "sim/base/data_folder.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/base/worker_pool.h"
#include "sim/config/gpu_config.h"
#include "sim/exec/exec_report.h"
#include "sim/exec/program_server.h"
#include "sim/exec/runtime_folder.h"
#include "sim/launch/launch_writer.h"
#include "sim/page/exec_page.h"
#include "sim/profile/profile_json.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostLaunch = 1'000'000'000, kWidestRange = 1'000'000;

constexpr const char* kExecExamples =
    "The program is compiled with -cudart shared and machine code for the GPU: nvcc -cudart shared -arch=sm_NN "
    "app.cu,\n"
    "NN being 80 for an A100 and 90 for an H200.\n"
    "Its output stays its own: the table of launches goes to standard error. The exit code is the program's own,\n"
    "128 + N where signal N ended it; 2 where it could not be started.\n\n"
    "Examples:\n"
    "  stcsim exec -- ./app --size=1024\n"
    "  stcsim exec --gpu configs/gpus/h200.yaml --json launches.json -- ./app\n"
    "  stcsim exec --launch 3,7-9 -- ./app\n";

[[noreturn]] void refuse_list(const std::string& text, const std::string& part) {
  throw UserError(
      fmt::format("--launch {}: '{}' must be a launch's number, from 1, or a range such as 3-5", text, part));
}

std::set<std::uint64_t> read_launches(const std::string& text) {
  std::set<std::uint64_t> numbers;
  if (text.empty()) return numbers;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> ends = split(part, '-');
    const auto first = parse_integer(ends.front()), last = parse_integer(ends.back());
    const bool fine = ends.size() <= 2 && first && last && *first >= 1 && *last >= *first && *last <= kMostLaunch &&
                      *last - *first <= kWidestRange;
    if (!fine) refuse_list(text, part);
    for (std::int64_t n = *first; n <= *last; ++n) numbers.insert(static_cast<std::uint64_t>(n));
  }
  return numbers;
}

void write_files(const ExecCommand& command, const ExecResult& result, const ProgramProfile& profile) {
  OutputFiles outputs;
  if (!command.json_file.empty()) outputs.add_text(command.json_file, json_text(exec_json(result), 2) + "\n");
  if (!command.html_file.empty()) outputs.add_text(command.html_file, exec_page(result));
  if (!command.profile_file.empty()) {
    outputs.add_text(command.profile_file, json_text(profile_json(profile.launches())) + "\n");
  }
  outputs.commit();
}

/// The files that are to be written, for messages.
std::string files_of(const ExecCommand& command) {
  std::vector<std::string> files;
  for (const std::string& file : {command.json_file, command.html_file, command.profile_file}) {
    if (!file.empty()) files.push_back(file);
  }
  return join(files, ", ");
}

/// A launch was to be timed that the program did not make.
void note_missing(const std::set<std::uint64_t>& timed, LaunchLog& log) {
  const auto first = timed.upper_bound(log.count);
  if (first == timed.end()) return;
  log.note(fmt::format("--launch {}: the program made {} launch{}", *first, log.count, log.count == 1 ? "" : "es"));
}

void require_capturing(const ExecCommand& command) {
  if (command.capture_folder.empty()) return;
  require_no_launches(command.capture_folder);
  require_writable(command.capture_folder + "/001/run.yaml");
  if (!command.sets.empty()) {
    throw UserError("--capture with --set: a run file names a GPU file; write one with the keys that you set");
  }
}

}  // namespace

Command add_exec_command(CommandLine& line, ExecCommand& command) {
  Command exec =
      line.command("exec", "Run a CUDA program as it is on a simulated GPU, and report what its launches cost");
  exec.option("PROGRAM", command.program, "The program and its arguments, behind --").required().may_be_empty();
  exec.option("--gpu", command.gpu_file, "GPU file; configs/gpus/a100.yaml if not given").type("FILE");
  exec.option("--set", command.sets, "Replace a key of the GPU file: --set clock_mhz=1095; may be repeated")
      .one_value()
      .type("KEY=VALUE");
  exec.flag("--cold", command.cold,
            "Empty the caches before each launch; else they are as the launch before left them");
  exec.option(
          "--launch", command.timed,
          "Time these launches alone: 3,7-9, counted from 1; others are computed for their values, faster, and take "
          "no time")
      .type("LIST");
  exec.option("--capture", command.capture_folder,
              "Write each timed launch as a run file with its data, for `stcsim run`: DIR/003/run.yaml is the third")
      .type("DIR");
  exec.option("--json", command.json_file, "Write all launches with all their counters as JSON").type("FILE");
  exec.option("--profile", command.profile_file,
              "Write what each instruction of the timed launches costs as JSON, launches of a kernel added up; "
              "`stcsim inspect --profile FILE CUBIN` shows it as a listing")
      .type("FILE");
  exec.option("--html", command.html_file, "Write a page: which kernels take the time, launch by launch").type("FILE");
  exec.option("--threads", command.threads,
              "Threads that may run SMs side by side; one per processor if not given. The result is the same with any "
              "number")
      .whole_number(1, 1024);
  exec.refuses("--why",
               "explains one launch: keep it by 'stcsim exec --launch N --capture DIR -- PROGRAM', then 'stcsim run "
               "DIR/00N/run.yaml --why', with --dense DIR/00M/run.yaml beside a dense one");
  exec.refuses("--timeline",
               "shows one launch: keep it by 'stcsim exec --launch N --capture DIR -- PROGRAM', then 'stcsim run "
               "DIR/00N/run.yaml --timeline FILE'");
  exec.footer(kExecExamples);
  return exec;
}

int exec(const ExecCommand& command) {
  for (const auto& [name, file] : {std::pair("--html", &command.html_file), std::pair("--json", &command.json_file),
                                   std::pair("--profile", &command.profile_file)}) {
    if (*file == "-") throw UserError(fmt::format("{} -: standard output is the program's own; name a file", name));
  }
  if (command.program.front().empty()) throw UserError("exec: PROGRAM: is empty");
  ExecResult result;
  result.program = command.program;
  result.gpu_file = command.gpu_file.empty() ? data_folder() + "/configs/gpus/a100.yaml" : command.gpu_file;
  result.gpu = read_gpu_config(result.gpu_file, parse_overrides(command.sets));
  result.cold = command.cold;
  require_outputs({command.json_file, command.html_file, command.profile_file}, {result.gpu_file});
  const std::string libraries = runtime_folder();
  ExecSettings settings;
  settings.timed = read_launches(command.timed);
  settings.cold = command.cold;
  settings.capture = command.capture_folder;
  require_capturing(command);
  stop_on_signals();
  gpu::Machine machine("gpu", result.gpu.params);
  ProgramProfile profile;
  ExecGpu gpu{result.gpu, machine, settings, result.log, command.profile_file.empty() ? nullptr : &profile, {}};
  ProgramServer server(gpu);
  gpu.go_on = [&] { return server.go_on(); };
  server.start(command.program, libraries);
  machine.use_threads(command.threads > 0 ? command.threads : processor_share());
  result.status = server.serve();
  note_missing(settings.timed, result.log);
  say(exec_table(result, columns_of_error()));
  if (stop_signal() != 0) {
    const std::string files = files_of(command);
    throw Interrupted(stop_signal(), files.empty() ? "the program was told, and has ended"
                                                   : "the program was told, and has ended\nnot written: " + files);
  }
  write_files(command, result, profile);
  return result.exit_code();
}

}  // namespace stc::sim
