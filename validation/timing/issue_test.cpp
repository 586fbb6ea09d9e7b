// SPDX-License-Identifier: Apache-2.0
// Control codes: a warp's next instruction issues exactly when its stall count, scoreboards and pipes allow.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "validation/gpus.h"
#include "validation/timing/kernel_builder.h"

namespace stc::timing {
namespace {

class OnOneGpu : public testing::Test {
 protected:
  std::uint64_t cycles_of(const KernelBuilder& k, int warps = 1) {
    return k.run(machine_, {1, static_cast<std::uint32_t>(32 * warps)}).cycles;
  }

 private:
  gpu::Machine machine_{"gpu", gpu_without_fetch()};
};
class Issue : public OnOneGpu {};
class Barrier : public OnOneGpu {};

isa::Control writes(int scoreboard, int cycles) {
  isa::Control control = stall(cycles);
  control.write_scoreboard = static_cast<std::uint8_t>(scoreboard);
  return control;
}

isa::Control waits(int mask, int cycles) {
  isa::Control control = stall(cycles);
  control.wait_mask = static_cast<std::uint8_t>(mask);
  return control;
}

TEST_F(Issue, StallCountIsTheDistanceToTheNextIssue) {
  const auto with = [this](int cycles) { return cycles_of(KernelBuilder(32).add(nop(), stall(cycles)).exit()); };
  for (int cycles = 2; cycles <= 15; ++cycles)
    EXPECT_EQ(with(cycles) - with(1), static_cast<std::uint64_t>(cycles - 1));
}

TEST_F(Issue, YieldCostsALoneWarpOneCycle) {
  isa::Control yield = stall(1);
  yield.yield = true;
  EXPECT_EQ(
      cycles_of(KernelBuilder(32).add(nop(), yield).exit()) - cycles_of(KernelBuilder(32).add(nop(), stall(1)).exit()),
      1u);
}

TEST_F(Issue, OneInstructionPerCycleAndSubCore) {
  KernelBuilder k(32);
  for (int i = 0; i < 50; ++i) k.add(nop(), stall(1));
  k.exit();
  EXPECT_EQ(cycles_of(k, 8) - cycles_of(k, 4), 51u);
}

TEST(IssueOnAGpu, WarpsOfOlderCtasGoFirst) {
  KernelBuilder k(32);
  for (int i = 0; i < 200; ++i) k.add(nop(), stall(1));
  k.exit();
  gpu::GpuParams gpu = gpu_without_fetch();
  gpu.sms = 1;
  gpu::Machine machine("gpu", gpu);
  const gpu::RunStatistics run = k.run(machine, {2, 128});
  ASSERT_EQ(run.ctas.size(), 2u);
  // The first CTA ends as if it were alone; taking turns, both would end together.
  EXPECT_EQ(run.ctas[0].end - run.ctas[0].start, k.run(machine, {1, 128}).ctas[0].end - run.ctas[0].start);
  EXPECT_GE(run.ctas[1].end, run.ctas[0].end + 190);
}

TEST_F(Issue, AScoreboardHoldsTheReaderUntilTheSharedLoadReturned) {
  // Without the wait: issue distance 2. With it: shared_latency of the A100, 23 cycles.
  const auto with = [this](isa::Control control) {
    return cycles_of(KernelBuilder(32).add(load_shared(4, 255, 4), writes(0, 2)).add(nop(), control).exit());
  };
  EXPECT_EQ(with(waits(1, 1)) - with(stall(1)), 23u - 2u);
}

TEST_F(Issue, TheSameBankDelaysTheThirdRead) {
  // Three sources of one bank, back to back on alternating pipes, need more read cycles than the pipes leave.
  const auto with = [this](int a, int b, int c) {
    KernelBuilder k(64);
    for (int i = 0; i < 20; ++i) k.add(ffma(2, a, b, c), stall(1)).add(alu(3, a, b), stall(1));
    return cycles_of(k.exit());
  };
  EXPECT_GT(with(10, 12, 14), with(10, 13, 14));
}

TEST_F(Issue, ARegisterThatAnInstructionNamesTwiceIsReadTwice) {
  const auto with = [this](int b, int c) {
    KernelBuilder k(64);
    for (int i = 0; i < 20; ++i) k.add(ffma(2, 10, b, c), stall(1)).add(alu(3, 10, b), stall(1));
    return cycles_of(k.exit(), 8);
  };
  EXPECT_EQ(with(12, 12), with(12, 14));
  EXPECT_LT(with(12, 255), with(12, 14));
}

/// A product of 64 bits is issued in two halves, two cycles apart, and its stall count runs from the second.
TEST_F(Issue, TheStallOfAWideProductCountsFromItsSecondHalf) {
  const auto with = [this](isa::Opcode opcode, int c) {
    isa::Instruction product = ffma(2, 10, 13, c);
    product.opcode = opcode;
    return cycles_of(KernelBuilder(64).add(product, stall(6)).exit());
  };
  EXPECT_EQ(with(isa::Opcode::kImadWide, 16) - with(isa::Opcode::kImad, 16), 2u);
  EXPECT_EQ(with(isa::Opcode::kImadHi, 255) - with(isa::Opcode::kImad, 255), 2u);
}

TEST(IssueOnAGpu, SinglePrecisionGoesToEitherOfTwoPipes) {
  gpu::GpuParams gpu = gpu_without_fetch();
  gpu::Machine with_one("one", gpu);
  gpu.sm.pipes.fma_pipes = 2;
  gpu::Machine with_two("two", gpu);
  const auto with = [](gpu::Machine& machine, isa::Opcode opcode) {
    KernelBuilder k(64);
    for (int i = 0; i < 40; ++i) {
      isa::Instruction other = ffma(3, 10, 13, 255);
      other.opcode = opcode;
      k.add(ffma(2, 10, 13, 255), stall(1)).add(other, stall(1));
    }
    return k.exit().run(machine, {1, 32}).cycles;
  };
  const std::uint64_t one = with(with_one, isa::Opcode::kImad);
  EXPECT_EQ(one - with(with_two, isa::Opcode::kFfma), 79u);
  EXPECT_EQ(one - with(with_two, isa::Opcode::kImad), 79u);
}

std::uint64_t cycles_between(gpu::Machine& machine, const isa::Instruction& first, const isa::Instruction& next) {
  const auto with = [&](const isa::Instruction& second) {
    KernelBuilder k(64);
    k.add(first, stall(1)).add(second, stall(1)).add(nop(), stall(1));
    return k.exit().run(machine, {1, 32}).cycles;
  };
  return 1 + with(next) - with(nop());
}

/// As on an H200, where they were measured.
gpu::GpuParams gpu_with_ports() {
  gpu::GpuParams gpu = gpu_without_fetch();
  gpu.sm.tensor_core.port_cycles = 4;
  gpu.sm.tensor_core.sparse_port_cycles = 7;
  gpu.sm.tensor_core.port_lead_cycles = 2;
  return gpu;
}

const isa::MmaOp kDense = mma_op(16, isa::NumberFormat::f16, isa::NumberFormat::f32);
const isa::MmaOp kSparse = sparse_mma_op(32, isa::NumberFormat::f16, isa::NumberFormat::f32, 2, 4);

/// It keeps the ports for 4 or 7 cycles; a read must end in the three behind the issue of who reads.
TEST(IssueOnAGpu, ArithmeticThatReadsRegistersKeepsItsDistanceFromAMatrixInstruction) {
  gpu::Machine machine("gpu", gpu_with_ports());
  const auto behind = [&](const isa::MmaOp& op, const isa::Instruction& next) {
    return cycles_between(machine, mma(op, 16, 0, 4, 16, 40), next);
  };
  EXPECT_EQ(behind(kDense, alu(50, 51, 52)), 2u);
  EXPECT_EQ(behind(kDense, alu(50, 51, 53)), 3u);
  EXPECT_EQ(behind(kSparse, alu(50, 51, 52)), 5u);
  EXPECT_EQ(behind(kSparse, alu(50, 51, 53)), 6u);
  EXPECT_EQ(behind(kSparse, immediate(50, 1)), 1u);
  EXPECT_EQ(behind(kSparse, load_shared(50, 51, 4)), 1u);
}

/// Ends of two CTAs of one warp a sub-core, each of 100 matrix instructions whose stall count is `cycles`.
std::pair<std::uint64_t, std::uint64_t> ends_of_two_that_multiply(int cycles) {
  KernelBuilder k(64);
  for (int i = 0; i < 100; ++i) k.add(mma(kDense, 8 + 4 * (i % 8), 0, 4, 8 + 4 * (i % 8)), stall(cycles));
  k.exit();
  gpu::GpuParams gpu = gpu_without_fetch();
  gpu.sms = 1;
  gpu::Machine machine("gpu", gpu);
  const gpu::RunStatistics run = k.run(machine, {2, 128});
  return {run.ctas.at(0).end, run.ctas.at(1).end};
}

/// Each keeps the tensor core for 8 cycles.
TEST(IssueOnAGpu, AnOlderCtaWhoseWarpIsReadyWhenTheTensorCoreIsGoesFirst) {
  const auto [older, younger] = ends_of_two_that_multiply(8);
  EXPECT_GE(younger, older + 8 * 90);
}

TEST(IssueOnAGpu, AnOlderCtaWhoseWarpHasToWaitForTheTensorCoreTakesTurns) {
  const auto [older, younger] = ends_of_two_that_multiply(4);
  EXPECT_LE(younger, older + 8 * 3);
}

/// What it kept of A for reuse the next one need not read.
TEST(IssueOnAGpu, AFactorThatIsKeptLeavesThePortsSooner) {
  gpu::Machine machine("gpu", gpu_with_ports());
  const auto with = [&](bool keep, int a) {
    isa::Instruction first = mma(kSparse, 16, 0, 4, 16, 40);
    first.control.reuse = first.a.reuse = keep;
    isa::Control kept = stall(8);
    kept.reuse = keep;
    KernelBuilder k(64);
    k.add(first, kept).add(mma(kSparse, 20, a, 8, 20, 40), stall(1)).add(alu(50, 51, 52), stall(1));
    return k.exit().run(machine, {1, 32}).cycles;
  };
  EXPECT_EQ(with(false, 0) - with(true, 0), 2u);
  EXPECT_EQ(with(false, 0), with(true, 12));
}

TEST(IssueOnAGpu, AMatrixInstructionWaitsForWhatArithmeticReads) {
  gpu::Machine machine("gpu", gpu_with_ports());
  const isa::Instruction next = mma(kDense, 16, 0, 4, 16);
  EXPECT_EQ(cycles_between(machine, alu(50, 51, 52), next), 3u);
  EXPECT_EQ(cycles_between(machine, alu(50, 51, 53), next), 4u);
  EXPECT_EQ(cycles_between(machine, immediate(50, 1), next), 1u);
}

/// What a change costs beyond the first one's interval: 3 cycles from floating point to integers, 1 from dense to
/// sparse.
TEST(IssueOnAGpu, MatrixInstructionsOfAnotherKindWait) {
  gpu::Machine machine("gpu", gpu_without_fetch());
  const isa::MmaOp integers = mma_op(32, isa::NumberFormat::s8, isa::NumberFormat::s32);
  const auto with = [&](const isa::MmaOp& first, const isa::MmaOp& second) {
    KernelBuilder k(64);
    k.add(mma(first, 16, 0, 4, 16, 40), stall(1)).add(mma(second, 20, 0, 4, 20, 40), stall(1)).add(nop(), stall(1));
    return k.exit().run(machine, {1, 32}).cycles;
  };
  const std::uint64_t same = with(kDense, kDense);
  EXPECT_EQ(with(kDense, integers) - same, 3u);
  EXPECT_EQ(with(integers, kDense), same);
  EXPECT_EQ(with(kDense, kSparse) - same, 1u);
  EXPECT_EQ(with(kSparse, kDense), with(kSparse, kSparse));
}

TEST(IssueOnAGpu, StallsSumToWarpCycles) {
  KernelBuilder k(64);
  k.add(load_shared(4, 255, 4), writes(0, 2)).add(alu(5, 4, 4), waits(1, 5)).add(barrier(), stall(1)).exit();
  gpu::Machine machine("gpu", gpu_without_fetch());
  const gpu::RunStatistics s = k.run(machine, {300, 32});
  std::uint64_t resident = 0;
  for (const CtaRecord& cta : s.ctas) resident += cta.end - cta.start;
  EXPECT_EQ(std::accumulate(s.total.stalls.begin(), s.total.stalls.end(), std::uint64_t{0}), resident);
  EXPECT_EQ(s.total.stalls[static_cast<std::size_t>(Stall::kIssued)], s.total.warp_instructions);
}

class SmallFirstLevel : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Bytes, SmallFirstLevel, testing::Range(128, 1025, 128));

TEST_P(SmallFirstLevel, StillServesMoreWarpsThanItHasLines) {
  // Warps two to a sub-core, each soon somewhere else in 40 lines of code.
  KernelBuilder k(32);
  for (int i = 0; i < 320; ++i) k.add(nop(), stall(1 + i % 3));
  k.exit();
  gpu::GpuParams gpu = validation::a100();
  gpu.sm.fetch.first_level_bytes = GetParam();
  gpu::Machine machine("gpu", gpu);
  const std::uint64_t cycles = k.run(machine, {1, 256}).cycles;
  // At worst no line is there for a second warp.
  const sm::FetchParams& fetch = gpu.sm.fetch;
  const int slowest = std::max(fetch.memory_latency, fetch.second_level_latency) + fetch.memory_interval * 8;
  EXPECT_LT(cycles, static_cast<std::uint64_t>(fetch.start_latency + 41 * 8 * slowest));
}

class DeferringBarrier : public Barrier {
 protected:
  /// Cycles that it saves where `first` and then arithmetic of ten cycles follow.
  std::uint64_t saves(const std::vector<isa::Instruction>& first) {
    const auto with = [&](isa::Instruction bar) {
      KernelBuilder k(32);
      k.add(bar, stall(1));
      for (const isa::Instruction& one : first) k.add(one, stall(1));
      for (int i = 0; i < 5; ++i) k.add(alu(4, 5, 6), stall(2));
      return cycles_of(k.exit());
    };
    return with(barrier()) - with(deferring_barrier());
  }
};

TEST_F(DeferringBarrier, LetsArithmeticGoOn) { EXPECT_EQ(saves({}), 10u); }

// Samples of GEMM kernels by ncu on an H200: the barrier's stall is at the first of these behind it.
TEST_F(DeferringBarrier, HoldsBranchesAndIdleInstructions) {
  EXPECT_EQ(saves({nop()}), 0u);
  EXPECT_EQ(saves({branch_to(2)}), 0u);
}

TEST_F(DeferringBarrier, HoldsWhatReadsASpecialRegister) { EXPECT_EQ(saves({lane_id(7)}), 0u); }

TEST_F(Barrier, OpensAfterTheLastArrival) {
  const auto with = [this](int warps) { return cycles_of(KernelBuilder(32).add(barrier(), stall(1)).exit(), warps); };
  // 21 cycles, and 2 for each arrival after the first (published: 23 cycles for one warp to 85 for 32, A100).
  const auto plain = cycles_of(KernelBuilder(32).add(nop(), stall(1)).exit());
  EXPECT_EQ(with(1) - plain, 20u);
  EXPECT_EQ(with(4) - with(1), 6u);
}

}  // namespace
}  // namespace stc::timing
