// SPDX-License-Identifier: Apache-2.0
// What a launch counted, all SMs and the memory system together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/statistics.h"
#include "models/gpu/energy.h"

namespace stc::gpu {

/// What of a launch was not simulated, and how far off its cycles may be for that (models/gpu/sampling/extrapolate.h).
struct SamplingReport {
  std::uint64_t ctas_simulated = 0, ctas_skipped = 0;
  std::uint32_t loop_passes = 0;          ///< that every warp makes; 0: the kernel has no loop worth looking at
  std::uint32_t loop_passes_skipped = 0;  ///< of those, left out in each simulated CTA
  std::size_t ctas_walked = 0;            ///< whose loops were compared instruction by instruction
  std::uint64_t cycles_simulated = 0;
  double loop_share = 0, wave_share = 0;                 ///< of the cycles, left out in loops and as waves
  double loop_error = 0, wave_error = 0, end_error = 0;  ///< parts of the estimate, fractions of the cycles
  double error() const { return loop_error + wave_error + end_error; }
};

/// Outcome of one launch.
struct RunStatistics {
  std::uint64_t cycles = 0;          ///< first CTA's start to last CTA's end, clocks of the SMs that run CTAs
  std::uint64_t cycles_elapsed = 0;  ///< with launch overhead, clocks of the GPC whose clock is fastest
  std::uint64_t drain_cycles = 0;    ///< from the last CTA's end until L2 has what was stored; in `cycles_elapsed` only
  double clock_mhz = 0;              ///< clock of that GPC
  int ctas_per_sm = 0;               ///< most at once on one SM
  int occupancy = 0;                 ///< CTAs for which an SM has room
  std::string occupancy_limit;       ///< of `occupancy`: "registers", "shared memory", "warps", "CTA slots"
  SmStatistics total;
  std::vector<SmStatistics> per_sm;
  MemoryStatistics memory;
  std::vector<CtaRecord> ctas;
  Energy energy;
  std::optional<SamplingReport> sampling;  ///< of a launch that was sampled: all figures are for the whole of it
  int threads = 1;                         ///< that ran SMs side by side; no other figure depends on it

  /// Time of cycles_elapsed; 0 when nothing has run.
  double time_us() const { return clock_mhz > 0 ? static_cast<double>(cycles_elapsed) / clock_mhz : 0.0; }
};

/// Most CTAs that were on one SM at once.
int most_resident(const std::vector<CtaRecord>& ctas);

}  // namespace stc::gpu
