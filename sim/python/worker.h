// SPDX-License-Identifier: Apache-2.0
// A simulation in a process of its own: SystemC builds no machine once one has run, and Python asks for many. The
// parent stays without a machine; the worker, forked from it, never returns to Python.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace stc::sim {

/// What the worker found.
struct WorkerAnswer {
  std::string json;     ///< {"result": ..., "table": ...} or {"failure": ..., "message": ...}
  std::string printed;  ///< by threads of the kernel
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> buffers;
};

/// Runs `work` in a forked process, which it gives a stream for what kernels print. `waiting` is called several times a
/// second; when it throws, the process ends. `aside` runs the waits in between: it may let others have a lock for so
/// long. A failure of the work is an answer, not an exception.
WorkerAnswer in_worker(const std::function<WorkerAnswer(std::FILE* printed)>& work,
                       const std::function<void()>& waiting,
                       const std::function<void(const std::function<void()>&)>& aside);

}  // namespace stc::sim
