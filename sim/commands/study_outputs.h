// SPDX-License-Identifier: Apache-2.0
// What the commands that print a table and may write JSON and a page have in common: conv and train.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/base/command_line.h"

namespace stc::sim {

struct StudyCommand {
  std::string file;
  std::vector<std::string> sets;  ///< key=value of the file
  std::string json_file, html_file;
  int jobs = 0;  ///< worker processes; 0: one per processor
};

/// --jobs, --json and --html.
void add_study_options(Command& command, StudyCommand& options);

/// UserError for a page that would be printed. To be asked before anything is read.
void refuse_printed_page(const StudyCommand& command);

/// UserError where an output cannot be written or would replace one of `inputs`.
void require_study_outputs(const StudyCommand& command, const std::vector<std::string>& inputs);

/// Writes what was asked for, then prints the table, or with `--json -` the JSON. The page is made if it is wanted.
void write_study(const StudyCommand& command, const std::string& json, const std::function<std::string()>& html,
                 const std::string& table);

}  // namespace stc::sim
