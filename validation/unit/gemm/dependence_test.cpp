// SPDX-License-Identifier: Apache-2.0
// The control codes of built kernels, checked by walking through the program with the check of dependences: whoever
// reads or overwrites a register must have waited for whoever used it before, by stall counts or by a scoreboard. The
// scheduler's own bookkeeping has no part in it.
#include <gtest/gtest.h>

#include <tuple>
#include <utility>
#include <vector>

#include "models/dependence/warp_dependences.h"
#include "models/isa/text/listing.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::gemm {
namespace {

using isa::Opcode;

constexpr isa::LaneMask kAll = ~isa::LaneMask{0};
constexpr dependence::IssueCycles kCycles{45, 10};

class Walk {
 public:
  Walk(const isa::Kernel& kernel, const ScheduleTimes& times)
      : kernel_(kernel),
        times_(times),
        uses_(
            kernel, [&](const isa::MmaOp&) { return times.mma_latency; }, kCycles) {}

  /// Follows the program, taking backward branches `loops` times; returns the first violation.
  std::string first_violation(int loops) {
    std::uint32_t at = 0;
    while (kernel_.code[at].opcode != Opcode::kExit) {
      const isa::Instruction& i = kernel_.code[at];
      const bool branches = i.opcode == Opcode::kBra && i.target <= i.address && loops-- > 0;
      const auto broken = warp_.issued(uses_, at, kAll, kAll, branches);
      if (broken) return describe(*broken, kernel_);
      if (isa::is_matrix(i.opcode)) {
        if (cycle_ - last_matrix_ < times_.mma_interval) return isa::listing_text(i) + ": the tensor core is busy";
        last_matrix_ = cycle_;
      }
      cycle_ += dependence::stall_cycles(i.control, uses_.cycles);
      at = branches ? i.target / isa::kInstructionBytes : at + 1;
    }
    return "";
  }

 private:
  const isa::Kernel& kernel_;
  const ScheduleTimes& times_;
  const dependence::KernelUses uses_;
  dependence::WarpDependences warp_;
  int cycle_ = 0, last_matrix_ = -1000;
};

struct Case {
  const char* pattern;
  int tile_k, warp_m, warp_n, stages;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.pattern << " k " << c.tile_k << " w" << c.warp_m; }

GemmSpec spec_of(const Case& c) {
  GemmSpec spec;
  spec.pattern = sparsity::Pattern::parse(c.pattern);
  spec.tile_k = c.tile_k;
  spec.warp_m = c.warp_m;
  spec.warp_n = c.warp_n;
  if (c.warp_m < 32) spec.tile_m = spec.tile_n = 32;
  spec.stages = c.stages;
  return spec;
}

class Dependences : public testing::TestWithParam<Case> {};

TEST_P(Dependences, AreWaitedFor) {
  const GemmSpec spec = spec_of(GetParam());
  const isa::Kernel kernel = build_gemm(spec);
  for (const int loops : {0, 1, 3}) EXPECT_EQ(Walk(kernel, spec.times).first_violation(loops), "") << loops;
}

/// Types, tiles and both architectures; some cannot be built.
std::vector<GemmSpec> many_designs() {
  std::vector<GemmSpec> specs{GemmSpec()};
  const auto vary = [&](auto member, const auto& values) {
    std::vector<GemmSpec> varied;
    for (const GemmSpec& spec : specs) {
      for (const auto& value : values) {
        varied.push_back(spec);
        member(varied.back(), value);
      }
    }
    specs = std::move(varied);
  };
  using isa::NumberFormat;
  vary([](GemmSpec& spec, const char* pattern) { spec.pattern = sparsity::Pattern::parse(pattern); },
       std::vector<const char*>{"dense", "2:4", "1:4", "2:6", "1:8", "4:8"});
  vary([](GemmSpec& spec, NumberFormat type) { spec.type = type; },
       std::vector<NumberFormat>{NumberFormat::f16, NumberFormat::tf32, NumberFormat::s8});
  vary([](GemmSpec& spec, int k) { spec.tile_k = k; }, std::vector<int>{32, 48, 64, 96, 128, 256});
  vary([](GemmSpec& spec, const std::pair<int, int>& warp) { std::tie(spec.warp_m, spec.warp_n) = warp; },
       std::vector<std::pair<int, int>>{{16, 16}, {32, 32}, {64, 32}, {32, 64}, {64, 64}});
  vary([](GemmSpec& spec, int stages) { spec.stages = stages; }, std::vector<int>{2, 3, 4});
  vary([](GemmSpec& spec, int sm) { spec.sm_version = sm; }, std::vector<int>{80, 90});
  return specs;
}

/// So slow that even the loop's branch must wait.
TEST(Dependences, OnSlowMatrixInstructionsAreWaitedFor) {
  for (const int latency : {60, 128, 250}) {
    GemmSpec spec = spec_of({"2:4", 64, 32, 32, 3});
    spec.tile_m = spec.tile_n = 64;
    spec.times.mma_latency = latency;
    for (const int interval : {4, 8, 32}) {
      spec.times.mma_interval = interval;
      EXPECT_EQ(Walk(build_gemm(spec), spec.times).first_violation(3), "") << latency << " " << interval;
    }
  }
}

TEST(Dependences, OfManyDesignsAreWaitedFor) {
  int built = 0;
  for (const GemmSpec& spec : many_designs()) {
    isa::Kernel kernel;
    try {
      kernel = build_gemm(spec);
    } catch (const std::invalid_argument&) {
      continue;
    }
    ++built;
    ASSERT_EQ(Walk(kernel, spec.times).first_violation(3), "") << kernel.name << " sm_" << spec.sm_version;
  }
  EXPECT_GT(built, 500);
}

/// The walk itself must notice a missing wait and a missing cycle.
TEST_P(Dependences, AreMissedWhenTakenAway) {
  const GemmSpec spec = spec_of(GetParam());
  isa::Kernel kernel = build_gemm(spec);
  isa::Kernel without_waits = kernel;
  for (isa::Instruction& i : without_waits.code) i.control.wait_mask = 0;
  EXPECT_NE(Walk(without_waits, spec.times).first_violation(1), "");
  isa::Kernel without_stalls = kernel;
  for (isa::Instruction& i : without_stalls.code) i.control.stall = 1;
  EXPECT_NE(Walk(without_stalls, spec.times).first_violation(1), "");
}

INSTANTIATE_TEST_SUITE_P(All, Dependences,
                         testing::Values(Case{"dense", 64, 64, 64, 3}, Case{"dense", 64, 64, 32, 2},
                                         Case{"2:4", 64, 64, 64, 3}, Case{"2:4", 128, 64, 32, 2},
                                         Case{"1:4", 64, 64, 64, 3}, Case{"2:6", 96, 64, 64, 3},
                                         Case{"3:8", 128, 64, 32, 4}, Case{"1:8", 128, 64, 64, 3},
                                         Case{"dense", 16, 16, 16, 2}, Case{"2:8", 64, 64, 32, 3},
                                         Case{"2:4", 64, 64, 64, 2}, Case{"2:4", 192, 64, 64, 2},
                                         Case{"2:4", 192, 64, 32, 2}, Case{"2:4", 128, 64, 64, 3}));

}  // namespace
}  // namespace stc::gemm
