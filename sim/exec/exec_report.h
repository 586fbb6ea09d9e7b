// SPDX-License-Identifier: Apache-2.0
// What `stcsim exec` tells of a program's launches: a table for people, JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/exec/launch_log.h"

namespace stc::sim {

constexpr const char* kExecSchema = "stcsim.exec/1";

struct ExecResult {
  std::vector<std::string> program;  ///< with its arguments
  std::string gpu_file;
  GpuConfig gpu;
  bool cold = false;
  int status = 0;  ///< as waitpid gives it
  LaunchLog log;

  /// Its own exit code; 128 + the signal that ended it.
  int exit_code() const;
};

/// `columns`: those of the terminal that it is for, if it is for one.
std::string exec_table(const ExecResult& result, std::optional<std::size_t> columns);
nlohmann::ordered_json exec_json(const ExecResult& result);

}  // namespace stc::sim
