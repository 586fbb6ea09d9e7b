// SPDX-License-Identifier: Apache-2.0
// Whatever the number of threads that run the SMs, and whether SMs go in step or run ahead of each other, every counter
// of a run and every byte of its buffers is the same: dense and sparse GEMMs, CTAs that take turns, a lock, tickets, a
// histogram.
#include <gtest/gtest.h>

#include <string>

#include "validation/timing/run_file.h"
#include "validation/timing/same_statistics.h"

namespace stc::timing {
namespace {

class Threads : public testing::TestWithParam<const char*> {};

/// In step, then with several numbers of threads.
void expect_no_change(const sim::RunFile& run_file, const sim::GpuConfig& gpu) {
  gpu::Machine machine("gpu", gpu.params);
  isa::GlobalMemory want_memory;
  machine.keep_in_step(true);
  const gpu::RunStatistics want = run(run_file, gpu, machine, want_memory);
  machine.keep_in_step(false);
  for (const int threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    machine.use_threads(threads, true);
    isa::GlobalMemory memory;
    const gpu::RunStatistics got = run(run_file, gpu, machine, memory);
    EXPECT_EQ(got.threads, threads);
    expect_same(got, want);
    ASSERT_EQ(memory.allocations().size(), want_memory.allocations().size());
    for (std::size_t i = 0; i < memory.allocations().size(); ++i) {
      EXPECT_TRUE(memory.allocations()[i].data == want_memory.allocations()[i].data) << memory.allocations()[i].name;
    }
  }
}

TEST_P(Threads, ChangeNothing) {
  const sim::RunFile run_file = sim::read_run_file(run_named(GetParam()));
  expect_no_change(run_file, sim::read_gpu_config(run_file.gpu_file));
}

// As on an H200: how long a store is held up is known when L2 has served it.
TEST_P(Threads, ChangeNothingWhereStoresWaitInL2) {
  const sim::RunFile run_file = sim::read_run_file(run_named(GetParam()));
  sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  gpu.params.memory.crossbar.partition_link_bytes_per_cycle = 60;
  expect_no_change(run_file, gpu);
}

// What is left out, and what is told of it, is decided at times that all SMs have come to.
TEST(ThreadsOfSampledRuns, ChangeNothing) {
  sim::RunFile run_file = sim::read_run_file(run_named("sparse_values"));
  auto& plan = std::get<sim::GemmPlan>(run_file.work);
  plan.kernel = "f16_sp24_128x128x64_w64x32_s3";
  plan.m = plan.n = 1024;
  plan.k = 4096;
  run_file.options.full_values = false;
  run_file.options.sampling = true;
  sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/a100.yaml");
  gpu.params.sms = 4;
  gpu::Machine machine("gpu", gpu.params);
  const gpu::RunStatistics want = run(run_file, gpu, machine);
  ASSERT_TRUE(want.sampling);
  EXPECT_GT(want.sampling->ctas_skipped, 0U);
  EXPECT_GT(want.sampling->loop_passes_skipped, 0U);
  for (const int threads : {2, 3}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    machine.use_threads(threads, true);
    const gpu::RunStatistics got = run(run_file, gpu, machine);
    EXPECT_EQ(got.threads, threads);
    expect_same(got, want);
    EXPECT_EQ(got.sampling->error(), want.sampling->error());
  }
}

/// Of a run with addresses alone, in step and with every byte moved, since dependences are checked, or neither.
gpu::RunStatistics run_addresses(const sim::RunFile& run_file, gpu::Machine& machine, const sim::GpuConfig& gpu,
                                 bool moves_all, isa::GlobalMemory& memory) {
  sim::ReadyLaunch ready = ready_for(run_file, gpu);
  sim::RunOptions options = run_file.options;
  options.full_values = false;
  options.warm_l2 = true;  // its answers come as soon as they can
  options.check_dependences = moves_all;
  machine.keep_in_step(moves_all);
  return sim::run_launch(ready, machine, options, memory).run;
}

// Data that products alone are made of are not moved where these are not computed, and SMs run far ahead of L2.
TEST_P(Threads, ChangeNothingWhereNobodyUsesData) {
  const sim::RunFile run_file = sim::read_run_file(run_named(GetParam()));
  const sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  gpu::Machine machine("gpu", gpu.params);
  isa::GlobalMemory want_memory;
  const gpu::RunStatistics want = run_addresses(run_file, machine, gpu, true, want_memory);
  for (const int threads : {1, 3}) {
    machine.use_threads(threads, true);
    isa::GlobalMemory memory;
    expect_same(run_addresses(run_file, machine, gpu, false, memory), want);
    for (std::size_t i = 0; i < memory.allocations().size(); ++i) {
      EXPECT_TRUE(memory.allocations()[i].data == want_memory.allocations()[i].data) << memory.allocations()[i].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Threads,
                         testing::Values("dense_values", "sparse_values", "turns", "lock", "tickets", "histogram",
                                         "transpose", "tensor_counts", "warpgroup_values_c1x1"));

class Again : public testing::TestWithParam<const char*> {};

/// Fractions of cycles do not depend on how many have passed before the launch.
TEST_P(Again, IsTheSame) {
  const sim::RunFile run_file = sim::read_run_file(run_named(GetParam()));
  const sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  gpu::Machine machine("gpu", gpu.params);
  isa::GlobalMemory first_memory;
  const gpu::RunStatistics first = run(run_file, gpu, machine, first_memory);
  for (int again = 0; again < 3; ++again) {
    isa::GlobalMemory memory;
    expect_same(run(run_file, gpu, machine, memory), first);
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Again,
                         testing::Values("dense_values", "tensor_counts", "warpgroup_values_c1x1",
                                         "warpgroup_values_c2x1"));

/// Threads that a run has on a machine that may use four.
int threads_of(const sim::RunFile& run_file) {
  const sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  gpu::Machine machine("gpu", gpu.params, sim::tensor_core_of(run_file.options));
  machine.use_threads(4);
  return run(run_file, gpu, machine).threads;
}

// What SMs share beyond global memory keeps to one thread.
TEST(Threads, PrintingKernelsHaveOne) { EXPECT_EQ(threads_of(sim::read_run_file(run_named("driver_printf"))), 1); }

TEST(Threads, AllocatingKernelsHaveOne) { EXPECT_EQ(threads_of(sim::read_run_file(run_named("driver_malloc"))), 1); }

TEST(Threads, PoisonedRunsHaveOne) {
  sim::RunFile run_file = sim::read_run_file(run_named("transpose"));
  run_file.options.poison = true;
  EXPECT_EQ(threads_of(run_file), 1);
}

TEST(Threads, ClustersHaveOne) {
  sim::RunFile run_file = sim::read_run_file(run_named("transpose"));
  std::get<sim::LaunchPlan>(run_file.work).cluster = isa::Dim3{2, 1, 1};
  EXPECT_EQ(threads_of(run_file), 1);
}

TEST(Threads, TensorCoresInStepsHaveOne) {
  sim::RunFile run_file = sim::read_run_file(run_named("dense_values"));
  auto& plan = std::get<sim::GemmPlan>(run_file.work);
  plan.m = plan.n = plan.k = 64;
  run_file.options.tensor_steps = true;
  EXPECT_EQ(threads_of(run_file), 1);
}

}  // namespace
}  // namespace stc::timing
