// SPDX-License-Identifier: Apache-2.0
#include "sim/base/completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"

namespace stc::sim {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// As one word of a shell.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

/// Names of options, of all arguments none.
std::vector<std::string> option_words(const CommandModel& command) {
  std::vector<std::string> words;
  for (const OptionModel& option : command.options) {
    if (!option.by_place) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

std::vector<std::string> names_of(const std::vector<CommandModel>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CommandModel& command : commands) names.push_back(command.name);
  return names;
}

std::string bash_values(const OptionModel& option) {
  if (!option.values.empty()) return fmt::format("compgen -W {} -- \"$word\"", quoted(join(option.values, " ")));
  return option.takes_file() ? "compgen -f -- \"$word\"" : "true";
}

/// What follows an option that takes a value.
std::string bash_option_cases(const CommandModel& command) {
  std::string text;
  for (const OptionModel& option : command.options) {
    if (option.by_place || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
    text +=
        fmt::format("    {}) mapfile -t COMPREPLY < <({}); return ;;\n", join(patterns, " | "), bash_values(option));
  }
  return text;
}

std::string bash_command_case(const CommandModel& command) {
  std::string places;
  for (const OptionModel& option : command.options) {
    if (option.by_place) places = "; " + bash_values(option);
  }
  return fmt::format("    '{}') mapfile -t COMPREPLY < <(compgen -W {} -- \"$word\"{}) ;;\n", command.name,
                     quoted(join(option_words(command), " ")), places);
}

std::string zsh_escaped(const std::string& text) {
  std::string out = replaced(text, "\\", "\\\\");
  for (const char* special : {"[", "]", ":"}) out = replaced(out, special, std::string("\\") + special);
  return out;
}

std::string zsh_action(const OptionModel& option) {
  if (!option.values.empty()) return fmt::format("({})", join(option.values, " "));
  return option.takes_file() ? "_files" : " ";
}

std::vector<std::string> zsh_specs(const CommandModel& command) {
  std::vector<std::string> specs;
  for (const OptionModel& option : command.options) {
    if (option.by_place) {
      specs.push_back(quoted(fmt::format("{}:{}:{}", option.repeated ? "*" : "", option.value, zsh_action(option))));
      continue;
    }
    for (const std::string& name : option.names) {
      const std::string value =
          option.value.empty() ? "" : fmt::format(":{}:{}", zsh_escaped(option.value), zsh_action(option));
      specs.push_back(
          quoted(fmt::format("{}{}[{}]{}", option.repeated ? "*" : "", name, zsh_escaped(option.meaning), value)));
    }
  }
  return specs;
}

std::string fish_values(const OptionModel& option) {
  if (option.value.empty()) return "";
  if (!option.values.empty()) return fmt::format(" -x -a {}", quoted(join(option.values, " ")));
  return option.takes_file() ? " -r -F" : " -x";
}

/// fish knows no \' inside of '...' but this.
std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_options(const std::string& program, const std::string& when, const CommandModel& command) {
  std::string text;
  for (const OptionModel& option : command.options) {
    if (option.by_place) {
      if (!option.values.empty() || option.takes_file()) {
        text += fmt::format("complete -c {} -n {}{}\n", program, quoted(when), fish_values(option));
      }
      continue;
    }
    std::string names;
    for (const std::string& name : option.names) {
      names += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    text += fmt::format("complete -c {} -n {}{}{} -d {}\n", program, quoted(when), names, fish_values(option),
                        fish_quoted(option.meaning));
  }
  return text;
}

}  // namespace

std::string bash_completion(const CommandModel& program) {
  std::string cases, commands;
  for (const CommandModel& command : program.commands) {
    cases += bash_option_cases(command);
    commands += bash_command_case(command);
  }
  std::vector<std::string> first = names_of(program.commands);
  const std::vector<std::string> options = option_words(program);
  first.insert(first.end(), options.begin(), options.end());
  return fmt::format(R"(# Completes {0} in bash; source it, or put it into /usr/share/bash-completion/completions/{0}.
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W {1} -- "$word")
    return
  fi
  case "$command $before" in
{2}  esac
  case "$command" in
{3}  esac
}}
complete -o filenames -F _{0} {0}
)",
                     program.name, quoted(join(first, " ")), cases, commands);
}

std::string zsh_completion(const CommandModel& program) {
  std::string commands, cases;
  for (const CommandModel& command : program.commands) {
    commands += fmt::format("    {}\n", quoted(command.name + ":" + zsh_escaped(command.about)));
    cases += fmt::format("    {})\n      _arguments -s \\\n        {}\n      ;;\n", command.name,
                         join(zsh_specs(command), " \\\n        "));
  }
  return fmt::format(R"(#compdef {0}
# Completes {0} in zsh; lies in a folder of $fpath as _{0}.
_{0}() {{
  local -a commands
  commands=(
{1}  )
  if ((CURRENT == 2)); then
    _describe command commands
    _arguments {2}
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{3}  esac
}}
_{0} "$@"
)",
                     program.name, commands, join(zsh_specs(program), " "), cases);
}

std::string fish_completion(const CommandModel& program) {
  std::string text = fmt::format(
      "# Completes {0} in fish; lies in ~/.config/fish/completions as {0}.fish.\ncomplete -c {0} -f\n", program.name);
  text += fish_options(program.name, "__fish_use_subcommand", program);
  for (const CommandModel& command : program.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", program.name, command.name,
                        fish_quoted(command.about));
    text += fish_options(program.name, "__fish_seen_subcommand_from " + command.name, command);
  }
  return text;
}

}  // namespace stc::sim
