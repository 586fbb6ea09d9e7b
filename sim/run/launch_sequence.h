// SPDX-License-Identifier: Apache-2.0
// Launches one after the other on the same memory, as a program makes them.
#pragma once

#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/isa/driver/device_heap.h"
#include "sim/run/run_launch.h"

namespace stc::sim {

/// All launches of a plan, the last one last; the first has the buffers. `symbols` that set constants hold for later
/// launches of the same module, too. UserError when one of them cannot be made.
std::vector<ReadyLaunch> make_ready_sequence(const LaunchPlan& plan, const GpuConfig& gpu);

class LaunchSequence {
 public:
  LaunchSequence(gpu::Machine& machine, const RunOptions& options, std::FILE* printed)
      : machine_(machine), options_(options), printed_(printed) {}

  /// The next launch. The first finds the caches as the options say, others as they were left. Faults of one of several
  /// say which it is.
  LaunchResult run(ReadyLaunch& ready);
  /// After the last one its variables have their own names, those of other modules have names of their modules, too.
  isa::GlobalMemory& memory() { return memory_; }

 private:
  void enter_module(const ReadyLaunch& ready);

  gpu::Machine& machine_;
  const RunOptions& options_;
  std::FILE* const printed_;
  isa::GlobalMemory memory_;
  std::set<std::string> buffers_;  ///< of the run file: they keep their names
  std::optional<isa::DeviceHeap> heap_;
  struct Left {
    std::string module;
    std::vector<std::string> names;  ///< of what belongs to the module
  };
  std::optional<Left> left_;  ///< by the launch before
  int count_ = 0;
};

}  // namespace stc::sim
