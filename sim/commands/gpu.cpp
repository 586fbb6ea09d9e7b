// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/gpu.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sim/base/error.h"
#include "sim/config/gpu_config.h"

namespace stc::sim {

CLI::App* add_gpu_command(CLI::App& app, GpuCommand& command) {
  CLI::App* gpu = app.add_subcommand("gpu", "Print every parameter of a GPU with unit, meaning and evidence");
  gpu->add_option("FILE", command.file, "GPU description (YAML), such as configs/gpus/a100.yaml")->required();
  gpu->add_option("--set", command.sets, "Replace a parameter: --set sms=54; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  gpu->footer("Example:\n  stcsim gpu configs/gpus/a100.yaml\n");
  return gpu;
}

int describe_gpu(const GpuCommand& command) {
  std::vector<Override> overrides;
  for (const std::string& set : command.sets) {
    Override parsed = parse_override(set);
    if (parsed.path.rfind("gpu.", 0) == 0) parsed.path.erase(0, 4);
    overrides.push_back(parsed);
  }
  fmt::print("{}", describe_gpu(read_gpu_config(command.file, overrides)));
  return kOk;
}

}  // namespace stc::sim
