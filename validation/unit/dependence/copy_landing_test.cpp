// SPDX-License-Identifier: Apache-2.0
// What tells whom that asynchronous copies have landed, one warp's instruction at a time.
#include "models/dependence/copy_landing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stc::dependence {
namespace {

using isa::Opcode;
using testing::HasSubstr;

constexpr std::uint32_t kData = 0x400, kBarrier = 0x40;

class Landing : public testing::Test {
 protected:
  /// Copies 16 bytes a lane to kData and what follows.
  void copy(std::size_t warp) {
    isa::ExecuteResult result = executed(isa::Space::kGlobal);
    result.shared_lanes = ~0u;
    result.bytes_per_lane = 16;
    for (std::uint32_t lane = 0; lane < 32; ++lane) result.shared_address[lane] = kData + 16 * lane;
    step(warp, Opcode::kLdgsts, result);
  }
  void commit(std::size_t warp) {
    isa::Instruction instruction = of(Opcode::kLdgdepbar);
    instruction.control.write_scoreboard = 0;
    step(warp, instruction, executed());
  }
  /// DEPBAR.LE SB0, left; `cycles` to the next instruction.
  void wait(std::size_t warp, int left, std::uint64_t cycles = 4) {
    isa::Instruction instruction = of(Opcode::kDepbar);
    instruction.mod.depbar_scoreboard = 0;
    instruction.mod.depbar_count = static_cast<std::uint8_t>(left);
    step(warp, instruction, executed());
    time_ += cycles - 1;
  }
  void barrier(std::size_t warp) {
    isa::ExecuteResult result = executed();
    result.barrier = true;
    step(warp, Opcode::kBar, result);
  }
  /// The mbarrier of kBarrier is arrived at when the copies have landed.
  void arrive(std::size_t warp) {
    isa::ExecuteResult result = executed(isa::Space::kShared);
    result.copy_arrival.address = kBarrier;
    step(warp, Opcode::kArrives, result);
  }
  void test_phase(std::size_t warp, bool over) {
    isa::ExecuteResult result = executed(isa::Space::kShared);
    result.access_lanes = 1;
    result.address[0] = kBarrier;
    state_.p[0] = over ? ~0u : 0u;
    isa::Instruction instruction = of(Opcode::kSyncsPhase);
    instruction.dest_predicate0 = 0;
    step(warp, instruction, result);
  }
  void access(std::size_t warp, Opcode opcode, std::uint32_t address, bool write = false) {
    isa::ExecuteResult result = executed(isa::Space::kShared);
    result.is_write = write;
    result.access_lanes = 1;
    result.bytes_per_lane = 4;
    result.address[0] = address;
    step(warp, opcode, result);
  }
  std::string read(std::size_t warp, std::uint32_t address = kData + 20) {
    access(warp, Opcode::kLds, address);
    return early_;
  }
  void step(std::size_t warp, const isa::Instruction& instruction, const isa::ExecuteResult& result) {
    kernel_.code = {of(Opcode::kLdgsts)};
    const auto early = landing_.executed(warp, instruction, 0, state_, result, ++time_);
    early_ = early ? describe(*early, kernel_) : "";
  }
  void step(std::size_t warp, Opcode opcode, const isa::ExecuteResult& result) { step(warp, of(opcode), result); }
  static isa::Instruction of(Opcode opcode) {
    isa::Instruction instruction;
    instruction.opcode = opcode;
    return instruction;
  }
  static isa::ExecuteResult executed(isa::Space space = isa::Space::kNone) {
    isa::ExecuteResult result{};
    result.lanes = ~0u;
    result.space = space;
    return result;
  }

  CopyLanding landing_{4, 0x1000};
  isa::Kernel kernel_;
  isa::WarpState state_{8};
  std::uint64_t time_ = 100;
  std::string early_;
};

TEST_F(Landing, IsKnownToWhoWaitsForTheGroup) {
  copy(0), commit(0);
  EXPECT_THAT(read(0), HasSubstr("reads shared memory at 0x0414 (lane 0)"));
  EXPECT_THAT(read(0), HasSubstr("nobody has waited"));
  wait(0, 0);
  EXPECT_EQ(read(0), "");
}

TEST_F(Landing, IsNotKnownOneCycleTooEarly) {
  copy(0), commit(0), wait(0, 0, 3);
  EXPECT_NE(read(0), "");
  EXPECT_EQ(read(0), "");
}

TEST_F(Landing, OfTheLatestGroupsIsNotWaitedFor) {
  copy(0), commit(0), wait(0, 1);
  EXPECT_NE(read(0), "");
  commit(0), wait(0, 1);  // an empty group is one
  EXPECT_EQ(read(0), "");
}

TEST_F(Landing, OfCopiesThatNoGroupHoldsIsNotWaitedFor) {
  copy(0), wait(0, 0);
  EXPECT_NE(read(0), "");
}

TEST_F(Landing, IsKnownToWhoWaitsForTheScoreboard) {
  copy(0), commit(0);
  isa::Instruction nop = of(Opcode::kNop);
  nop.control.wait_mask = 1;
  step(0, nop, executed());  // it has not risen
  EXPECT_NE(read(0), "");
  step(0, nop, executed());
  EXPECT_EQ(read(0), "");
}

TEST_F(Landing, IsToldAtABarrier) {
  copy(0), commit(0), wait(0, 0);
  EXPECT_EQ(read(0), "");
  EXPECT_THAT(read(1), HasSubstr("has waited for the copy, but has met no barrier"));
  barrier(1);
  EXPECT_NE(read(1), "") << "who knows must be there";
  barrier(0);
  EXPECT_EQ(read(1), "");
}

TEST_F(Landing, IsNotToldByWhoDoesNotKnow) {
  copy(0), commit(0), barrier(0), barrier(1);
  EXPECT_NE(read(1), "");
}

TEST_F(Landing, IsToldByAFence) {
  copy(0), commit(0), wait(0, 0);
  step(0, Opcode::kMembar, executed());
  EXPECT_EQ(read(1), "");
}

TEST_F(Landing, IsKnownToWhoSeesThePhaseOfAnMbarrier) {
  copy(0), arrive(0);
  EXPECT_NE(read(0), "");
  test_phase(1, false);
  EXPECT_NE(read(1), "");
  test_phase(1, true);
  EXPECT_EQ(read(1), "");
  EXPECT_NE(read(2), "");
  access(0, Opcode::kLds, kBarrier + 4);  // as sm_80 tests a phase
  EXPECT_EQ(read(0), "");
}

TEST_F(Landing, CountsForBytesThatAreCopied) {
  copy(0);
  EXPECT_EQ(read(0, kData - 4), "");
  EXPECT_EQ(read(0, kData + 512), "");
  EXPECT_NE(read(0, kData + 508), "");
  access(0, Opcode::kSts, kData, true);
  EXPECT_THAT(early_, HasSubstr("overwrites"));
}

}  // namespace
}  // namespace stc::dependence
