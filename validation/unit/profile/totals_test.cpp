// SPDX-License-Identifier: Apache-2.0
// What a profile says of all instructions together is what the launch counts, exactly, and the same whatever the number
// of threads that ran it: dense and sparse GEMMs, divergent kernels, CTAs that take turns as in a stream-K GEMM,
// atomics.
#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "sim/profile/profile_json.h"
#include "sim/run/launch_look.h"
#include "validation/timing/run_file.h"
#include "validation/timing/same_statistics.h"

namespace stc::timing {
namespace {

using sim::Resource;

struct Looked {
  gpu::RunStatistics run;
  sim::LaunchProfile profile;
};

Looked look_at(const sim::RunFile& run_file, const sim::GpuConfig& gpu, gpu::Machine& machine) {
  sim::ReadyLaunch ready = ready_for(run_file, gpu);
  const sim::LaunchLook look(ready, "launch", gpu.params, {true, std::nullopt});
  isa::GlobalMemory memory;
  const sim::LaunchResult result = sim::run_launch(ready, machine, run_file.options, memory);
  return {result.run, look.profile(result)};
}

void expect_totals(const Looked& looked) {
  const SmStatistics& run = looked.run.total;
  const sim::InstructionCounts totals = looked.profile.totals();
  for (const sim::CountColumn& column : sim::count_columns()) {
    EXPECT_EQ(totals.*column.value, column.of_launch(run)) << column.key;
  }
  EXPECT_EQ(totals.stalls, run.stalls);
  for (const sim::ProfiledInstruction& one : looked.profile.instructions) {
    EXPECT_EQ(one.counts.warp_executions, one.counts.stalls[static_cast<std::size_t>(Stall::kIssued)]) << one.text;
  }
  const sim::UtilisationSeries& series = looked.profile.series;
  EXPECT_EQ(series.total(Resource::kTensor), run.tensor_busy_cycles);
  EXPECT_EQ(series.total(Resource::kIssue), run.warp_instructions);
  EXPECT_EQ(series.total(Resource::kShared), run.shared_wavefronts + run.copy_wavefronts);
  EXPECT_EQ(series.total(Resource::kL1), run.l1_sector_hits);
  EXPECT_EQ(series.total(Resource::kL2Read) + series.total(Resource::kL2Write), run.l2_sectors);
  EXPECT_EQ(series.total(Resource::kDram), looked.run.memory.dram_read_sectors + looked.run.memory.dram_write_sectors);
}

class Profile : public testing::TestWithParam<const char*> {};

TEST_P(Profile, AddsUpToTheRunWithAnyNumberOfThreads) {
  const sim::RunFile run_file = sim::read_run_file(run_named(GetParam()));
  const sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  gpu::Machine machine("gpu", gpu.params);
  sim::ReadyLaunch unseen = ready_for(run_file, gpu);
  isa::GlobalMemory memory;
  const gpu::RunStatistics want = sim::run_launch(unseen, machine, run_file.options, memory).run;
  std::string first;
  for (const int threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    machine.use_threads(threads, true);
    const Looked looked = look_at(run_file, gpu, machine);
    expect_same(looked.run, want);
    expect_totals(looked);
    const std::string text = sim::profile_json({looked.profile}).dump();
    if (first.empty()) first = text;
    EXPECT_TRUE(text == first) << "another profile than with one thread";
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Profile,
                         testing::Values("dense_values", "sparse_values", "warp_votes", "turns", "lock", "histogram",
                                         "transpose", "softmax", "driver_malloc"));

// Time is told where it was spent.
TEST(Profile, HotPlaces) {
  const sim::RunFile run_file = sim::read_run_file(run_named("sparse_values"));
  const sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  gpu::Machine machine("gpu", gpu.params);
  const Looked looked = look_at(run_file, gpu, machine);
  for (const sim::ProfiledInstruction& one : looked.profile.instructions) {
    const auto stalled = [&](Stall stall) { return one.counts.stalls[static_cast<std::size_t>(stall)]; };
    const auto is = [&](const char* name) { return one.text.find(name) != std::string::npos; };
    const bool multiplies = stalled(Stall::kTensorBusy) + one.counts.tensor_cycles != 0;
    EXPECT_TRUE(!multiplies || is("MMA")) << one.text;
    EXPECT_TRUE(stalled(Stall::kDrain) == 0 || is("EXIT")) << one.text;
    EXPECT_TRUE(one.counts.copy_wavefronts == 0 || is("LDGSTS")) << one.text;
    EXPECT_TRUE(one.counts.l2_write_sectors == 0 || is("STG")) << one.text;
    const bool stages = is("LDS") || is("STS") || is("STG") || is("LDGSTS");
    EXPECT_TRUE(one.counts.shared_wavefronts == 0 || stages) << one.text;
  }
}

}  // namespace
}  // namespace stc::timing
