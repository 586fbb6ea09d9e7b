// SPDX-License-Identifier: Apache-2.0
// The what-if machines: where nothing but the multipliers limits, every pattern gains M/N within 2 %; with the A100's
// activation feed 2:8 does not, and a feed that grows with the pattern brings it back in operand collection.
#include <gtest/gtest.h>

#include "models/tensor_core/mma_timing.h"
#include "validation/gpus.h"
#include "validation/timing/gemm/gemm_run.h"

namespace stc::timing {
namespace {

GemmRun on_one_sm(const char* gpu) {
  GemmRun request;
  request.gpu = gpu;
  request.sms = 1;
  return request;
}

/// Cycles of two CTAs that share an SM, so that one computes while the other meets at a barrier. The k-tile grows with
/// M/N: it always stores `stored` elements of a row.
std::uint64_t cycles(GemmRun request, gpu::Machine& machine, const char* pattern, int k, int stored) {
  gemm::GemmSpec spec;
  spec.pattern = sparsity::Pattern::parse(pattern);
  spec.tile_k = stored * spec.pattern.m / spec.pattern.n;
  spec.stages = 3;
  request.plan.built = spec;
  request.plan.m = 256;
  request.plan.n = 128;
  request.plan.k = k;
  return run_gemm(request, machine).run.cycles;
}

class Unlimited : public testing::TestWithParam<const char*> {};

TEST_P(Unlimited, GainsWhatThePatternSkips) {
  // A multiple of every k-tile, long enough that the time before and after the loop does not count.
  constexpr int kDepth = 196608;
  const auto pattern = sparsity::Pattern::parse(GetParam());
  const GemmRun request = on_one_sm("a100_unlimited");
  gpu::Machine machine("gpu", gpu_of(request).params);
  const auto in_cycles = [&](const char* name) {
    return static_cast<double>(cycles(request, machine, name, kDepth, 128));
  };
  const double gain = in_cycles("dense") / in_cycles(GetParam());
  const double ideal = static_cast<double>(pattern.m) / pattern.n;
  EXPECT_NEAR(gain / ideal, 1.0, 0.02) << gain;
}

INSTANTIATE_TEST_SUITE_P(All, Unlimited,
                         testing::Values("1:2", "2:4", "4:8", "8:16", "1:4", "2:8", "2:6", "1:8", "2:16"));

TEST(Feed, OfTheA100PaysForTwoToFourOnly) {
  constexpr int kDepth = 12288;
  const GemmRun request = on_one_sm("a100");
  gpu::Machine machine("gpu", gpu_of(request).params);
  const auto in_cycles = [&](const char* pattern) { return cycles(request, machine, pattern, kDepth, 32); };
  const auto gain = [&, dense = in_cycles("dense")](const char* pattern) {
    return static_cast<double>(dense) / static_cast<double>(in_cycles(pattern));
  };
  const double two_four = gain("2:4"), two_eight = gain("2:8");
  EXPECT_GT(two_four, 1.3);
  EXPECT_LT(two_eight, 2.6);  // of 4
  EXPECT_GT(two_eight, two_four);
}

TEST(Feed, ThatGrowsWithThePatternKeepsTheMultipliersBusy) {
  tensor_core::TensorCoreParams a100 = validation::a100().sm.tensor_core, scaled = a100;
  scaled.scaled_activation_feed = true;
  scaled.metadata_registers_per_pass = 4;
  for (const char* name : {"2:4", "1:4", "2:8", "1:8", "2:6"}) {
    const isa::MmaOp op = gemm::matrix_instruction(sparsity::Pattern::parse(name), isa::NumberFormat::f16);
    EXPECT_FALSE(mma_timing(op, scaled).feed_bound) << name;
    EXPECT_EQ(mma_timing(op, scaled).interval, 8) << name;
  }
  const isa::MmaOp two_eight = gemm::matrix_instruction({2, 8}, isa::NumberFormat::f16);
  // A 4, B 8, metadata 1, C 4 registers in passes of 4 that take 2 cycles.
  EXPECT_EQ(mma_timing(two_eight, a100).interval, 10);
  EXPECT_TRUE(mma_timing(two_eight, a100).feed_bound);
  // Own port for metadata alone: 16 registers in 4 passes.
  a100.metadata_registers_per_pass = 1;
  EXPECT_EQ(mma_timing(two_eight, a100).interval, 8);
}

}  // namespace
}  // namespace stc::timing
