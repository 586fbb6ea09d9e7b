// SPDX-License-Identifier: Apache-2.0
// Clocks of an H200's GPCs against what it counted under loads (measured/h200/gpc_clocks_by_load.csv).
#include <gtest/gtest.h>

#include <cmath>

#include "models/gpu/machine/collect.h"
#include "sim/base/csv_table.h"
#include "sim/config/gpu_config.h"

namespace stc::sim {
namespace {

const gpu::GpuParams& h200() {
  static const gpu::GpuParams params = read_gpu_config("configs/gpus/h200.yaml").params;
  return params;
}

/// Of loops that last `from` to `to` us: mean error of the spread and its bias, shares of the cycles.
struct Spread {
  double error = 0, bias = 0;
};

Spread spread_of_loops(double from, double to) {
  Spread sum;
  int rows = 0;
  const CsvTable table("validation/measured/h200/gpc_clocks_by_load.csv");
  for (const CsvRow& row : table.rows()) {
    if (row.number("us") < from || row.number("us") >= to) continue;
    const double cycles = row.number("elapsed_min"), measured = row.number("elapsed") - cycles;
    const double outside = h200().launch.overhead_cycles + h200().sm.issue.fence_latency;
    const double modelled = gpu::clock_spread(h200().clock_spread, cycles - outside, row.number("load_watts"),
                                              row.number("ctas") / h200().sms);
    sum.error += std::fabs(modelled - measured) / cycles;
    sum.bias += (modelled - measured) / cycles;
    ++rows;
  }
  EXPECT_GT(rows, 40);
  return {sum.error / rows, sum.bias / rows};
}

TEST(ClockSpread, IsThatOfLoopsOnAnH200) {
  const Spread brief = spread_of_loops(20, 50), longer = spread_of_loops(50, 300), longest = spread_of_loops(300, 800);
  EXPECT_LT(brief.error, 0.0026);
  EXPECT_NEAR(brief.bias, -0.001, 0.0005);
  EXPECT_LT(longer.error, 0.0016);
  EXPECT_NEAR(longer.bias, 0, 0.0005);
  EXPECT_LT(longest.error, 0.0018);
  EXPECT_NEAR(longest.bias, 0.0011, 0.0003) << "loops stop drifting, launches here do not (T15)";
}

/// CTAs on the first `sms` SMs that take so many watts each.
gpu::RunStatistics launch_of(int sms, std::uint64_t cycles, double watts) {
  gpu::RunStatistics run;
  run.cycles = cycles;
  for (int sm = 0; sm < sms; ++sm) run.ctas.push_back({static_cast<std::uint64_t>(sm), sm, 0, cycles});
  const double seconds = static_cast<double>(cycles) / (h200().clock_mhz * 1e6);
  run.total.warp_instructions =
      static_cast<std::uint64_t>(watts * sms * seconds / (h200().energy.warp_instruction * 1e-12));
  return run;
}

double spread_of_launch(int sms, std::uint64_t cycles, double watts, bool warpgroups = false) {
  gpu::RunStatistics run = launch_of(sms, cycles, watts);
  run.total.warpgroup_tensor_instructions = warpgroups ? 1 : 0;
  gpu::count_elapsed(run, h200());
  return static_cast<double>(run.cycles_elapsed) - static_cast<double>(cycles) - h200().launch.overhead_cycles;
}

TEST(ClockSpread, GoesWithSmsTimeAndWatts) {
  const int all = h200().sms;
  EXPECT_NEAR(spread_of_launch(all, 1'000'000, 1), 556, 2);
  EXPECT_NEAR(spread_of_launch(all, 46'700, 1), 556 * (1 - std::exp(-1)), 2);
  EXPECT_NEAR(spread_of_launch(116, 1'000'000, 1), 556.0 * 116 / all, 2);  // all GPCs have some
  // 4 W of each of 132 SMs, a little less while the launch begins and ends.
  EXPECT_NEAR(spread_of_launch(all, 1'000'000, 4), 556 + 2.86e-5 * (528 - 327) * 1e6, 100);
  EXPECT_NEAR(spread_of_launch(all, 1'000'000, 4, true), 20'000, 2);
}

TEST(ClockSpread, AGpcWithoutCtasHasTheFastestClock) {
  gpu::RunStatistics run = launch_of(1, 110'000, 1);
  run.total.tensor_instructions = 1;
  gpu::count_elapsed(run, h200());
  EXPECT_NEAR(static_cast<double>(run.cycles_elapsed),
              110'000 / h200().matrix_clock_ratio + h200().launch.overhead_cycles, 2);
  EXPECT_EQ(run.clock_mhz, h200().clock_mhz);
}

}  // namespace
}  // namespace stc::sim
