// SPDX-License-Identifier: Apache-2.0
// A launch of a foreign program, as scripts/foreign recorded it.
#pragma once

#include "models/gpu/gpu.h"
#include "sim/compare/compare_point.h"
#include "sim/config/gpu_config.h"

namespace stc::gpu {
class Machine;
}

namespace stc::sim {

/// Simulates the launch on `machine`, which is a `gpu`. UserError when its program did not find its results right, or
/// when memory afterwards is not what that program found; the latter is let pass if warps race.
gpu::RunStatistics simulate_foreign(const ForeignLaunch& launch, const GpuConfig& gpu, gpu::Machine& machine);

/// What scripts/foreign said of the launch's program when it recorded it: another recording is another file.
std::string outcome_file_of(const ForeignLaunch& launch);

}  // namespace stc::sim
