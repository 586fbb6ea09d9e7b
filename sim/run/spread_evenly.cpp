// SPDX-License-Identifier: Apache-2.0
#include "sim/run/spread_evenly.h"

#include <algorithm>
#include <cmath>

#include "sim/config/ideal_limits.h"

namespace stc::sim {

bool lifts_tail(const RunOptions& options) {
  return std::find(options.ideal.begin(), options.ideal.end(), kTailLimit) != options.ideal.end();
}

void spread_evenly(gpu::RunStatistics& run, const gpu::GpuParams& gpu) {
  if (run.cycles == 0) return;
  const double mean = static_cast<double>(run.total.cycles_active) / gpu.sms;
  const double kept = std::min(1.0, mean / static_cast<double>(run.cycles));
  // Elapsed cycles may be those of a faster clock.
  const double in_ctas = static_cast<double>(run.cycles_elapsed) - gpu.launch.overhead_cycles;
  run.cycles = static_cast<std::uint64_t>(std::llround(kept * static_cast<double>(run.cycles)));
  run.cycles_elapsed = static_cast<std::uint64_t>(std::llround(kept * in_ctas + gpu.launch.overhead_cycles));
  run.energy = gpu::energy_of(run, gpu);
}

}  // namespace stc::sim
