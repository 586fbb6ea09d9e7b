// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/base/completion.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

/// Text that roff prints as it stands.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

/// A footer: its lines stay lines.
std::string preformatted(const std::string& text) { return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n"; }

std::string option_text(const OptionModel& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  if (!option.by_place && !option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format(".TP\n{}\n{}\n", names, roff(option.meaning));
}

std::string synopsis(const CommandModel& program, const CommandModel& command) {
  std::string text = fmt::format(".B {} {}\n[\\fIoptions\\fR]", roff(program.name), roff(command.name));
  for (const OptionModel& option : command.options) {
    if (option.by_place)
      text += fmt::format(" {0}\\fI{2}\\fR{1}", option.required ? "" : "[", option.required ? "" : "]",
                          roff(option.names.front()));
  }
  return text + "\n.br\n";
}

}  // namespace

std::string man_page(const CommandModel& program, const std::string& version) {
  std::string upper = program.name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  const std::size_t colon = program.about.find(": ");
  const std::string about = colon == std::string::npos ? program.about : program.about.substr(colon + 2);
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                                 upper, program.name, version, program.name, roff(about));
  for (const CommandModel& command : program.commands) text += synopsis(program, command);
  text += ".SH OPTIONS\n";
  for (const OptionModel& option : program.options) text += option_text(option);
  text += ".SH COMMANDS\n";
  for (const CommandModel& command : program.commands) {
    text += fmt::format(".SS {}\n{}\n", roff(command.name), roff(command.about));
    for (const OptionModel& option : command.options) text += option_text(option);
    text += preformatted(command.footer);
  }
  return text + ".SH EXIT STATUS\n" + preformatted(program.footer);
}

}  // namespace stc::sim
