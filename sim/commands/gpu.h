// SPDX-License-Identifier: Apache-2.0
// `stcsim gpu FILE`: every parameter of a GPU with value, unit, meaning and evidence.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stc::sim {

struct GpuCommand {
  std::string file;
  std::vector<std::string> sets;
};

CLI::App* add_gpu_command(CLI::App& app, GpuCommand& command);
int describe_gpu(const GpuCommand& command);

}  // namespace stc::sim
