// SPDX-License-Identifier: Apache-2.0
#include "sim/base/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "sim/base/error.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/base/whole_number.h"

namespace stc::sim {
namespace {

/// What CLI11 found wrong, with the word that was meant where one is near.
std::string command_line_error(const std::string& program, const CLI::App& app, const CLI::Error& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> allowed;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() && !option->get_group().empty()) allowed.push_back(option->get_name());
  }
  std::string what = error.what();
  const std::vector<std::string> unexpected = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !unexpected.empty()) {
    const std::string& word = unexpected.front();
    what = !word.empty() && word.front() == '-' ? unknown_word("option", word, allowed)
                                                : fmt::format("'{}' was not expected", word);
  }
  return fmt::format("{}: {}{}\n'{} {}--help' explains it.\n", program, chosen.empty() ? "" : command.get_name() + ": ",
                     what, program, chosen.empty() ? "" : command.get_name() + " ");
}

/// The first word must be a command; CLI11 would only say that something was not expected.
void require_command(const std::string& program, const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (names.empty()) return;
  if (argc < 2) {
    throw UserError(fmt::format("a command is needed: {}; '{} --help' explains them", join(names, ", "), program));
  }
  const std::string first = argv[1];
  if (std::find(names.begin(), names.end(), first) != names.end()) return;
  if (first.empty() || first.front() != '-') throw UserError(unknown_word("command", first, names));
  if (app.get_option_no_throw(first) == nullptr) {
    throw UserError(unknown_word("option", first, {"--help", "--version"}) +
                    "; a command comes first: " + join(names, ", "));
  }
}

constexpr const char* kNotEmpty = "not empty";

/// An option whose value is empty would be taken for one that is not given.
CLI::Option* refuse_empty_values(CLI::Option* option) {
  return option->check([](const std::string& value) { return std::string(value.empty() ? "is empty" : ""); }, "",
                       kNotEmpty);
}

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name()};
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

OptionModel model_of(const CLI::Option& option) {
  OptionModel model;
  model.names = names_of(option);
  model.meaning = option.get_description();
  model.by_place = option.get_positional();
  model.required = option.get_required();
  model.repeated = option.get_expected_max() > 1;
  if (option.get_expected_max() == 0) return model;
  model.value = model.by_place ? option.get_name() : option.get_type_name();
  if (option.get_type_name().find('|') != std::string::npos) model.values = split(option.get_type_name(), '|');
  return model;
}

CommandModel model_of(const CLI::App& app, const std::string& name) {
  CommandModel model{name, app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) model.options.push_back(model_of(*option));
  }
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    model.commands.push_back(model_of(*command, command->get_name()));
  }
  return model;
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}
Option& Option::type(const std::string& name) {
  option_->type_name(name);
  return *this;
}
Option& Option::one_value() {
  option_->allow_extra_args(false);
  return *this;
}
Option& Option::may_be_empty() {
  option_->get_validator(kNotEmpty)->active(false);
  return *this;
}
Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}
Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}
Option& Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}
Option& Option::whole_number(std::int64_t low, std::int64_t high) {
  option_->check(CLI::Validator([=](std::string& text) { return whole_number_error(text, low, high); }, ""));
  return *this;
}
Option& Option::one_of(const std::vector<int>& values) {
  const std::string allowed = fmt::format("{}", fmt::join(values, ", "));
  option_->check(CLI::Validator(
      [=](std::string& text) {
        const auto value = parse_integer(text);
        const bool found = value && std::find(values.begin(), values.end(), *value) != values.end();
        return found ? std::string() : fmt::format("must be one of {}, but is '{}'", allowed, text);
      },
      "{" + allowed + "}"));
  return *this;
}

Option& Option::one_of_words(const std::vector<std::string>& words) {
  option_->type_name(join(words, "|"));
  option_->check(CLI::Validator(
      [words](std::string& text) {
        const bool found = std::find(words.begin(), words.end(), text) != words.end();
        return found ? std::string() : unknown_word("word", text, words);
      },
      ""));
  return *this;
}

template <class T>
Option Command::option(const std::string& name, T& value, const std::string& meaning) {
  return Option(refuse_empty_values(app_->add_option(name, value, meaning)));
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, int&, const std::string&);
template Option Command::option(const std::string&, std::uint32_t&, const std::string&);
template Option Command::option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::string>&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::uint64_t>&, const std::string&);

Option Command::flag(const std::string& name, bool& value, const std::string& meaning) {
  return Option(app_->add_flag(name, value, meaning));
}
void Command::prints(const std::string& name, const std::string& meaning, const std::function<std::string()>& text) {
  app_->set_version_flag(name, text)->description(meaning);
}
void Command::refuses(const std::string& name, const std::string& instead) {
  const std::string text = fmt::format("{}: {}: {}", app_->get_name(), name, instead);
  app_->add_flag_callback(name, [text] { throw UserError(text); })->trigger_on_parse()->group("");
}
void Command::footer(const std::string& text) { app_->footer(text); }
bool Command::chosen() const { return app_->parsed(); }

CommandLine::CommandLine(const std::string& program, const std::string& about)
    : app_(std::make_unique<CLI::App>(about)), program_(program) {}
CommandLine::~CommandLine() = default;

Command CommandLine::command(const std::string& name, const std::string& about) {
  app_->require_subcommand(1);
  return Command(app_->add_subcommand(name, about));
}

CommandModel CommandLine::model() const { return model_of(*app_, program_); }

std::optional<int> CommandLine::parse(int argc, char** argv) {
  require_command(program_, *app_, argc, argv);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    app_->failure_message(
        [this](const CLI::App* of, const CLI::Error& what) { return command_line_error(program_, *of, what); });
    std::ostringstream output, complaint;
    const int code = app_->exit(error, output, complaint);
    fmt::print("{}", output.str());
    say(complaint.str());
    return code == 0 ? kOk : kUserErrorExit;
  }
  return std::nullopt;
}

}  // namespace stc::sim
