// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/metric.h"

#include <algorithm>
#include <stdexcept>

namespace stc::sim {

const std::vector<Metric>& all_metrics() {
  static const std::vector<Metric> metrics = {
      {"cycles",
       "cycles",
       "SM clocks",
       "First CTA's start to last CTA's end; silicon: clocks with a warp resident, largest SM. Microbenchmarks: first "
       "to last clock reading of the slowest CTA.",
       {"cycles", "active_cycles_max", "active_cycles"}},
      {"last_clock",
       "last clock read",
       "SM clocks",
       "Of a warp that reads the clock after each instruction, median.",
       {}},
      {"cta_cycles", "cycles, median CTA", "SM clocks", "The same of a microbenchmark's median CTA.", {}},
      {"warp_cycles", "cycles, median warp", "SM clocks", "Stop minus start of one warp, median over warps.", {}},
      {"cycles_elapsed", "elapsed cycles", "SM clocks", "With launch overhead.", {"cycles_elapsed", "elapsed_cycles"}},
      {"time_us",
       "time",
       "us",
       "Of the launch, at the clock of the configuration.",
       {"time_us", "time_us_median", "median_us"}},
      {"warp_instructions",
       "warp instructions",
       "instructions",
       "Executed, all warps.",
       {"warp_instructions", "instructions"}},
      {"tensor_instructions",
       "tensor instructions",
       "instructions",
       "Matrix instructions, dense and sparse.",
       {"tensor_instructions"}},
      {"shared_wavefronts",
       "shared-memory wavefronts",
       "wavefronts",
       "128-byte cycles of the data stage, asynchronous copies apart.",
       {"shared_wavefronts"}},
      {"l2_sectors",
       "L2 sectors",
       "sectors",
       "32-byte sectors that requests of SMs read from or write to L2.",
       {"l2_sectors_tex", "l2_sectors"}},
      {"dram_read_bytes", "DRAM bytes read", "bytes", "From device memory.", {"dram_read_bytes"}},
      {"dram_write_bytes", "DRAM bytes written", "bytes", "To device memory.", {"dram_write_bytes"}},
      {"latency", "latency", "SM clocks", "Of one dependent instruction.", {}},
      {"iteration", "loop iteration", "SM clocks", "Of a loop with some independent matrix instructions per warp.", {}},
      {"interval", "issue interval", "SM clocks", "Between matrix instructions of a sub-core.", {}},
      {"throughput", "throughput", "FMA/clock/SM", "Dense-equivalent multiply-adds.", {}},
      {"dense_us", "dense time", "us", "Best dense tile here; the dense library there.", {}},
      {"sparse_us", "sparse time", "us", "Best 2:4 tile here; the sparse library there.", {}},
      {"speedup", "sparse-to-dense speedup", "", "Dense time over sparse time.", {}},
  };
  return metrics;
}

const Metric& metric_of(const std::string& key) {
  const auto found =
      std::find_if(all_metrics().begin(), all_metrics().end(), [&](const Metric& metric) { return key == metric.key; });
  if (found == all_metrics().end()) throw std::logic_error("no metric '" + key + "'");
  return *found;
}

}  // namespace stc::sim
