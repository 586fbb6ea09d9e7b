// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/program_profile.h"

namespace stc::sim {

Probe* ProgramProfile::begin(const ProgramModule& module, const isa::Kernel& kernel) {
  running_ = blank_profile(kernel, module.hash(), module.source_lines(kernel.name));
  running_.role = "program";
  return &profiler_.emplace(kernel.code.size());
}

void ProgramProfile::end(std::uint64_t cycles, const gpu::GpuParams& gpu) {
  profiler_->fill(running_, cycles, gpu);
  const auto [place, is_new] = places_.try_emplace({running_.kernel_hash, running_.kernel}, launches_.size());
  if (is_new) {
    launches_.push_back(std::move(running_));
  } else {
    launches_[place->second].add(running_);
  }
}

}  // namespace stc::sim
