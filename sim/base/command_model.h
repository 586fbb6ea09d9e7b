// SPDX-License-Identifier: Apache-2.0
// What a program's command line takes, as data: completion scripts and the man page are made of it.
#pragma once

#include <string>
#include <vector>

namespace stc::sim {

struct OptionModel {
  std::vector<std::string> names;   ///< "--json", "-h"; of an argument by its place: "FILE"
  std::string value;                ///< what help calls the value: "FILE"; empty: a flag
  std::vector<std::string> values;  ///< the words that it may be; empty: anything
  std::string meaning;
  bool by_place = false;
  bool required = false;
  bool repeated = false;  ///< may be given several times

  /// Whether the value is the name of a file or folder.
  bool takes_file() const { return values.empty() && (by_place || value.rfind("FILE", 0) == 0 || value == "DIR"); }
};

struct CommandModel {
  std::string name, about, footer;
  std::vector<OptionModel> options;
  std::vector<CommandModel> commands;
};

}  // namespace stc::sim
