// SPDX-License-Identifier: Apache-2.0
// The unit as a whole: D has the bits of the arithmetic model and comes in the cycle that mma_timing names.
#include "models/tensor_core/tensor_core.h"

#include <gtest/gtest.h>

#include "models/isa/execute_mma.h"
#include "models/tensor_core/mma_timing.h"
#include "validation/unit/tensor_core/bench.h"
#include "validation/unit/tensor_core/operations.h"

namespace stc::tensor_core {
namespace {

std::vector<std::uint32_t> expected_d(const MmaRequest& request) {
  std::vector<std::uint32_t> d(static_cast<std::size_t>(request.op.c_registers()) * 32);
  isa::mma_registers(request.op, *request.numerics, request.a.data(), request.b.data(), request.c.data(),
                     request.e.data(), request.selector, d.data());
  return d;
}

/// Issued without pauses: each enters exactly one interval after the one before it.
void expect_bits_and_cycles(const TensorCoreParams& params, const std::vector<MmaRequest>& requests, Bench& bench) {
  const std::vector<Outcome> outcomes = bench.run(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    SCOPED_TRACE(requests[i].op.name() + " " + requests[i].op.pattern.name() + ", instruction " + std::to_string(i));
    const MmaTiming timing = mma_timing(requests[i].op, params);
    EXPECT_EQ(outcomes[i].usable - outcomes[i].issued, static_cast<Cycle>(timing.latency));
    if (i + 1 < requests.size()) {
      EXPECT_EQ(outcomes[i + 1].issued - outcomes[i].issued, static_cast<Cycle>(timing.interval));
    }
    EXPECT_EQ(outcomes[i].d, expected_d(requests[i]));
  }
}

void every_op(const TestGpu& gpu, const std::vector<isa::MmaOp>& ops) {
  Bench bench(gpu.params);
  RandomRequests random(1);
  std::vector<MmaRequest> requests;
  for (const isa::MmaOp& op : ops) {
    for (int i = 0; i < 12; ++i) requests.push_back(random(op, gpu.numerics));
  }
  expect_bits_and_cycles(gpu.params, requests, bench);
}

TEST(TensorCore, EveryOperationOfA100) {
  const TestGpu gpu = test_gpu("a100");
  every_op(gpu, gpu.ops);
}

TEST(TensorCore, EveryOperationOfH200) {
  const TestGpu gpu = test_gpu("h200");
  every_op(gpu, gpu.ops);
}

TEST(TensorCore, OtherPatternsOnA100) {
  const TestGpu gpu = test_gpu("a100");
  every_op(gpu, other_patterns());
}

TEST(TensorCore, OtherPatternsOnH200) {
  const TestGpu gpu = test_gpu("h200");
  every_op(gpu, other_patterns());
}

TEST(TensorCore, FewerUnitsAndSlowSteps) {
  TestGpu gpu = test_gpu("a100");
  gpu.params.dot_product_units = 8;
  gpu.params.multipliers_per_unit = 4;
  gpu.params.cycles_per_step = 2;
  Bench bench(gpu.params);
  RandomRequests random(1);
  for (const char* name : {"mma.sp.m16n8k32.f32.f16.f16.f32", "mma.m16n8k16.f16.f16.f16.f16",
                           "mma.m16n8k32.satfinite.s32.s8.s8.s32", "mma.sp.m16n8k16.f32.tf32.tf32.f32"}) {
    std::vector<MmaRequest> requests;
    for (int i = 0; i < 12; ++i) requests.push_back(random(isa::parse_mma_name(name), gpu.numerics));
    expect_bits_and_cycles(gpu.params, requests, bench);
  }
}

TEST(TensorCore, MixedOperationsWithPauses) {
  const TestGpu gpu = test_gpu("a100");
  Bench bench(gpu.params);
  RandomRequests random(2);
  std::vector<MmaRequest> requests;
  std::vector<int> pause;
  for (int i = 0; i < 1000; ++i) {
    requests.push_back(random(gpu.ops[random.below(static_cast<std::uint32_t>(gpu.ops.size()))], gpu.numerics));
    pause.push_back(random.below(3) == 0 ? static_cast<int>(random.below(30)) : 0);
  }
  const std::vector<Outcome> outcomes = bench.run(requests, pause);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    SCOPED_TRACE(requests[i].op.name() + ", instruction " + std::to_string(i));
    const MmaTiming timing = mma_timing(requests[i].op, gpu.params);
    EXPECT_EQ(outcomes[i].usable - outcomes[i].issued, static_cast<Cycle>(timing.latency));
    if (i + 1 < requests.size()) {
      const Cycle gap = static_cast<Cycle>(timing.interval + pause[i + 1]);
      EXPECT_EQ(outcomes[i + 1].issued - outcomes[i].issued, gap);
    }
    EXPECT_EQ(outcomes[i].d, expected_d(requests[i]));
  }
}

TEST(TensorCore, RefusesAnInstructionBeforeTheDoorOpens) {
  const TestGpu gpu = test_gpu("a100");
  Bench bench(gpu.params);
  RandomRequests random(3);
  const MmaRequest request = random(gpu.ops.front(), gpu.numerics);
  bench.unit.issue(request);
  const auto interval = static_cast<Cycle>(mma_timing(request.op, gpu.params).interval);
  EXPECT_FALSE(bench.unit.ready(interval - 1));
  EXPECT_TRUE(bench.unit.ready(interval));
  EXPECT_THROW(bench.unit.issue(request), std::logic_error);
}

TEST(TensorCore, ForgetsWhatWasUnderWayWhenReset) {
  const TestGpu gpu = test_gpu("a100");
  Bench bench(gpu.params);
  RandomRequests random(4);
  const std::vector<MmaRequest> requests{random(gpu.ops.front(), gpu.numerics)};
  int results = 0;
  const auto on_result = bench.unit.on_result;
  bench.unit.on_result = [&](std::uint64_t, const std::vector<std::uint32_t>&) { ++results; };
  bench.unit.issue(requests.front());
  sc_core::sc_start(sc_core::sc_time(5, sc_core::SC_NS));
  bench.unit.reset();
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  EXPECT_EQ(results, 0);
  bench.unit.on_result = on_result;
  EXPECT_EQ(bench.run(requests).front().d, expected_d(requests.front()));
}

}  // namespace
}  // namespace stc::tensor_core
