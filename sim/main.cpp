// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>

#include "models/gpu/gpu.h"
#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/commands/compare.h"
#include "sim/commands/explore.h"
#include "sim/commands/formats.h"
#include "sim/commands/gpu.h"
#include "sim/commands/inspect.h"
#include "sim/commands/mma.h"
#include "sim/commands/run.h"

namespace {

using namespace stc::sim;

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

int dispatch(int argc, char** argv) {
  CLI::App app(
      "stcsim: cycle-level simulator of NVIDIA's sparse tensor core, running the machine code of real kernels");
  app.set_version_flag("--version", fmt::format("stcsim {} ({})", version(), git_revision()));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 bad input, 3 fault or deadlock of the simulated program.\n"
      "'stcsim COMMAND --help' explains a command.\n");
  RunCommand run_command;
  GpuCommand gpu_command;
  InspectOptions inspect_options;
  MmaCommand mma_command;
  FormatsCommand formats_command;
  ExploreCommand explore_command;
  CompareCommand compare_command;
  const CLI::App* run_app = add_run_command(app, run_command);
  const CLI::App* inspect_app = add_inspect_command(app, inspect_options);
  const CLI::App* gpu_app = add_gpu_command(app, gpu_command);
  const CLI::App* mma_app = add_mma_command(app, mma_command);
  const CLI::App* formats_app = add_formats_command(app, formats_command);
  const CLI::App* explore_app = add_explore_command(app, explore_command);
  const CLI::App* compare_app = add_compare_command(app, compare_command);
  require_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    app.failure_message([](const CLI::App* of, const CLI::Error& what) { return command_line_error(*of, what); });
    return app.exit(error) == 0 ? kOk : kUserErrorExit;
  }
  if (run_app->parsed()) return run(run_command);
  if (inspect_app->parsed()) return inspect(inspect_options);
  if (gpu_app->parsed()) return describe_gpu(gpu_command);
  if (mma_app->parsed()) return mma(mma_command);
  if (formats_app->parsed()) return formats(formats_command);
  if (explore_app->parsed()) return explore(explore_command);
  if (compare_app->parsed()) return compare(compare_command);
  return kUserErrorExit;
}

int fail(ExitCode code, const char* what) {
  fmt::print(stderr, "stcsim: {}\n", what);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const UserError& error) {
    return fail(kUserErrorExit, error.what());
  } catch (const stc::gpu::LaunchError& error) {
    return fail(kUserErrorExit, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(kUserErrorExit,
                fmt::format("{}: cannot be written: {}", error.path1().string(), error.code().message()).c_str());
  } catch (const std::bad_alloc&) {
    return fail(kUserErrorExit, "not enough memory on this computer for the buffers of this run");
  } catch (const stc::isa::SimulatedFault& error) {
    return fail(kFaultExit, error.what());
  } catch (const stc::gpu::Deadlock& error) {
    return fail(kFaultExit, error.what());
  }
}
