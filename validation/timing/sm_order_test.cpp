// SPDX-License-Identifier: Apache-2.0
// The order in which SystemC runs the SMs within a cycle changes nothing that a run counts: three other orders of them
// against the usual one, over kernels that use all SMs, both L2 partitions, device memory, atomics, request coalescing.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>

#include "validation/timing/run_file.h"

namespace stc::timing {
namespace {

gpu::RunStatistics run_shuffled(sim::RunFile run_file, const sim::GpuConfig& gpu, gpu::Machine& machine,
                                std::uint32_t shuffle_seed) {
  run_file.options.shuffle_seed = shuffle_seed;
  return run(run_file, gpu, machine);
}

/// All counters at once, those included that are added later.
template <class Counters>
bool same(const Counters& a, const Counters& b) {
  static_assert(std::has_unique_object_representations_v<Counters>, "compare member by member");
  return std::memcmp(&a, &b, sizeof a) == 0;
}

auto fields(const CtaRecord& cta) { return std::tie(cta.linear_index, cta.sm, cta.start, cta.end); }

void expect_same(const gpu::RunStatistics& got, const gpu::RunStatistics& want) {
  EXPECT_EQ(got.cycles, want.cycles);
  EXPECT_EQ(got.cycles_elapsed, want.cycles_elapsed);
  EXPECT_EQ(got.clock_mhz, want.clock_mhz);
  EXPECT_EQ(got.ctas_per_sm, want.ctas_per_sm);
  EXPECT_EQ(got.occupancy_limit, want.occupancy_limit);
  EXPECT_EQ(got.memory.dram_read_sectors, want.memory.dram_read_sectors);
  EXPECT_TRUE(same(got.memory, want.memory)) << "memory";
  EXPECT_TRUE(same(got.total, want.total)) << "sum over all SMs";
  ASSERT_EQ(got.per_sm.size(), want.per_sm.size());
  for (std::size_t sm = 0; sm < want.per_sm.size(); ++sm) {
    EXPECT_TRUE(same(got.per_sm[sm], want.per_sm[sm])) << "SM " << sm;
  }
  ASSERT_EQ(got.ctas.size(), want.ctas.size());
  for (std::size_t i = 0; i < want.ctas.size(); ++i)
    EXPECT_EQ(fields(got.ctas[i]), fields(want.ctas[i])) << "CTA " << i;
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

INSTANTIATE_TEST_SUITE_P(Runs, SmOrder, testing::Values("histogram", "transpose", "gemm"));

}  // namespace
}  // namespace stc::timing
