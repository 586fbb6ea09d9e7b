// SPDX-License-Identifier: Apache-2.0
// A launch that is run for its values alone leaves the bytes that the machine leaves: GEMMs, barriers, votes, CTAs that
// wait for others before or behind them.
#include "models/gpu/value_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "models/gpu/independent_ctas.h"
#include "models/isa/values/execute.h"

#include "validation/timing/run_file.h"

namespace stc::timing {
namespace {

struct ValuesOnly {
  explicit ValuesOnly(const std::string& name)
      : run_file(sim::read_run_file(run_named(name))),
        gpu(sim::read_gpu_config(run_file.gpu_file)),
        ready(sim::make_ready(prepared(), gpu)) {
    for (sim::PreparedBuffer& buffer : ready.prepared.buffers) {
      memory.allocate(buffer.name, buffer.data.size()).data = buffer.data;
    }
    isa::place_variables(ready.kernel, memory);
    launch.kernel = &ready.kernel;
    launch.grid = ready.prepared.grid;
    launch.block = ready.prepared.block;
    launch.cluster = ready.prepared.cluster;
    launch.dynamic_shared_bytes = ready.prepared.dynamic_shared_bytes;
    launch.parameters = sim::pack_arguments(ready.prepared.arguments, ready.kernel.parameters, ready.title,
                                            [&](const std::string& buffer) { return memory.find(buffer)->address; });
    launch.parameter_copy = isa::copy_parameters(ready.kernel, memory, launch.parameters);
    launch.memory = &memory;
  }
  sim::PreparedLaunch prepared() const {
    if (!run_file.is_gemm()) return sim::prepare_launch(std::get<sim::LaunchPlan>(run_file.work));
    const auto& plan = std::get<sim::GemmPlan>(run_file.work);
    const sim::GemmProblem problem = sim::resolve_gemm(plan, sim::Manifest::load(plan.kernels_folder));
    const sim::GemmMatrices matrices = sim::make_matrices(problem);
    return sim::prepare_gemm(problem, gpu.params.sm_version, &matrices);
  }

  sim::RunFile run_file;
  sim::GpuConfig gpu;
  sim::ReadyLaunch ready;
  isa::GlobalMemory memory;
  gpu::Launch launch;
};

class ValueRun : public testing::TestWithParam<const char*> {};

TEST_P(ValueRun, LeavesTheBytesThatTheMachineLeaves) {
  ValuesOnly values(GetParam());
  const std::uint64_t instructions = gpu::run_for_values(values.gpu.params, values.launch);
  EXPECT_GT(instructions, 0U);
  ValuesOnly timed(GetParam());
  gpu::Machine machine("gpu", timed.gpu.params);
  machine.run(timed.launch);
  for (const isa::Allocation& buffer : timed.memory.allocations()) {
    EXPECT_TRUE(buffer.data == values.memory.find(buffer.name)->data) << buffer.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, ValueRun,
                         testing::Values("dense_values", "sparse_values", "turns", "backwards", "histogram",
                                         "transpose", "softmax", "warp_votes", "double_division", "tensor_counts",
                                         "warpgroup_values_c1x1", "warpgroup_values_c2x1", "warpgroup_overwrites"));

/// What tensor_counts is for: elements of the tensor are counted up, what lies between its rows and behind them is not.
TEST(TensorCopies, ReachTheTensorAndNothingElse) {
  const ValuesOnly before("tensor_counts");
  ValuesOnly after("tensor_counts");
  gpu::run_for_values(after.gpu.params, after.launch);
  constexpr std::size_t kRow = 480, kElements = 232, kRows = 2108;
  const auto element = [](const ValuesOnly& run, std::size_t at) {
    std::uint16_t value;
    std::memcpy(&value, run.memory.allocations()[0].data.data() + at, sizeof value);
    return value;
  };
  ASSERT_EQ(before.memory.allocations()[0].name, "matrix");
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < before.memory.allocations()[0].bytes; at += 2) {
    const bool inside = at / kRow < kRows && at % kRow / 2 < kElements;
    const auto want = static_cast<std::uint16_t>(element(before, at) + (inside ? 1 : 0));
    if (element(after, at) != want) ++wrong;
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE(after.memory.find("out")->data == after.memory.find("in")->data);
}

/// CTAs that know nothing of each other are shared out among threads.
class SharedOut : public testing::TestWithParam<const char*> {};
TEST_P(SharedOut, LeavesTheSameBytes) {
  ValuesOnly one(GetParam());
  EXPECT_TRUE(gpu::ctas_are_independent(one.ready.kernel));
  const std::uint64_t instructions = gpu::run_for_values(one.gpu.params, one.launch);
  for (const int threads : {2, 5}) {
    ValuesOnly more(GetParam());
    EXPECT_EQ(gpu::run_for_values(more.gpu.params, more.launch, threads), instructions);
    for (const isa::Allocation& buffer : one.memory.allocations()) {
      EXPECT_TRUE(buffer.data == more.memory.find(buffer.name)->data) << buffer.name;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Runs, SharedOut, testing::Values("dense_values", "sparse_values", "transpose", "softmax"));

TEST(SharedOutCtas, OnlyThoseThatKnowNothingOfEachOther) {
  for (const char* name : {"turns", "backwards", "histogram", "lock", "tickets"}) {
    EXPECT_FALSE(gpu::ctas_are_independent(ValuesOnly(name).ready.kernel)) << name;
  }
}

TEST(ValueRunFaults, AtTheBarrierOfAClusterNameInstructionCtaAndWarp) {
  ValuesOnly values("cluster_misuse");
  try {
    gpu::run_for_values(values.gpu.params, values.launch);
    FAIL() << "no fault";
  } catch (const isa::SimulatedFault& fault) {
    EXPECT_THAT(fault.what(), testing::MatchesRegex("kernel 'cluster_faults', instruction UCGABAR_WAIT at 0x[0-9a-f]+, "
                                                    "CTA \\([01], 0, 0\\), warp [01]: waits at the barrier of the "
                                                    "cluster without having arrived"));
  }
}

/// The fault is that of the first CTA that has one, however many others have, too.
TEST(SharedOutCtas, TheFirstFaultIsTold) {
  const auto fault = [](int threads) {
    ValuesOnly values("dense_values");
    isa::Allocation& d = *values.memory.find("D");
    d.bytes /= 2;
    d.data = isa::BufferBytes::zeros(d.bytes);
    try {
      gpu::run_for_values(values.gpu.params, values.launch, threads);
    } catch (const isa::SimulatedFault& error) {
      return std::string(error.what());
    }
    return std::string("no fault");
  };
  EXPECT_EQ(fault(4), fault(1));
  EXPECT_NE(fault(4), "no fault");
}

}  // namespace
}  // namespace stc::timing
