// SPDX-License-Identifier: Apache-2.0
// A look into one launch of a run while it runs: what each of its instructions costs, what happens when.
//
//   LaunchLook look(ready, "launch", machine.params(), {true, std::nullopt});
//   const LaunchResult result = run_launch(ready, machine, options, memory);
//   const LaunchProfile profile = look.profile(result);
#pragma once

#include <optional>
#include <string>

#include "sim/profile/launch_profiler.h"
#include "sim/profile/probe_list.h"
#include "sim/profile/timeline_recorder.h"
#include "sim/run/run_launch.h"

namespace stc::sim {

/// What is to be seen of launches.
struct LookChoice {
  bool profile = false;
  std::optional<TimelineChoice> timeline;
  bool any() const { return profile || timeline; }
};

class LaunchLook {
 public:
  /// `ready` is to run on a `gpu`, which outlives this, while this exists. UserError when a profile is wanted and its
  /// cubin has a damaged table of lines.
  LaunchLook(ReadyLaunch& ready, const std::string& role, const gpu::GpuParams& gpu, const LookChoice& choice);
  ~LaunchLook() { ready_.probe = nullptr; }
  LaunchLook(const LaunchLook&) = delete;
  LaunchLook& operator=(const LaunchLook&) = delete;

  // Once it has run, if they were chosen.
  LaunchProfile profile(const LaunchResult& result) const;
  LaunchTimeline timeline(const LaunchResult& result) const;

 private:
  ReadyLaunch& ready_;
  const gpu::GpuParams& gpu_;
  LaunchProfile blank_;
  std::optional<LaunchProfiler> profiler_;
  std::optional<TimelineRecorder> recorder_;
  ProbeList probes_;
};

}  // namespace stc::sim
