// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/gpu.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/config/gpu_config.h"

namespace stc::sim {

Command add_gpu_command(CommandLine& line, GpuCommand& command) {
  Command gpu = line.command("gpu", "Print every parameter of a GPU with unit, meaning and evidence");
  gpu.option("FILE", command.file, "GPU description (YAML), such as configs/gpus/a100.yaml").required();
  gpu.option("--set", command.sets, "Replace a parameter: --set sms=54; may be repeated").one_value().type("KEY=VALUE");
  gpu.footer("Example:\n  stcsim gpu configs/gpus/a100.yaml\n");
  return gpu;
}

int describe_gpu(const GpuCommand& command) {
  const std::vector<Override> overrides = parse_overrides(command.sets, "gpu.");
  fmt::print("{}", describe_gpu(read_gpu_config(command.file, overrides)));
  return kOk;
}

}  // namespace stc::sim
