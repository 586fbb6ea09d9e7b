// SPDX-License-Identifier: Apache-2.0
// A launch made from a run file (`launch:` form), ready for gpu::Machine.
#pragma once

#include <string>

#include "models/gpu/gpu.h"
#include "sim/config/gpu_config.h"

/// Holds what `launch` points to.
struct KernelLaunch {
  explicit KernelLaunch(const std::string& run_file);
  KernelLaunch(const KernelLaunch&) = delete;
  KernelLaunch& operator=(const KernelLaunch&) = delete;

  stc::sim::GpuConfig gpu;
  stc::isa::Kernel kernel;
  stc::isa::GlobalMemory memory;
  stc::gpu::Launch launch;
};
