// SPDX-License-Identifier: Apache-2.0
// Kernels between the products against an H200: those launches of validation/measured/h200/network.csv that take
// seconds here. DEVIATIONS.md (T32) has the errors of all.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "models/gpu/machine/machine.h"
#include "sim/base/csv_table.h"
#include "sim/launch/manifest.h"
#include "sim/network/network_kernels.h"
#include "sim/run/run_launch.h"
#include "validation/kernels/network_measured.h"

namespace stc::sim {
namespace {

constexpr double kMostInstructions = 4e6;

TEST(NetworkAccuracy, InstructionsAreEqualAndCyclesNearThoseOfAnH200) {
  const GpuConfig gpu = read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  const NetworkKernels library = NetworkKernels::load(default_kernels_folder());
  const CsvTable table("validation/measured/h200/network.csv");
  double errors = 0;
  int compared = 0;
  for (const CsvRow& row : table.rows()) {
    if (row.number("instructions") > kMostInstructions) continue;
    kernels::each_measured_call([&](const char* title, const NetworkCall& call) {
      if (row.text("call") != title) return;
      ReadyLaunch ready = make_ready(prepare_call(call, library, gpu.params.sm_version), gpu);
      RunOptions options;
      options.full_values = false;
      isa::GlobalMemory memory;
      const gpu::RunStatistics run = run_launch(ready, machine, options, memory).run;
      // The CTA that is last joins the parts of a head; which one that is depends on time.
      const double instructions = static_cast<double>(run.total.warp_instructions) / row.number("instructions");
      EXPECT_NEAR(instructions, 1, std::string(title).rfind("decode", 0) == 0 ? 0.01 : 0) << title;
      const double error = static_cast<double>(run.cycles_elapsed) / row.number("elapsed_cycles") - 1;
      std::printf("%s: %+.1f %%\n", title, 100 * error);
      EXPECT_LT(std::fabs(error), 0.16) << title;
      errors += std::fabs(error);
      ++compared;
    });
  }
  EXPECT_EQ(compared, 8);
  EXPECT_LT(errors / compared, 0.07);
}

}  // namespace
}  // namespace stc::sim
