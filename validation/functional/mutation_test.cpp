// SPDX-License-Identifier: Apache-2.0
// Kernels with one wait bit less or one stall cycle less: the check of dependences names each one that a dependence
// relies on, and which ones those are follows from the run of the unchanged kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/dependence/issue_distance.h"
#include "models/isa/text/listing.h"
#include "models/sm/issue_info.h"
#include "traces/cubin/cubin.h"
#include "validation/functional/dependence_oracle.h"
#include "validation/functional/functional_runner.h"
#include "validation/gpus.h"

namespace stc::functional {
namespace {

struct Subject {
  const char* name;
  const char* file;  ///< %d: architecture
  const char* kernel;
  std::uint32_t threads, shared_bytes;
  std::vector<int> buffers;  ///< bytes of each pointer argument
  std::vector<int> numbers;  ///< arguments behind them
  std::size_t least_waits, least_stalls;
  bool copies = false;  ///< asynchronous ones
};
void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

class Mutations : public testing::TestWithParam<std::tuple<Subject, int>> {
 protected:
  Mutations() : subject_(std::get<0>(GetParam())), sm_(std::get<1>(GetParam())) {
    std::string file = subject_.file;
    for (std::size_t at; (at = file.find("%d")) != std::string::npos;) file.replace(at, 2, std::to_string(sm_));
    kernel_ = cubin::open_cubin(file).decode(subject_.kernel);
    Arguments arguments;
    for (const int bytes : subject_.buffers) {
      arguments.add(memory_.allocate("b" + std::to_string(bytes), static_cast<std::uint64_t>(bytes)).address);
    }
    for (const int number : subject_.numbers) arguments.add(number);
    launch_.grid = {1, 1, 1};
    launch_.block = {subject_.threads, 1, 1};
    launch_.dynamic_shared_bytes = subject_.shared_bytes;
    launch_.parameters = arguments.bytes();
  }

  /// The fault of a run, empty when there is none.
  std::string fault() {
    try {
      run_kernel(kernel_, launch_, memory_, validation::gpu_of(sm_), isa::Values::kAddresses);
    } catch (const isa::SimulatedFault& error) {
      return error.what();
    }
    return "";
  }

  /// What the unchanged kernel relies on, over all warps.
  void consult_oracles() {
    std::vector<DependenceOracle> oracles(subject_.threads / isa::kWarpSize);
    for (DependenceOracle& oracle : oracles) launch_.observers.push_back(&oracle);
    ASSERT_EQ(fault(), "");
    launch_.observers.clear();
    for (const DependenceOracle& oracle : oracles) {
      needed_waits_.insert(oracle.needed_waits().begin(), oracle.needed_waits().end());
      needed_cycles_.insert(oracle.needed_cycles().begin(), oracle.needed_cycles().end());
    }
  }

  std::set<DependenceOracle::Wait> needed_waits_;
  std::set<DependenceOracle::Step> needed_cycles_;
  const Subject subject_;
  const int sm_;
  isa::Kernel kernel_;
  isa::GlobalMemory memory_;
  Launch launch_;
};

TEST_P(Mutations, ThatTakeAwayAWaitAreCaught) {
  consult_oracles();
  std::size_t bits = 0, caught = 0;
  for (std::uint32_t i = 0; i < kernel_.code.size(); ++i) {
    isa::Control& control = kernel_.code[i].control;
    for (std::size_t s = 0; s < dependence::kScoreboards; ++s) {
      if ((control.wait_mask >> s & 1) == 0) continue;
      const std::uint8_t kept = control.wait_mask;
      control.wait_mask = static_cast<std::uint8_t>(kept & ~(1u << s));
      const std::string text = fault();
      control.wait_mask = kept;
      ++bits;
      caught += text.empty() ? 0 : 1;
      EXPECT_EQ(!text.empty(), needed_waits_.count({i, s}) != 0)
          << isa::listing_text(kernel_.code[i]) << " at " << kernel_.code[i].address << ", SB" << s << ": " << text;
    }
  }
  RecordProperty("bits", static_cast<int>(bits));
  RecordProperty("caught", static_cast<int>(caught));
  EXPECT_GE(caught, subject_.least_waits) << "of " << bits;
}

TEST_P(Mutations, ThatTakeAwayACycleAreCaught) {
  consult_oracles();
  const dependence::IssueCycles cycles = sm::issue_cycles(validation::gpu_of(sm_).sm.issue);
  std::size_t stalls = 0, caught = 0;
  for (std::uint32_t i = 0; i < kernel_.code.size(); ++i) {
    isa::Control& control = kernel_.code[i].control;
    const int before = stall_cycles(control, cycles);
    if (control.stall < 2) continue;
    --control.stall;
    const int after = stall_cycles(control, cycles);
    const std::string text = fault();
    ++control.stall;
    if (after == before) continue;  // a yield takes two cycles anyway
    const bool shorter_branch = branch_cycles(after, cycles) < branch_cycles(before, cycles);
    const bool needed =
        needed_cycles_.count({i, false}) != 0 || (shorter_branch && needed_cycles_.count({i, true}) != 0);
    // Scoreboards rise, and DEPBAR takes, some cycles: those count too.
    const bool scoreboard =
        text.find("scoreboard") != std::string::npos || text.find("waited for the copy") != std::string::npos;
    ++stalls;
    caught += text.empty() ? 0 : 1;
    EXPECT_TRUE(!text.empty() == needed || scoreboard)
        << isa::listing_text(kernel_.code[i]) << " at " << kernel_.code[i].address << ": " << text;
  }
  RecordProperty("stalls", static_cast<int>(stalls));
  RecordProperty("caught", static_cast<int>(caught));
  EXPECT_GE(caught, subject_.least_stalls) << "of " << stalls;
}

/// A wait for one group of copies fewer.
TEST_P(Mutations, ThatWaitForFewerCopiesAreCaught) {
  ASSERT_EQ(fault(), "");
  int waits = 0;
  for (isa::Instruction& i : kernel_.code) {
    if (i.opcode != isa::Opcode::kDepbar || i.mod.depbar_count == 0) continue;
    ++i.mod.depbar_count;
    EXPECT_THAT(fault(), testing::HasSubstr("nobody has waited for the copy")) << isa::listing_text(i) << i.address;
    --i.mod.depbar_count;
    ++waits;
  }
  EXPECT_EQ(waits != 0, subject_.copies);
}

/// One barrier fewer behind a wait for copies: every barrier of these kernels stands there.
TEST_P(Mutations, ThatTellNobodyOfCopiesAreCaught) {
  int barriers = 0;
  for (isa::Instruction& i : kernel_.code) {
    if (!subject_.copies || i.opcode != isa::Opcode::kBar) continue;
    i.opcode = isa::Opcode::kNop;
    EXPECT_THAT(fault(), testing::HasSubstr("is known to have written it")) << i.address;
    i.opcode = isa::Opcode::kBar;
    ++barriers;
  }
  EXPECT_EQ(barriers != 0, subject_.copies);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Mutations,
    testing::Combine(testing::Values(Subject{"dense",
                                             "traces/kernels/sm_%d/f16_dense_64x64x64_w32x32_s4.cubin",
                                             "f16_dense_64x64x64_w32x32_s4",
                                             128,
                                             65536,
                                             {65536, 65537, 65538},
                                             {64, 64, 384},
                                             20,
                                             40,
                                             true},
                                     Subject{"sparse",
                                             "traces/kernels/sm_%d/f16_sp24_64x64x64_w32x32_s4.cubin",
                                             "f16_sp24_64x64x64_w32x32_s4",
                                             128,
                                             51200,
                                             {65536, 65537, 65538, 65539},
                                             {64, 64, 384},
                                             20,
                                             40,
                                             true},
                                     Subject{"softmax",
                                             "validation/unit/sim/data/ordinary_sm_%d.cubin",
                                             "softmax",
                                             128,
                                             512,
                                             {8192, 8193},
                                             {300},
                                             20,
                                             40}),
                     testing::Values(80, 90)),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) + "_sm_" + std::to_string(std::get<1>(test.param));
    });

}  // namespace
}  // namespace stc::functional
