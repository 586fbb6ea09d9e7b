// SPDX-License-Identifier: Apache-2.0
// From what the parts of a machine counted during a launch to the outcome of the launch.
#pragma once

#include <memory>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/memory/memory_system.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

/// `ctas`: those that have ended. `fit`: how many an SM has room for.
RunStatistics collect(const GpuParams& params, const Occupancy& fit, const std::vector<CtaRecord>& ctas,
                      const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms,
                      const memory::MemorySystem& memory);

/// Cycles that the fastest GPC counts more than the slowest while CTAs run for so many.
///
/// `load_watts`: mean of the launch, beyond what the board takes anyway, operands random. `share_of_sms`: that had
/// CTAs.
/// Source: validation/measured/h200/gpc_clocks_by_load.csv.
double clock_spread(const ClockSpreadParams& params, double cycles, double load_watts, double share_of_sms);

/// Sets cycles_elapsed and the clock by `result.cycles` and what was counted.
void count_elapsed(RunStatistics& result, const GpuParams& params);

}  // namespace stc::gpu
