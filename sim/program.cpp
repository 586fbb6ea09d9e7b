// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>

#include "sim/base/command_line.h"
#include "sim/base/error.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/commands/compare.h"
#include "sim/commands/completion.h"
#include "sim/commands/conv.h"
#include "sim/commands/crossover.h"
#include "sim/commands/exec.h"
#include "sim/commands/explore.h"
#include "sim/commands/formats.h"
#include "sim/commands/gpu.h"
#include "sim/commands/inspect.h"
#include "sim/commands/mma.h"
#include "sim/commands/network.h"
#include "sim/commands/run.h"
#include "sim/commands/train.h"
#include "sim/jobs/failure.h"

namespace stc::sim {
namespace {

int dispatch(int argc, char** argv) {
  CommandLine line(
      "stcsim",
      "stcsim: cycle-level simulator of NVIDIA's sparse tensor core, running the machine code of real kernels");
  line.whole().prints("--version", "Display program version information and exit",
                      [] { return fmt::format("stcsim {} ({})", version(), git_revision()); });
  line.whole().footer(
      "Exit codes: 0 done, 1 a check failed, 2 bad input or unwritable output, 3 fault or deadlock of the simulated\n"
      "program, or an internal error, 130 stopped by Ctrl-C (SIGINT), 143 by SIGTERM.\n"
      "'stcsim COMMAND --help' explains a command.\n");
  RunCommand run_command;
  GpuCommand gpu_command;
  InspectOptions inspect_options;
  MmaCommand mma_command;
  FormatsCommand formats_command;
  SweepCommand explore_command;
  SweepCommand crossover_command;
  CompareCommand compare_command;
  StudyCommand conv_command;
  StudyCommand train_command;
  StudyCommand network_command;
  ExecCommand exec_command;
  CompletionCommand completion_command;
  const Command run_row = add_run_command(line, run_command);
  const Command exec_row = add_exec_command(line, exec_command);
  const Command inspect_row = add_inspect_command(line, inspect_options);
  const Command gpu_row = add_gpu_command(line, gpu_command);
  const Command mma_row = add_mma_command(line, mma_command);
  const Command formats_row = add_formats_command(line, formats_command);
  const Command explore_row = add_explore_command(line, explore_command);
  const Command crossover_row = add_crossover_command(line, crossover_command);
  const Command compare_row = add_compare_command(line, compare_command);
  const Command conv_row = add_conv_command(line, conv_command);
  const Command train_row = add_train_command(line, train_command);
  const Command network_row = add_network_command(line, network_command);
  const Command completion_row = add_completion_command(line, completion_command);
  const Command man_row = add_man_command(line);
  if (const std::optional<int> exit_code = line.parse(argc, argv)) return *exit_code;
  if (run_row.chosen()) return run(run_command);
  if (exec_row.chosen()) return exec(exec_command);
  if (inspect_row.chosen()) return inspect(inspect_options);
  if (gpu_row.chosen()) return describe_gpu(gpu_command);
  if (mma_row.chosen()) return mma(mma_command);
  if (formats_row.chosen()) return formats(formats_command);
  if (explore_row.chosen()) return explore(explore_command);
  if (crossover_row.chosen()) return crossover(crossover_command);
  if (compare_row.chosen()) return compare(compare_command);
  if (conv_row.chosen()) return conv(conv_command);
  if (train_row.chosen()) return train(train_command);
  if (network_row.chosen()) return network(network_command);
  if (completion_row.chosen()) return completion(completion_command, line);
  if (man_row.chosen()) return man(line);
  return kUserErrorExit;
}

int fail(ExitCode code, const std::string& what) {
  say(fmt::format("stcsim: {}\n", what));
  return code;
}

int internal_error(const char* what) {
  return fail(kFaultExit, fmt::format("internal error, a bug of stcsim: {}", what));
}

/// Of an exception that left a destructor, or met another one.
[[noreturn]] void end_at_once() noexcept {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    internal_error("it was asked to terminate");
  } catch (const std::exception& error) {
    internal_error(error.what());
  } catch (...) {
    internal_error("an exception that says nothing");
  }
  ::_exit(kFaultExit);
}

/// The exit code for the exception that is being handled.
int explain_exception() {
  const Failure failure = current_failure();
  switch (failure.kind) {
    case Failure::Kind::kInput: return fail(kUserErrorExit, failure.text);
    case Failure::Kind::kFault: return fail(kFaultExit, failure.text);
    case Failure::Kind::kInternal: return internal_error(failure.text.c_str());
    case Failure::Kind::kStopped: break;
  }
  say(fmt::format("stcsim: stopped by {}\n", failure.text));
  return failure.exit_code;
}

}  // namespace

int run_program(int argc, char** argv) noexcept {
  std::set_terminate(end_at_once);
  keep_standard_streams();
  try {
    const int code = dispatch(argc, argv);
    finish_output();
    return code;
  } catch (...) {
    return explain_exception();
  }
}

}  // namespace stc::sim
