// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/train.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/base/streams.h"
#include "sim/base/worker_pool.h"
#include "sim/training/training_study.h"

namespace stc::sim {
namespace {

constexpr const char* kTrainExamples =
    "Examples:\n"
    "  stcsim train configs/training/small.yaml\n"
    "  stcsim train configs/training/vit_l.yaml --html vit_l.html\n"
    "  stcsim train configs/training/vit_l.yaml --set workload.train_linear.tokens=[4096] --json -\n";

}  // namespace

Command add_train_command(CommandLine& line, StudyCommand& command) {
  Command train = line.command("train", "Does 2:4 pay for training a linear layer or an MLP?");
  train
      .option("FILE", command.file,
              "Run file with workload train_linear or train_mlp (YAML); "
              "configs/training/README.md explains it")
      .required();
  train
      .option("--set", command.sets,
              "Replace a key of the file, or of the GPU with gpu. in front: --set gpu.clock_mhz=1095; may be "
              "repeated")
      .one_value()
      .type("KEY=VALUE");
  add_study_options(train, command);
  train.footer(kTrainExamples);
  return train;
}

int train(const StudyCommand& command) {
  refuse_printed_page(command);
  const std::vector<Override> overrides = parse_overrides(command.sets);
  const TrainingFile file = read_training_file(command.file, overrides);
  const GpuConfig gpu = read_gpu_config(file.gpu_file, file.gpu_overrides);
  require_study_outputs(command, {command.file, file.gpu_file});
  TrainingReport report;
  stop_on_signals();
  try {
    report = run_study(file, gpu, command.jobs > 0 ? command.jobs : available_processors());
  } catch (const StudyFault& fault) {
    say(fmt::format("stcsim: {}\n", fault.what()));
    return kFaultExit;
  }
  write_study(
      command, json_text(training_json(report), 2) + "\n", [&] { return training_html(report); },
      training_text(report));
  return report.failures.empty() ? kOk : kCheckFailed;
}

}  // namespace stc::sim
