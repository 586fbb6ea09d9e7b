// SPDX-License-Identifier: Apache-2.0
// Whole kernels on a machine whose device memory is the user's own, the example's among them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "examples/dram_of_your_own/kernel_launch.h"
#include "examples/dram_of_your_own/row_buffer_memory.h"
#include "models/gpu/machine/machine.h"
#include "models/memory/line_request.h"
#include "validation/timing/own_memory_channels.h"

namespace stc::timing {
namespace {

constexpr const char* kGemm = "configs/workloads/low_level_gemm.yaml";

TEST(OwnMemoryMachine, AKernelComputesTheSameInAboutTheTimeOfTheBuiltInMemory) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);  // two machines, equal names
  KernelLaunch built_in(kGemm), own(kGemm);
  const memory::HbmParams& hbm = own.gpu.params.memory.hbm;
  WaitingMemoryOptions options;
  options.take = memory::kLineBytes / (hbm.bytes_per_cycle / hbm.channels);
  options.latency = hbm.extra_latency + hbm.far_extra_latency;  // tiles wait for the slowest of their lines
  options.ticks = true;
  auto memories = waiting_memories(hbm.channels, options);
  gpu::Machine with_hbm("with_hbm", built_in.gpu.params, gpu::TensorCoreModel::kSchedule);
  gpu::Machine with_own("with_own", own.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  const gpu::RunStatistics expected = with_hbm.run(built_in.launch);
  for (int launch = 0; launch < 2; ++launch) {
    const gpu::RunStatistics found = with_own.run(own.launch);
    // A read that is merged with one under way passes its own queues after the fill: DEVIATIONS, T6.
    EXPECT_NEAR(static_cast<double>(found.cycles), static_cast<double>(expected.cycles),
                0.12 * static_cast<double>(expected.cycles));
    EXPECT_EQ(found.memory.dram_read_sectors, expected.memory.dram_read_sectors);
    EXPECT_EQ(found.memory.l2_sector_misses, expected.memory.l2_sector_misses);
  }
  EXPECT_EQ(own.memory.find("D")->data, built_in.memory.find("D")->data);
  EXPECT_GT(memories.expect_protocol_kept(), 1000);
}

TEST(OwnMemoryMachine, TheExamplesMemoryKeepsTheProtocolAndItsRowsCount) {
  KernelLaunch kernel(kGemm);
  Channels<RowBufferMemory> memories(2, [](const char* name) { return std::make_unique<RowBufferMemory>(name); });
  gpu::Machine machine("gpu", kernel.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  const gpu::RunStatistics run = machine.run(kernel.launch);
  EXPECT_GT(run.cycles, 0u);
  const auto transactions = static_cast<std::uint64_t>(memories.expect_protocol_kept());
  std::uint64_t hits = 0, misses = 0;
  for (const auto& memory : memories.memories) {
    hits += memory->row_hits();
    misses += memory->row_misses();
  }
  EXPECT_EQ(hits + misses, transactions);
  EXPECT_GT(hits, 0u);
}

TEST(OwnMemoryMachine, AMemoryThatNeverAnswersIsNamed) {
  KernelLaunch kernel(kGemm);
  WaitingMemoryOptions options;
  options.silent = true;
  auto memories = waiting_memories(1, options);
  gpu::Machine machine("gpu", kernel.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  try {
    machine.run(kernel.launch);
    FAIL() << "it cannot end";
  } catch (const gpu::Deadlock& deadlock) {
    EXPECT_THAT(deadlock.what(), testing::HasSubstr("device memory has not answered"));
  }
}

TEST(OwnMemoryMachine, AMemoryThatTicksAndNeverAnswersIsNamedAtTheLimit) {
  KernelLaunch kernel(kGemm);
  kernel.launch.options.max_cycles = 100000;
  WaitingMemoryOptions options;
  options.silent = options.ticks = true;
  auto memories = waiting_memories(1, options);
  gpu::Machine machine("gpu", kernel.gpu.params, gpu::TensorCoreModel::kSchedule, &memories.own);
  EXPECT_THROW(
      try { machine.run(kernel.launch); } catch (const gpu::Deadlock& deadlock) {
        EXPECT_THAT(deadlock.what(), testing::HasSubstr("limit of 100000 cycles"));
        EXPECT_THAT(deadlock.what(), testing::HasSubstr("device memory has not answered"));
        throw;
      },
      gpu::Deadlock);
}

}  // namespace
}  // namespace stc::timing
