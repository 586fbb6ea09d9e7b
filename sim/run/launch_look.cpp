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

LaunchLook::LaunchLook(ReadyLaunch& ready, const std::string& role, const gpu::GpuParams& gpu, const LookChoice& choice)
    : ready_(ready), gpu_(gpu) {
  if (choice.profile) {
    blank_ = blank_profile(ready.kernel, ready.kernel_hash, lines_of(ready));
    blank_.role = role;
    blank_.title = ready.title;
    probes_.add(profiler_.emplace(ready.kernel.code.size()));
  }
  if (choice.timeline) probes_.add(recorder_.emplace(*choice.timeline, gpu.sms));
  ready_.probe = probes_.get();
}

LaunchProfile LaunchLook::profile(const LaunchResult& result) const {
  LaunchProfile profile = blank_;
  profiler_->fill(profile, result.run.cycles, gpu_);
  return profile;
}

LaunchTimeline LaunchLook::timeline(const LaunchResult& result) const {
  return recorder_->timeline(ready_.kernel, ready_.title, result.run, gpu_);
}

}  // namespace stc::sim
