// SPDX-License-Identifier: Apache-2.0
// Options of a program, declared row by row. CLI11 parses them; its headers take seconds to compile, so that only
// command_line.cpp includes them.
//
//   CommandLine line("stcsim", "cycle-level simulator ...");
//   Command run = line.command("run", "Run a kernel");
//   run.option("FILE", file, "Run file (YAML)").required();
//   if (const auto exit_code = line.parse(argc, argv)) return *exit_code;
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/command_model.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace stc::sim {

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& required();
  /// What help calls the value: FILE.
  Option& type(const std::string& name);
  /// A vector takes one value each time the option is given.
  Option& one_value();
  Option& may_be_empty();
  Option& shows_default();
  Option& excludes(const Option& other);
  Option& positive();
  Option& whole_number(std::int64_t low, std::int64_t high);
  Option& one_of(const std::vector<int>& values);
  Option& one_of_words(const std::vector<std::string>& words);

 private:
  CLI::Option* option_;
};

/// A command with its options, or the options of a program without commands.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}
  /// A name without dashes is an argument by its place. T: text, list of texts, whole number, real number, or an
  /// optional one of them.
  template <class T>
  Option option(const std::string& name, T& value, const std::string& meaning);
  Option flag(const std::string& name, bool& value, const std::string& meaning);
  /// A flag that prints a text and ends the program.
  void prints(const std::string& name, const std::string& meaning, const std::function<std::string()>& text);
  /// An option of other commands, which people look for here: not in help; `instead` says how to get what it gives.
  void refuses(const std::string& name, const std::string& instead);
  void footer(const std::string& text);
  bool chosen() const;

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& about);
  ~CommandLine();
  Command command(const std::string& name, const std::string& about);
  Command whole() { return Command(app_.get()); }
  /// All that was declared.
  CommandModel model() const;

  /// An exit code when the program is to end now: help was asked for, or something is wrong, which was said with the
  /// word that was meant where one is near. Throws UserError when no command is given, or one that does not exist.
  std::optional<int> parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::string program_;
};

}  // namespace stc::sim
