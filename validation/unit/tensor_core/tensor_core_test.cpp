// SPDX-License-Identifier: Apache-2.0
// The unit as a whole: D has the bits of the arithmetic model and comes in the cycle that mma_timing names.
#include "models/tensor_core/tensor_core.h"

#include <gtest/gtest.h>

#include "models/isa/products/execute_mma.h"
#include "models/tensor_core/mma_timing.h"
#include "validation/unit/tensor_core/bench.h"
#include "validation/unit/tensor_core/operations.h"

namespace stc::tensor_core {
namespace {

std::vector<std::uint32_t> expected_d(const MmaRequest& request, const arith::Numerics& numerics) {
  std::vector<std::uint32_t> d(static_cast<std::size_t>(request.op.c_registers()) * 32);
  isa::mma_registers(request.op, numerics, request.a.data(), request.b.data(), request.c.data(), request.e.data(),
                     request.selector, d.data());
  return d;
}

/// Issued without pauses: each enters exactly one interval after the one before it.
void expect_bits_and_cycles(const TestGpu& gpu, const std::vector<MmaRequest>& requests, Bench& bench) {
  const std::vector<Outcome> outcomes = bench.run(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    SCOPED_TRACE(requests[i].op.name() + " " + requests[i].op.pattern.name() + ", instruction " + std::to_string(i));
    const MmaTiming timing = mma_timing(requests[i].op, gpu.params);
    EXPECT_EQ(outcomes[i].usable - outcomes[i].issued, static_cast<Cycle>(timing.latency));
    if (i + 1 < requests.size()) {
      EXPECT_EQ(outcomes[i + 1].issued - outcomes[i].issued, static_cast<Cycle>(timing.interval));
    }
    EXPECT_EQ(outcomes[i].d, expected_d(requests[i], gpu.numerics));
  }
}

void every_op(const TestGpu& gpu, const std::vector<isa::MmaOp>& ops) {
  Bench bench(gpu.params, gpu.numerics);
  RandomRequests random(1);
  std::vector<MmaRequest> requests;
  for (const isa::MmaOp& op : ops) {
    for (int i = 0; i < 12; ++i) requests.push_back(random(op));
  }
  expect_bits_and_cycles(gpu, requests, bench);
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
  Bench bench(gpu.params, gpu.numerics);
  RandomRequests random(1);
  for (const char* name : {"mma.sp.m16n8k32.f32.f16.f16.f32", "mma.m16n8k16.f16.f16.f16.f16",
                           "mma.m16n8k32.satfinite.s32.s8.s8.s32", "mma.sp.m16n8k16.f32.tf32.tf32.f32"}) {
    std::vector<MmaRequest> requests;
    for (int i = 0; i < 12; ++i) requests.push_back(random(isa::parse_mma_name(name)));
    expect_bits_and_cycles(gpu, requests, bench);
  }
}

TEST(TensorCore, MixedOperationsWithPauses) {
  const TestGpu gpu = test_gpu("a100");
  Bench bench(gpu.params, gpu.numerics);
  RandomRequests random(2);
  std::vector<MmaRequest> requests;
  std::vector<int> pause;
  for (int i = 0; i < 1000; ++i) {
    requests.push_back(random(gpu.ops[random.below(static_cast<std::uint32_t>(gpu.ops.size()))]));
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
    EXPECT_EQ(outcomes[i].d, expected_d(requests[i], gpu.numerics));
  }
}

TEST(TensorCore, SaysWhatItCannotComputeAndGoesOn) {
  const TestGpu gpu = test_gpu("a100");
  Bench bench(gpu.params, gpu.numerics);
  RandomRequests random(3);
  isa::MmaOp fp8 = gpu.ops.front();
  fp8.a = fp8.b = isa::NumberFormat::e4m3;
  const std::vector<MmaRequest> requests{random(fp8), random(gpu.ops.front())};
  const std::vector<Outcome> outcomes = bench.run(requests);
  EXPECT_NE(outcomes[0].error.find("this GPU emulates it with other instructions"), std::string::npos);
  EXPECT_EQ(outcomes[1].error, "");
  EXPECT_EQ(outcomes[1].d, expected_d(requests[1], gpu.numerics));
}

}  // namespace
}  // namespace stc::tensor_core
