// SPDX-License-Identifier: Apache-2.0
// `options.ideal: tail`: a launch whose SMs all end at once.
#pragma once

#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"
#include "sim/launch/run_options.h"

namespace stc::sim {

bool lifts_tail(const RunOptions& options);

/// Its cycles become the mean over all SMs of those in which they held a CTA; launch overhead stays. What was counted
/// stays as it is; energy is that of the shorter time.
void spread_evenly(gpu::RunStatistics& run, const gpu::GpuParams& gpu);

}  // namespace stc::sim
