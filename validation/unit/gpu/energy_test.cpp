// SPDX-License-Identifier: Apache-2.0
// Joules of a launch from its counters: units, zeros, types that nobody knows, the power limit.
#include "models/gpu/energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"
#include "validation/gpus.h"

namespace stc::gpu {
namespace {

GpuParams round_costs() {
  GpuParams gpu;
  gpu.clock_mhz = 1000;
  gpu.energy.constant_watts = 100;
  gpu.energy.limit_watts = 500;
  gpu.energy.limit_exponent = 1;
  gpu.energy.sm_cycle = 100;
  gpu.energy.warp_instruction = 10;
  gpu.energy.thread_instruction = 1;
  gpu.energy.tensor = {0.5, 2, 0.25, 0.125, 4, 0.5};
  gpu.energy.memory = {1, 2, 4, 8, 16, 0.25};
  return gpu;
}

/// 1000 elapsed cycles at 1000 MHz: a microsecond.
RunStatistics microsecond() {
  RunStatistics run;
  run.cycles_elapsed = 1000;
  run.clock_mhz = 1000;
  return run;
}

double joules(const Energy& energy, EnergyPart part) { return energy.joules[static_cast<std::size_t>(part)]; }
double zeros(const Energy& energy, EnergyPart part) { return energy.of_zeros[static_cast<std::size_t>(part)]; }

TEST(Energy, ConstantPowerTimesElapsedTime) {
  const Energy energy = energy_of(microsecond(), round_costs());
  EXPECT_TRUE(energy.known);
  EXPECT_DOUBLE_EQ(energy.seconds, 1e-6);
  EXPECT_DOUBLE_EQ(energy.total(), 100e-6);
  EXPECT_DOUBLE_EQ(energy.total_of_zeros(), 100e-6);
  EXPECT_DOUBLE_EQ(energy.watts(), 100);
}

TEST(Energy, EveryCounterHasItsCost) {
  RunStatistics run = microsecond();
  run.total.cycles_active = 1000;
  run.total.warp_instructions = 100, run.total.thread_instructions = 3200;
  run.total.tensor_stored_macs = 700;
  run.total.tensor_f16_macs = 400, run.total.tensor_tf32_macs = 200, run.total.tensor_s8_macs = 100;
  run.total.tensor_selected_macs = 160;
  run.total.register_file.read[0] = 300, run.total.register_file.write[1] = 100;
  run.total.shared_wavefronts = 3, run.total.copy_wavefronts = 1000;
  run.total.l1_sector_hits = 4, run.total.l2_sectors = 3;
  run.memory.dram_read_sectors = 2, run.memory.dram_write_sectors = 1;
  const Energy energy = energy_of(run, round_costs());
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kSms), 1000 * 100e-12);
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kInstructions), (100 * 10 + 3200 * 1) * 1e-12);
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kTensor), (400 * 0.5 + 200 * 2 + 100 * 0.25 + 160 * 0.125) * 1e-12);
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kRegisterFile), 400 * 4e-12);
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kShared), 3 * 1024 * 1e-12);
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kL1), 4 * 256 * 2e-12);
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kL2), 3 * 256 * 4e-12);
  EXPECT_DOUBLE_EQ(joules(energy, EnergyPart::kDram), (2 * 8 + 1 * 16) * 256 * 1e-12);
  EXPECT_DOUBLE_EQ(zeros(energy, EnergyPart::kTensor), 0.5 * joules(energy, EnergyPart::kTensor));
  EXPECT_DOUBLE_EQ(zeros(energy, EnergyPart::kRegisterFile), 0.5 * joules(energy, EnergyPart::kRegisterFile));
  EXPECT_DOUBLE_EQ(zeros(energy, EnergyPart::kInstructions), joules(energy, EnergyPart::kInstructions));
  for (const EnergyPart part : {EnergyPart::kShared, EnergyPart::kL1, EnergyPart::kL2, EnergyPart::kDram}) {
    EXPECT_DOUBLE_EQ(zeros(energy, part), 0.25 * joules(energy, part)) << name_of(part);
  }
}

TEST(Energy, IsNotKnownForOtherTypes) {
  RunStatistics run = microsecond();
  run.total.tensor_stored_macs = 256;
  run.total.tensor_f16_macs = 255;
  EXPECT_FALSE(energy_of(run, round_costs()).known);
  run.total.tensor_f16_macs = 256;
  EXPECT_TRUE(energy_of(run, round_costs()).known);
}

TEST(Energy, AboveTheLimitTheClockFallsUntilItHolds) {
  RunStatistics run = microsecond();
  run.total.cycles_active = 4000000;  // 400 uJ: 500 W in all
  Energy energy = energy_of(run, round_costs());
  EXPECT_DOUBLE_EQ(energy.watts(), 500);
  EXPECT_EQ(energy.limited_mhz, 1000);
  EXPECT_EQ(energy.limited_joules, energy.total());
  run.total.cycles_active = 9000000;  // 1000 W, of which 900 depend on the clock: squared, for the voltage
  energy = energy_of(run, round_costs());
  const double ratio = std::sqrt(400.0 / 900);
  EXPECT_DOUBLE_EQ(energy.limited_mhz, 1000 * ratio);
  EXPECT_DOUBLE_EQ(energy.limited_seconds, 1e-6 / ratio);
  EXPECT_DOUBLE_EQ(energy.limited_joules / energy.limited_seconds, 500);
}

/// Counters of f16_dense_128x256x64_w64x64_s3 at 4096 x 4096 x 4096, L2 cold.
RunStatistics large_gemm() {
  RunStatistics run;
  run.cycles_elapsed = 710408;
  run.clock_mhz = 1410;
  SmStatistics& sm = run.total;
  sm.cycles_active = 707408ull * 108;
  sm.warp_instructions = 62558208, sm.thread_instructions = 1912962560;
  sm.tensor_logical_macs = sm.tensor_stored_macs = sm.tensor_f16_macs = 4096ull * 4096 * 4096;
  sm.register_file.read[0] = 42949672960, sm.register_file.write[0] = 17179869184;
  sm.shared_wavefronts = 36417536, sm.l2_sectors = 52428800;
  run.memory.dram_read_sectors = 5308416, run.memory.dram_write_sectors = 1769472;
  return run;
}

TEST(Energy, ALargeDenseGemmTakesAnA100ToItsLimit) {
  const Energy energy = energy_of(large_gemm(), validation::a100());
  EXPECT_TRUE(energy.known);
  EXPECT_NEAR(energy.total(), 0.2567, 0.0005);
  EXPECT_NEAR(energy.watts(), 509, 1);
  const double sustained = energy.limited_joules / energy.limited_seconds;
  EXPECT_GE(sustained, 250);
  EXPECT_LE(sustained, 400.001);
  EXPECT_NEAR(energy.limited_mhz, 1281, 2);
}

}  // namespace
}  // namespace stc::gpu
