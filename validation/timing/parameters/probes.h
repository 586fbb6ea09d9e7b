// SPDX-License-Identifier: Apache-2.0
// Short launches that together use every part of the machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/run_statistics.h"
#include "sim/config/gpu_config.h"

namespace stc::timing {

/// What a launch shows: everything counted, and of the launch that is for them the values that it stores.
struct ProbeOutcome {
  gpu::RunStatistics run;
  std::vector<std::uint8_t> values;
};

/// Runs the launch of this name on a GPU: a run file of validation/timing/runs, a microbenchmark, or one of its own.
/// std::invalid_argument when there is none.
ProbeOutcome run_probe(const std::string& name, const sim::GpuConfig& gpu);

}  // namespace stc::timing
