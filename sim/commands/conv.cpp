// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/conv.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/interrupt.h"
#include "sim/base/worker_pool.h"
#include "sim/convolution/study.h"

namespace stc::sim {
namespace {

constexpr const char* kConvExamples =
    "Examples:\n"
    "  stcsim conv configs/convolution/resnet50.yaml --html resnet50.html\n"
    "  stcsim conv configs/convolution/resnet50.yaml --set n=32 --set type=s8 --json resnet50.json\n"
    "configs/convolution/README.md explains the file.\n";

}  // namespace

Command add_conv_command(CommandLine& line, ConvCommand& command) {
  Command conv = line.command("conv", "For which layers of a convolutional network does 2:4 pay, and why");
  conv.option("FILE", command.file, "List of layers (YAML); configs/convolution/README.md explains it").required();
  conv.option("--set", command.sets, "Replace a key of the file: --set n=32 --set type=s8; may be repeated")
      .one_value()
      .type("KEY=VALUE");
  conv.option("--jobs", command.jobs, "Worker processes; one per processor if not given").whole_number(1, 4096);
  conv.option("--json", command.json_file, "Write JSON; - prints it instead of the table").type("FILE");
  conv.option("--html", command.html_file, "Write a page with pictures").type("FILE");
  conv.footer(kConvExamples);
  return conv;
}

int conv(const ConvCommand& command) {
  if (command.html_file == "-") throw UserError("--html -: must be a file; only --json can be printed");
  const std::vector<Override> overrides = parse_overrides(command.sets);
  std::vector<std::string> files = {command.html_file};
  if (command.json_file != "-") files.push_back(command.json_file);
  require_outputs(files, {command.file});
  const ConvolutionStudy study = read_convolution_study(command.file, overrides);
  stop_on_signals();
  const ConvolutionResult result = run_study(study, command.jobs > 0 ? command.jobs : available_processors());
  const std::string json = study_json(study, result);
  OutputFiles outputs;
  if (!command.json_file.empty() && command.json_file != "-") outputs.add_text(command.json_file, json);
  if (!command.html_file.empty()) outputs.add_text(command.html_file, study_html(study, result));
  outputs.commit();
  fmt::print("{}", command.json_file == "-" ? json : study_table(study, result));
  return kOk;
}

}  // namespace stc::sim
