// SPDX-License-Identifier: Apache-2.0
// What Python asks of a run: a run file or its text, keys to replace, contents of buffers that it has in memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/python/worker.h"

namespace stc::sim {

struct RunRequest {
  std::string name;                 ///< the file, or what messages call the text
  std::optional<std::string> text;  ///< in place of a file's
  std::vector<std::string> sets;    ///< key=value
  /// Contents of buffers of a launch, by name.
  std::map<std::string, std::shared_ptr<const std::vector<std::uint8_t>>> contents;
  /// Operands of a GEMM: A [m][k], B [n][k].
  std::vector<float> a, b;
  int threads = 0;                               ///< 0: one per processor
  std::optional<std::vector<std::string>> keep;  ///< buffers that the answer has; none: all
};

/// In the worker: runs it. Buffers come with it when values are computed.
WorkerAnswer answer_request(const RunRequest& request, std::FILE* printed);

}  // namespace stc::sim
