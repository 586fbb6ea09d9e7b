// SPDX-License-Identifier: Apache-2.0
// All that a run file asks for, simulated: `stcsim run` and the Python package stand on this.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "models/isa/state/buffer_bytes.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/run_file.h"
#include "sim/profile/launch_profile.h"
#include "sim/profile/timeline.h"
#include "sim/result/run_result.h"

namespace stc::sim {

/// What a buffer holds, or a variable that a launch sets, by its name in the run file.
using Contents = std::function<const isa::BufferBytes&(const std::string& name)>;

class LaunchKeeper;

/// What the run file does not say.
struct Simulation {
  int threads = 0;                             ///< that may run SMs side by side; 0: one per processor
  std::FILE* printed = stdout;                 ///< where the text goes that threads of the kernel print
  std::function<void(const Contents&)> ended;  ///< looks at the buffers when the launches of the file have ended
  const RunFile* dense = nullptr;  ///< of the dense kernel to compare with; none: the library's own, if asked for
  /// Gets what instructions cost, launch by launch; none: nobody looks.
  std::vector<LaunchProfile>* profiles = nullptr;
  /// Gets what of `timeline` happens when, launch by launch; none: nobody looks.
  std::vector<LaunchTimeline>* timelines = nullptr;
  TimelineChoice timeline;
  LaunchKeeper* keeper = nullptr;  ///< gets the launch and its buffers; none: nobody keeps them
};

/// The result before the run. `sets` are the --set of the command line.
RunResult empty_result(const RunFile& run_file, const GpuConfig& gpu, const std::vector<std::string>& sets);

/// Runs all launches of the file and those to compare with. Once per process: it builds a machine. Whatever it throws,
/// `result` has the launches that had ended.
void simulate(const RunFile& run_file, const GpuConfig& gpu, const Simulation& how, RunResult& result);

}  // namespace stc::sim
