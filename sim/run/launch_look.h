// SPDX-License-Identifier: Apache-2.0
// A look into one launch of a run while it runs: what each of its instructions costs.
//
//   LaunchLook look(ready, "launch");
//   const LaunchResult result = run_launch(ready, machine, options, memory);
//   const LaunchProfile profile = look.profile(result, machine.params());
#pragma once

#include <string>

#include "sim/profile/launch_profiler.h"
#include "sim/run/run_launch.h"

namespace stc::sim {

class LaunchLook {
 public:
  /// `ready` is to run while this exists. UserError when its cubin has a damaged table of lines.
  LaunchLook(ReadyLaunch& ready, const std::string& role);
  ~LaunchLook() { ready_.probe = nullptr; }
  LaunchLook(const LaunchLook&) = delete;
  LaunchLook& operator=(const LaunchLook&) = delete;

  /// Once it has run.
  LaunchProfile profile(const LaunchResult& result, const gpu::GpuParams& gpu) const;

 private:
  ReadyLaunch& ready_;
  LaunchProfile blank_;
  LaunchProfiler profiler_;
};

}  // namespace stc::sim
