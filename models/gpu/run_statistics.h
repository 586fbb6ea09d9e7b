// SPDX-License-Identifier: Apache-2.0
// What a launch counted, all SMs and the memory system together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/statistics.h"
#include "models/gpu/energy.h"

namespace stc::gpu {

/// Outcome of one launch.
struct RunStatistics {
  std::uint64_t cycles = 0;          ///< first CTA's start to last CTA's end, clocks of the SMs that run CTAs
  std::uint64_t cycles_elapsed = 0;  ///< with launch overhead, clocks of the GPC whose clock is fastest
  double clock_mhz = 0;              ///< clock of that GPC
  int ctas_per_sm = 0;               ///< most at once on one SM
  int occupancy = 0;                 ///< CTAs for which an SM has room
  std::string occupancy_limit;       ///< of `occupancy`: "registers", "shared memory", "warps", "CTA slots"
  SmStatistics total;
  std::vector<SmStatistics> per_sm;
  MemoryStatistics memory;
  std::vector<CtaRecord> ctas;
  Energy energy;
  int threads = 1;  ///< that ran SMs side by side; no other figure depends on it

  /// Time of cycles_elapsed; 0 when nothing has run.
  double time_us() const { return clock_mhz > 0 ? static_cast<double>(cycles_elapsed) / clock_mhz : 0.0; }
};

/// Most CTAs that were on one SM at once.
int most_resident(const std::vector<CtaRecord>& ctas);

}  // namespace stc::gpu
