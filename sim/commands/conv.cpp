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
    "  stcsim conv configs/convolution/resnet50.yaml --set type=s8 --set layers.conv1.c=16\n"
    "configs/convolution/README.md explains the file.\n";

}  // namespace

Command add_conv_command(CommandLine& line, StudyCommand& command) {
  Command conv = line.command("conv", "For which layers of a convolutional network does 2:4 pay, and why");
  conv.option("FILE", command.file, "List of layers (YAML); configs/convolution/README.md explains it").required();
  conv.option("--set", command.sets, "Replace a key of the file: --set n=32 --set type=s8; may be repeated")
      .one_value()
      .type("KEY=VALUE");
  add_study_options(conv, command);
  conv.footer(kConvExamples);
  return conv;
}

int conv(const StudyCommand& command) {
  refuse_printed_page(command);
  const std::vector<Override> overrides = parse_overrides(command.sets);
  require_study_outputs(command, {command.file});
  const ConvolutionStudy study = read_convolution_study(command.file, overrides);
  stop_on_signals();
  const ConvolutionResult result = run_study(study, command.jobs > 0 ? command.jobs : available_processors());
  write_study(
      command, study_json(study, result), [&] { return study_html(study, result); }, study_table(study, result));
  return kOk;
}

}  // namespace stc::sim
