// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/sweep_command.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/files.h"

namespace stc::sim {
namespace {

std::string capital(std::string word) {
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

std::string upper(std::string word) {
  for (char& letter : word) letter = static_cast<char>(letter - 'a' + 'A');
  return word;
}

}  // namespace

void add_sweep_options(Command& command, SweepCommand& options, const SweepWords& words) {
  command
      .option(upper(words.kind), options.file,
              fmt::format("{} file (YAML); {}/README.md explains it", capital(words.kind), words.folder))
      .required();
  command.option("--jobs", options.jobs, fmt::format("Worker processes: {} if not given", words.jobs))
      .whole_number(1, 4096);
  command
      .option("--out", options.out_folder,
              fmt::format("Folder of the results; the {}'s name with .{} if not given", words.kind, words.command))
      .type("DIR");
  command
      .option("--set", options.sets,
              fmt::format("Replace a key of the {} file: --set options.l2=warm; may be repeated", words.kind))
      .one_value()
      .type("KEY=VALUE");
  command.flag("--fresh", options.fresh, "Forget results of earlier runs in the folder");
  command.flag("--dry-run", options.dry_run, fmt::format("Check the {} and list its points, run nothing", words.kind));
}

void require_meaning(const SweepCommand& command) {
  if (!command.dry_run || (!command.fresh && command.out_folder.empty())) return;
  throw UserError(fmt::format("{}: has no meaning together with --dry-run, which neither reads nor writes results",
                              command.fresh ? "--fresh" : "--out"));
}

std::string made_results_folder(const SweepCommand& command, const SweepWords& words,
                                const std::vector<std::string>& outputs) {
  std::string folder = command.out_folder;
  if (folder.empty()) folder = std::filesystem::path(command.file).stem().string() + "." + words.command;
  for (const std::string& name : outputs) require_writable(resolve_path(folder, name));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw UserError(fmt::format("--out {}: cannot be made: {}", folder, error.message()));
  return folder;
}

}  // namespace stc::sim
