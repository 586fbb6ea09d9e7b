// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <system_error>

#include "models/gpu/gpu.h"
#include "sim/base/error.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/commands/compare.h"
#include "sim/commands/conv.h"
#include "sim/commands/crossover.h"
#include "sim/commands/explore.h"
#include "sim/commands/formats.h"
#include "sim/commands/gpu.h"
#include "sim/commands/inspect.h"
#include "sim/commands/mma.h"
#include "sim/commands/run.h"
#include "sim/commands/train.h"

namespace stc::sim {
namespace {

/// What CLI11 found wrong, with the word that was meant where one is near.
std::string command_line_error(const CLI::App& app, const CLI::Error& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> allowed;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) allowed.push_back(option->get_name());
  }
  std::string what = error.what();
  const std::vector<std::string> unexpected = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !unexpected.empty()) {
    const std::string& word = unexpected.front();
    what = !word.empty() && word.front() == '-' ? unknown_word("option", word, allowed)
                                                : fmt::format("'{}' was not expected", word);
  }
  return fmt::format("stcsim: {}{}\n'stcsim {}--help' explains it.\n", chosen.empty() ? "" : command.get_name() + ": ",
                     what, chosen.empty() ? "" : command.get_name() + " ");
}

/// The first word must be a command; CLI11 would only say that something was not expected.
void require_command(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (argc < 2) throw UserError("a command is needed: " + join(names, ", ") + "; 'stcsim --help' explains them");
  const std::string first = argv[1];
  if (std::find(names.begin(), names.end(), first) != names.end()) return;
  if (first.empty() || first.front() != '-') throw UserError(unknown_word("command", first, names));
  if (app.get_option_no_throw(first) == nullptr) {
    throw UserError(unknown_word("option", first, {"--help", "--version"}) +
                    "; a command comes first: " + join(names, ", "));
  }
}

/// An option whose value is empty would be taken for one that is not given.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator not_empty([](std::string& value) { return std::string(value.empty() ? "is empty" : ""); }, "");
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_expected_max() > 0) option->check(not_empty);
    }
  }
}

/// Help that was asked for, or what is wrong with the command line.
int explain(CLI::App& app, const CLI::ParseError& error) {
  app.failure_message([](const CLI::App* of, const CLI::Error& what) { return command_line_error(*of, what); });
  std::ostringstream output, complaint;
  const int code = app.exit(error, output, complaint);
  fmt::print("{}", output.str());
  say(complaint.str());
  return code == 0 ? kOk : kUserErrorExit;
}

int dispatch(int argc, char** argv) {
  CLI::App app(
      "stcsim: cycle-level simulator of NVIDIA's sparse tensor core, running the machine code of real kernels");
  app.set_version_flag("--version", fmt::format("stcsim {} ({})", version(), git_revision()));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 bad input or unwritable output, 3 fault or deadlock of the simulated\n"
      "program, or an internal error.\n"
      "'stcsim COMMAND --help' explains a command.\n");
  RunCommand run_command;
  GpuCommand gpu_command;
  InspectOptions inspect_options;
  MmaCommand mma_command;
  FormatsCommand formats_command;
  ExploreCommand explore_command;
  CrossoverCommand crossover_command;
  CompareCommand compare_command;
  ConvCommand conv_command;
  TrainCommand train_command;
  const CLI::App* run_app = add_run_command(app, run_command);
  const CLI::App* inspect_app = add_inspect_command(app, inspect_options);
  const CLI::App* gpu_app = add_gpu_command(app, gpu_command);
  const CLI::App* mma_app = add_mma_command(app, mma_command);
  const CLI::App* formats_app = add_formats_command(app, formats_command);
  const CLI::App* explore_app = add_explore_command(app, explore_command);
  const CLI::App* crossover_app = add_crossover_command(app, crossover_command);
  const CLI::App* compare_app = add_compare_command(app, compare_command);
  const CLI::App* conv_app = add_conv_command(app, conv_command);
  const CLI::App* train_app = add_train_command(app, train_command);
  require_command(app, argc, argv);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  if (run_app->parsed()) return run(run_command);
  if (inspect_app->parsed()) return inspect(inspect_options);
  if (gpu_app->parsed()) return describe_gpu(gpu_command);
  if (mma_app->parsed()) return mma(mma_command);
  if (formats_app->parsed()) return formats(formats_command);
  if (explore_app->parsed()) return explore(explore_command);
  if (crossover_app->parsed()) return crossover(crossover_command);
  if (compare_app->parsed()) return compare(compare_command);
  if (conv_app->parsed()) return conv(conv_command);
  if (train_app->parsed()) return train(train_command);
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
  try {
    throw;
  } catch (const UserError& error) {
    return fail(kUserErrorExit, error.what());
  } catch (const stc::gpu::LaunchError& error) {
    return fail(kUserErrorExit, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(kUserErrorExit,
                fmt::format("{}: cannot be written: {}", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {  // of fmt::print
    return fail(kUserErrorExit, fmt::format("standard output: cannot be written: {}", error.code().message()));
  } catch (const std::bad_alloc&) {
    return fail(kUserErrorExit, "not enough memory on this computer for the buffers of this run");
  } catch (const stc::isa::SimulatedFault& error) {
    return fail(kFaultExit, error.what());
  } catch (const stc::gpu::Deadlock& error) {
    return fail(kFaultExit, error.what());
  } catch (const std::exception& error) {
    return internal_error(error.what());
  } catch (...) {
    return internal_error("an exception that says nothing");
  }
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
