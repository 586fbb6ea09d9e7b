// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/metric.h"

#include <algorithm>
#include <stdexcept>

#include "sim/result/describe_run.h"

namespace stc::sim {
namespace {

constexpr double kLeastWritten = 65536;  // chosen: up to 0.3 MiB come by chance (measured/h200/stored_volumes.csv)

/// A figure of the result, with its unit and meaning there.
Metric figure(const char* key, const char* title, const char* path, std::vector<const char*> measured_columns,
              const std::string& further_meaning = "", double least = 0) {
  const Json& schema = figure_schema(path);
  return {key,
          title,
          schema.at("unit"),
          schema.at("description").get<std::string>() + further_meaning,
          std::move(measured_columns),
          path,
          least};
}

}  // namespace

const std::vector<Metric>& all_metrics() {
  static const std::vector<Metric> metrics = {
      figure("cycles", "cycles", "cycles", {"cycles", "active_cycles_max", "active_cycles"},
             " Silicon: clocks with a warp resident, largest SM. Microbenchmarks: first to last clock reading of the "
             "slowest CTA."),
      {"last_clock",
       "last clock read",
       "SM cycles",
       "Of a warp that reads the clock after each instruction, median.",
       {}},
      {"cta_cycles", "cycles, median CTA", "SM cycles", "The same of a microbenchmark's median CTA.", {}},
      {"warp_cycles", "cycles, median warp", "SM cycles", "Stop minus start of one warp, median over warps.", {}},
      figure("cycles_elapsed", "elapsed cycles", "cycles_elapsed", {"cycles_elapsed", "elapsed_cycles"}),
      figure("time_us", "time", "time_us", {"time_us", "time_us_median", "median_us"}),
      figure("warp_instructions", "warp instructions", "instructions.warp", {"warp_instructions", "instructions"}),
      figure("tensor_instructions", "tensor instructions", "tensor.instructions", {"tensor_instructions"}),
      figure("shared_wavefronts", "shared-memory wavefronts", "memory.shared_wavefronts", {"shared_wavefronts"}),
      figure("l2_sectors", "L2 sectors", "memory.l2_sectors_served", {"l2_sectors_tex", "l2_sectors"}),
      figure("dram_read_bytes", "DRAM bytes read", "memory.dram_read_bytes", {"dram_read_bytes"}),
      figure("dram_write_bytes", "DRAM bytes written", "memory.dram_write_bytes", {"dram_write_bytes"},
             " Compared where silicon writes at least 64 KiB.", kLeastWritten),
      {"joules", "joules a launch", "J", "At the clock that keeps the board's power limit.", {}},
      {"watts", "mean power", "W", "Joules of a launch over its time.", {}},
      {"limited_us", "time within the power limit", "us", "Of a launch; silicon: behind one another.", {}},
      {"limited_mhz", "clock within the power limit", "MHz", "Silicon: mean.", {}},
      {"latency", "latency", "SM cycles", "Of one dependent instruction.", {}},
      {"iteration", "loop iteration", "SM cycles", "Of a loop with some independent matrix instructions per warp.", {}},
      {"interval", "issue interval", "SM cycles", "Between matrix instructions of a sub-core.", {}},
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
