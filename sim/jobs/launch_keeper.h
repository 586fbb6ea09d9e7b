// SPDX-License-Identifier: Apache-2.0
// `stcsim run --keep DIR`: the launch of a run file as a run file of its own, with machine code, contents of its
// buffers at the addresses that they had and what they held afterwards, for `stcsim run` and `stcgpu run`. Kernels that
// stcsim builds become cubins, so that they run on silicon, too.
#pragma once

#include <string>
#include <vector>

#include "models/isa/state/global_memory.h"
#include "sim/launch/launch_writer.h"
#include "sim/launch/run_file.h"
#include "sim/run/run_launch.h"

namespace stc::sim {

class LaunchKeeper {
 public:
  /// UserError where the run file has what a kept launch does not say: --set of the GPU, or a folder with launches.
  LaunchKeeper(const std::string& folder, const RunFile& run_file);

  /// The launch as it is going to run. UserError when its module has variables, which lie where the replay has others.
  void before(const ReadyLaunch& ready);
  /// The launch has ended and these are its buffers.
  void after(const isa::GlobalMemory& memory);
  /// Leaves the files to be written with others.
  void finish(OutputFiles& outputs) { writer_.finish(outputs); }

 private:
  struct Kept {
    std::string name;
    DataRole role;
    LaunchWriter::Bytes contents;
  };

  const RunFile& run_file_;
  LaunchWriter writer_;
  std::vector<Kept> buffers_;
  std::vector<Argument> arguments_;
  std::vector<isa::KernelParameter> parameters_;
  std::string title_;
};

}  // namespace stc::sim
