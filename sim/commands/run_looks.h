// SPDX-License-Identifier: Apache-2.0
// What `stcsim run` sees of its launches beside their results: profiles and timelines, where they are asked for.
#pragma once

#include <vector>

#include "sim/base/files.h"
#include "sim/commands/run.h"
#include "sim/jobs/simulate.h"

namespace stc::sim {

/// UserError when the files that the command names cannot be made with such options.
void require_looks_possible(const RunCommand& command, const RunOptions& options, const gpu::GpuParams& gpu);

class RunLooks {
 public:
  explicit RunLooks(const RunCommand& command) : command_(command) {}

  /// Lets `how` tell of its launches, on such a GPU.
  void choose(Simulation& how, const RunOptions& options, const gpu::GpuParams& gpu);
  /// Adds the files.
  void write(const gpu::GpuParams& gpu, OutputFiles& outputs) const;
  /// For the page of the run; none of a sampled one.
  const std::vector<LaunchProfile>& profiles() const { return profiles_; }

 private:
  const RunCommand& command_;
  std::vector<LaunchProfile> profiles_;
  std::vector<LaunchTimeline> timelines_;
};

}  // namespace stc::sim
