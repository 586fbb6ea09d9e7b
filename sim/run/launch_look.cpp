// SPDX-License-Identifier: Apache-2.0
#include "sim/run/launch_look.h"

#include "sim/base/error.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"

namespace stc::sim {
namespace {

/// A kernel that was built here comes from no source.
cubin::SourceLines lines_of(const ReadyLaunch& ready) {
  if (ready.prepared.built) return cubin::SourceLines();
  try {
    return cubin::open_cubin(ready.prepared.module).source_lines(ready.kernel.name);
  } catch (const cubin::CubinError& error) {
    throw UserError(error.what());
  }
}

}  // namespace

LaunchLook::LaunchLook(ReadyLaunch& ready, const std::string& role)
    : ready_(ready),
      blank_(blank_profile(ready.kernel, ready.kernel_hash, lines_of(ready))),
      profiler_(ready.kernel.code.size()) {
  blank_.role = role;
  blank_.title = ready.title;
  ready_.probe = &profiler_;
}

LaunchProfile LaunchLook::profile(const LaunchResult& result, const gpu::GpuParams& gpu) const {
  LaunchProfile profile = blank_;
  profiler_.fill(profile, result.run.cycles, gpu);
  return profile;
}

}  // namespace stc::sim
