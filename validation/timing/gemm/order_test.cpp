// SPDX-License-Identifier: Apache-2.0
// The main loops of built and compiled kernels side by side, without any timing: fragment loads, copies and barrier
// follow each other in the same order, and as many matrix instructions lie between the last copy and the wait for the
// copies before, which is what a loop that waits for memory takes its time for. Counted in stall cycles, loads and
// copies lie where nvcc has them; as many uniform instructions turn the stages; the same operands stay in the
// register-file cache. Two parts with two stages are a known gap: nvcc copies ten slots earlier.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "sim/launch/gemm_workload.h"
#include "sim/run/run_launch.h"
#include "validation/timing/gemm/gemm_run.h"

namespace stc::timing {
namespace {

using isa::Opcode;

constexpr double kOrderTolerance = 0.08;                                    ///< of the loop's matrix instructions
constexpr double kPlaceTolerance = 0.06, kTwoStageTwoPartTolerance = 0.14;  ///< mean, of the loop's stall cycles

struct Loop {
  std::string order;  ///< L: fragment load, C: copy, B: barrier
  int slots = 0;      ///< matrix instructions
  int last_copy = 0, wait = 0;
  int cycles = 0;           ///< stall counts
  std::vector<int> places;  ///< of loads and copies, in cycles
  int uniform = 0, reused = 0;
};

bool is_matrix(const isa::Instruction& i) { return i.opcode == Opcode::kHmma || i.opcode == Opcode::kImma; }

Loop main_loop(const std::vector<isa::Instruction>& code) {
  // The longest way back over matrix instructions.
  std::size_t from = 0, to = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const std::size_t target = code[at].target / isa::kInstructionBytes;
    if (code[at].opcode != Opcode::kBra || target >= at || at - target <= to - from) continue;
    const auto first = code.begin() + static_cast<std::ptrdiff_t>(target);
    if (std::any_of(first, code.begin() + static_cast<std::ptrdiff_t>(at), is_matrix)) from = target, to = at;
  }
  Loop loop;
  for (std::size_t at = from; at < to; ++at) {
    const isa::Opcode opcode = code[at].opcode;
    if (opcode == Opcode::kLdsm || opcode == Opcode::kLdgsts) loop.places.push_back(loop.cycles);
    if (opcode >= Opcode::kUmov && opcode <= Opcode::kUpopc) ++loop.uniform;
    if (is_matrix(code[at]) && (code[at].control.reuse & 1) != 0) ++loop.reused;
    loop.cycles += code[at].control.stall;
    switch (code[at].opcode) {
      case Opcode::kHmma:
      case Opcode::kImma: ++loop.slots; break;
      case Opcode::kLdsm: loop.order += 'L'; break;
      case Opcode::kLdgsts: loop.order += 'C', loop.last_copy = loop.slots; break;
      case Opcode::kDepbar: loop.wait = loop.slots; break;
      case Opcode::kBar: loop.order += 'B'; break;
      default: break;
    }
  }
  return loop;
}

Loop loop_of(const sim::GemmPlan& plan, const std::string& gpu) {
  const sim::GpuConfig config = sim::read_gpu_config("configs/gpus/" + gpu + ".yaml");
  const sim::GemmProblem problem = sim::resolve_gemm(plan, sim::Manifest::load("traces/kernels"));
  return main_loop(sim::make_ready(sim::prepare_gemm(problem, config.params.sm_version, nullptr), config).kernel.code);
}

/// The main loop of a compiled kernel and of the built one of the same tile.
class Order : public testing::TestWithParam<std::tuple<const char*, std::string>> {
 protected:
  void SetUp() override {
    const auto& [gpu, kernel] = GetParam();
    sim::GemmPlan plan;
    plan.m = plan.n = plan.k = 512;
    plan.kernel = kernel;
    want = loop_of(plan, gpu);
    plan.kernel.clear();
    plan.built = spec = spec_of_compiled(kernel);
    got = loop_of(plan, gpu);
  }
  gemm::GemmSpec spec;
  Loop want, got;
};

TEST_P(Order, IsThatOfTheCompiledKernel) {
  EXPECT_GT(want.slots, 0);
  EXPECT_EQ(got.slots, want.slots);
  EXPECT_EQ(got.order, want.order);
  EXPECT_NEAR(got.wait - got.last_copy, want.wait - want.last_copy, kOrderTolerance * want.slots);
}

TEST_P(Order, PutsEverythingWhereTheCompilerDoes) {
  const bool two_parts = spec.pattern.n != spec.pattern.m && spec.warp_n == 64;
  EXPECT_NEAR(got.uniform, want.uniform, 1);
  if (!two_parts) {
    EXPECT_EQ(got.reused, want.reused);
  }
  ASSERT_EQ(got.places.size(), want.places.size());
  double off = 0;
  for (std::size_t i = 0; i < want.places.size(); ++i) off += std::abs(got.places[i] - want.places[i]);
  const double tolerance = two_parts && spec.stages == 2 ? kTwoStageTwoPartTolerance : kPlaceTolerance;
  EXPECT_LE(off / static_cast<double>(want.places.size()), tolerance * want.cycles);
}

/// Those whose warps multiply: kernels for warpgroups are compiled alone, none is built.
std::vector<std::string> kernels_of_warps() {
  std::vector<std::string> names;
  for (const sim::LibraryKernel& kernel : sim::Manifest::load(sim::default_kernels_folder()).kernels) {
    if (kernel.cluster == 0) names.push_back(kernel.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Gemm, Order,
                         testing::Combine(testing::Values("a100", "h200"), testing::ValuesIn(kernels_of_warps())));

}  // namespace
}  // namespace stc::timing
