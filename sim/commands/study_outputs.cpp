// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/study_outputs.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"

namespace stc::sim {

void add_study_options(Command& command, StudyCommand& options) {
  command.option("--jobs", options.jobs, "Worker processes: one per processor if not given").whole_number(1, 4096);
  command.option("--json", options.json_file, "Write the result as JSON; - prints it instead of the table")
      .type("FILE");
  command.option("--html", options.html_file, "Write a page with charts and tables").type("FILE");
}

void refuse_printed_page(const StudyCommand& command) {
  if (command.html_file == "-") throw UserError("--html -: must be a file; only --json can be printed");
}

void require_study_outputs(const StudyCommand& command, const std::vector<std::string>& inputs) {
  require_outputs({command.json_file == "-" ? "" : command.json_file, command.html_file}, inputs);
}

void write_study(const StudyCommand& command, const std::string& json, const std::function<std::string()>& html,
                 const std::string& table) {
  const bool json_printed = command.json_file == "-";
  OutputFiles outputs;
  if (!command.json_file.empty() && !json_printed) outputs.add_text(command.json_file, json);
  if (!command.html_file.empty()) outputs.add_text(command.html_file, html());
  outputs.commit();
  fmt::print("{}", json_printed ? json : for_output(table));
}

}  // namespace stc::sim
