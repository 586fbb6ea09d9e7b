// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/gpu.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/json_text.h"
#include "sim/config/gpu_config.h"
#include "sim/result/gpu_json.h"

namespace stc::sim {

Command add_gpu_command(CommandLine& line, GpuCommand& command) {
  Command gpu = line.command("gpu", "Print every parameter of a GPU with unit, meaning and evidence");
  gpu.option("FILE", command.file, "GPU description (YAML), such as configs/gpus/a100.yaml").required();
  gpu.option("--set", command.sets, "Replace a parameter: --set sms=54; may be repeated").one_value().type("KEY=VALUE");
  gpu.option("--json", command.json_file, "Write JSON; - prints it instead of the text").type("FILE");
  gpu.footer(
      "Examples:\n  stcsim gpu configs/gpus/a100.yaml\n  stcsim gpu configs/gpus/h200.yaml --set sms=66 --json "
      "h200_half.json\n");
  return gpu;
}

int describe_gpu(const GpuCommand& command) {
  const std::vector<Override> overrides = parse_overrides(command.sets, "gpu.");
  const GpuConfig config = read_gpu_config(command.file, overrides);
  if (command.json_file.empty()) {
    fmt::print("{}", for_output(describe_gpu(config)));
    return kOk;
  }
  const std::string json = json_text(gpu_json(config), 1) + "\n";
  if (command.json_file == "-") {
    fmt::print("{}", json);
    return kOk;
  }
  require_outputs({command.json_file}, {command.file});
  OutputFiles files;
  files.add_text(command.json_file, json);
  files.commit();
  return kOk;
}

}  // namespace stc::sim
