// SPDX-License-Identifier: Apache-2.0
// What the instructions of a program's kernels cost: launches of the same kernel are added up.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/program_module.h"
#include "sim/profile/launch_profiler.h"

namespace stc::sim {

class ProgramProfile {
 public:
  /// Who is to see the next launch, of `kernel` of `module`. CubinError when the module has a damaged table of lines.
  Probe* begin(const ProgramModule& module, const isa::Kernel& kernel);
  /// That launch has ended, after `cycles`. One that failed is not counted: the next begin() follows.
  void end(std::uint64_t cycles, const gpu::GpuParams& gpu);
  /// In the order of their first launches.
  const std::vector<LaunchProfile>& launches() const { return launches_; }

 private:
  std::optional<LaunchProfiler> profiler_;
  LaunchProfile running_;
  std::vector<LaunchProfile> launches_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  ///< by hash of the module and symbol
};

}  // namespace stc::sim
