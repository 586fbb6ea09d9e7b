// SPDX-License-Identifier: Apache-2.0
// What a kernel pays at its start and its end, against an H200 (measured/h200/start.csv): code that no cache holds, the
// launch itself, stores that must leave before an SM is free, clocks of GPCs.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/compare/csv_table.h"
#include "sim/config/gpu_config.h"
#include "validation/timing/micro/run_point.h"

namespace stc::silicon {
namespace {

struct Launch {
  const char* caches;  ///< emptied or kept
  const char* kernel;
  unsigned ctas, warps;
  const char* args;
  double active_percent;   ///< largest error of active cycles
  double elapsed_percent;  ///< of elapsed ones
};
void PrintTo(const Launch& l, std::ostream* out) {
  *out << l.kernel << ' ' << l.ctas << ' ' << l.args << ' ' << l.caches;
}

class Start : public testing::TestWithParam<Launch> {};

TEST_P(Start, TakesWhatItTookOnSilicon) {
  const Launch& launch = GetParam();
  const std::string file = std::string(STC_MEASURED) + "/start.csv";
  double elapsed = 0, active = 0;
  micro::Point point;
  const sim::CsvTable table(file);
  for (const sim::CsvRow& row : table.rows()) {
    if (row.text("caches") != launch.caches || row.text("kernel") != launch.kernel || row.text("args") != launch.args ||
        row.number("ctas") != launch.ctas || row.number("warps") != launch.warps || row.number("shared_bytes") != 0) {
      continue;
    }
    elapsed = row.number("elapsed_cycles"), active = row.number("active_cycles_max");
  }
  ASSERT_GT(elapsed, 0) << "no such row in " << file;
  point.cubin = std::string(launch.kernel).find("mma") != std::string::npos     ? "micro_mma"
                : std::string(launch.kernel).find("empty") != std::string::npos ? "micro_launch"
                                                                                : "micro_start";
  point.kernel = launch.kernel;
  point.kind = point.cubin == "micro_mma" ? micro::Kind::kInterval : micro::Kind::kLatency;
  point.ctas = launch.ctas;
  point.warps = launch.warps;
  point.args = launch.args;
  point.data_bytes = std::string(launch.args).find("data") != std::string::npos ? 1 << 26 : 0;
  point.flushed = std::string(launch.caches) == "emptied";
  point.measured = {elapsed};
  const sim::GpuConfig gpu = sim::read_gpu_config(std::string(STC_CONFIGS) + "/gpus/h200.yaml");
  const gpu::RunStatistics run = micro::Runner(gpu.params, STC_KERNELS).run(point).run;
  double longest = 0;
  for (const gpu::SmStatistics& sm : run.per_sm) longest = std::max(longest, static_cast<double>(sm.cycles_active));
  EXPECT_NEAR(100 * (longest / active - 1), 0, launch.active_percent) << "active: " << longest << " against " << active;
  EXPECT_NEAR(100 * (static_cast<double>(run.cycles_elapsed) / elapsed - 1), 0, launch.elapsed_percent)
      << "elapsed: " << run.cycles_elapsed << " against " << elapsed;
}

INSTANTIATE_TEST_SUITE_P(
    H200, Start,
    testing::Values(Launch{"kept", "micro_empty", 1, 1, "", 2, 5}, Launch{"kept", "micro_empty", 132, 8, "", 25, 5},
                    Launch{"emptied", "micro_empty", 4, 8, "", 10, 5},
                    Launch{"emptied", "micro_empty", 132, 8, "", 25, 7},
                    Launch{"kept", "micro_empty", 264, 8, "", 35, 5}, Launch{"kept", "micro_empty", 528, 8, "", 150, 5},
                    Launch{"emptied", "micro_load_once", 1, 8, "data", 20, 7},
                    Launch{"emptied", "micro_load_once", 132, 8, "data", 25, 12},
                    Launch{"kept", "micro_load_once", 132, 8, "data", 20, 7},
                    Launch{"kept", "micro_stores", 1, 4, "data 16", 6, 6},
                    Launch{"kept", "micro_stores", 1, 4, "data 64", 3, 4},
                    Launch{"kept", "micro_stores", 132, 4, "data 64", 12, 10},
                    Launch{"kept", "micro_mma_m16n8k16_f32_f16_f16_f32_c4", 8, 8, "out 4000", 4, 4},
                    Launch{"kept", "micro_mma_m16n8k16_f32_f16_f16_f32_c4", 16, 8, "out 4000", 4, 4}));

}  // namespace
}  // namespace stc::silicon
