// SPDX-License-Identifier: Apache-2.0
// What a kernel pays at its start and its end, against an H200 (measured/h200/start.csv): code that no cache holds, the
// launch itself, stores that must leave before an SM is free, clocks of GPCs. The table states the error that the model
// has of each launch, its outliers among them (DEVIATIONS, T7): whoever makes one worse or better notices.
#include <gtest/gtest.h>

#include <cmath>

#include "models/gpu/machine/machine.h"
#include "sim/base/csv_table.h"
#include "sim/config/gpu_config.h"
#include "sim/micro/run_point.h"

namespace stc::silicon {
namespace {

struct Launch {
  const char* caches;  ///< emptied or kept
  const char* kernel;
  unsigned ctas, warps;
  const char* args;
  double active_percent;   ///< error of active cycles, simulated / measured - 1
  double elapsed_percent;  ///< of elapsed ones
};
constexpr double kSlack = 1;  ///< points of percent
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
  gpu::Machine machine("gpu", gpu.params);
  const gpu::RunStatistics run = micro::Runner(machine, STC_KERNELS, true).run(point).run;
  double longest = 0;
  for (const SmStatistics& sm : run.per_sm) longest = std::max(longest, static_cast<double>(sm.cycles_active));
  EXPECT_NEAR(100 * (longest / active - 1), launch.active_percent, kSlack)
      << "active: " << longest << " against " << active;
  EXPECT_NEAR(100 * (static_cast<double>(run.cycles_elapsed) / elapsed - 1), launch.elapsed_percent, kSlack)
      << "elapsed: " << run.cycles_elapsed << " against " << elapsed;
}

INSTANTIATE_TEST_SUITE_P(
    H200, Start,
    testing::Values(
        Launch{"kept", "micro_empty", 1, 1, "", -18.1, -3.1}, Launch{"kept", "micro_empty", 132, 8, "", -25.3, 3.3},
        Launch{"emptied", "micro_empty", 4, 8, "", -9.5, 1.9}, Launch{"emptied", "micro_empty", 132, 8, "", -15.6, 5.1},
        Launch{"kept", "micro_empty", 264, 8, "", 10.3, 0.3}, Launch{"kept", "micro_empty", 528, 8, "", 125.8, -0.7},
        Launch{"emptied", "micro_load_once", 1, 8, "data", 0.2, -0.2},
        Launch{"emptied", "micro_load_once", 132, 8, "data", -26.5, -9.7},
        Launch{"kept", "micro_load_once", 132, 8, "data", -17.3, 0.4},
        Launch{"kept", "micro_stores", 1, 4, "data 16", 13.8, 1.9},
        Launch{"kept", "micro_stores", 1, 4, "data 64", 3.9, 2.0},
        Launch{"kept", "micro_stores", 132, 4, "data 64", -10.9, -6.2},
        Launch{"kept", "micro_mma_m16n8k16_f32_f16_f16_f32_c4", 8, 8, "out 4000", 0, 0},
        Launch{"kept", "micro_mma_m16n8k16_f32_f16_f16_f32_c4", 16, 8, "out 4000", 0, 0}));

}  // namespace
}  // namespace stc::silicon
