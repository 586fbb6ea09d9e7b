// SPDX-License-Identifier: Apache-2.0
// The order in which the SMs follow one another within a cycle changes nothing that a run counts: three other orders of
// them against the usual one, over kernels that use all SMs, both L2 partitions, device memory, atomics, request
// coalescing.
#include <gtest/gtest.h>

#include <string>

#include "validation/timing/run_file.h"
#include "validation/timing/same_statistics.h"

namespace stc::timing {
namespace {

gpu::RunStatistics run_shuffled(sim::RunFile run_file, const sim::GpuConfig& gpu, gpu::Machine& machine,
                                std::uint32_t shuffle_seed) {
  run_file.options.shuffle_seed = shuffle_seed;
  return run(run_file, gpu, machine);
}

class SmOrder : public testing::TestWithParam<const char*> {};

TEST_P(SmOrder, ChangesNothing) {
  const sim::RunFile run_file = sim::read_run_file(run_named(GetParam()));
  const sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  gpu::Machine machine("gpu", gpu.params);
  const gpu::RunStatistics usual = run_shuffled(run_file, gpu, machine, 0);
  for (const SmStatistics& sm : usual.per_sm) ASSERT_GT(sm.ctas, 0u) << "an SM has nothing to do";
  ASSERT_GT(usual.memory.l2_far_sectors, 0u);
  ASSERT_GT(usual.memory.dram_read_sectors, 0u);
  for (const std::uint32_t seed : {1u, 20u, 300u}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_same(run_shuffled(run_file, gpu, machine, seed), usual);
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, SmOrder, testing::Values("histogram", "transpose", "gemm", "tensor_counts"));

}  // namespace
}  // namespace stc::timing
