// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

/// Where PTX says lane `lane` reads from (-1: out of range), written from the text of the shfl instruction.
int source_lane(ShuffleMode mode, int lane, int b, int c) {
  const int clamp = c & 31, segment = c >> 8 & 31;
  const int max_lane = (lane & segment) | (clamp & ~segment);
  const int min_lane = lane & segment;
  int j = 0;
  bool in_range = false;
  switch (mode) {
    case ShuffleMode::kUp: j = lane - b, in_range = j >= max_lane; break;
    case ShuffleMode::kDown: j = lane + b, in_range = j <= max_lane; break;
    case ShuffleMode::kBfly: j = lane ^ b, in_range = j <= max_lane; break;
    case ShuffleMode::kIdx: j = min_lane | (b & ~segment), in_range = j <= max_lane; break;
  }
  return in_range ? j : -1;
}

TEST(Shuffle, AllModesClampsAndSegments) {
  Machine m;
  for (const ShuffleMode mode : {ShuffleMode::kIdx, ShuffleMode::kUp, ShuffleMode::kDown, ShuffleMode::kBfly}) {
    for (const u32 c : {0x1fu, 0x0u, 0x181fu, 0x1c1fu, 0x1800u, 0x0fu}) {
      for (u32 b = 0; b < 32; ++b) {
        m.set_lanes(0, 1000, 3);
        Instruction i = make(Opcode::kShfl, 4, reg(0), imm(b), imm(c));
        i.mod.shuffle = mode;
        i.dest_predicate0 = 2;
        m.run(i);
        for (int lane = 0; lane < 32; ++lane) {
          const int from = source_lane(mode, lane, static_cast<int>(b), static_cast<int>(c));
          ASSERT_EQ(m.predicate(2, lane), from >= 0);
          ASSERT_EQ(m.get(4, lane), 1000u + 3u * static_cast<u32>(from >= 0 ? from : lane));
        }
      }
    }
  }
}

TEST(Shuffle, LaneNumbersFromARegister) {
  Machine m;
  m.set_lanes(0, 0, 10);
  m.set_lanes(1, 31, static_cast<u32>(-1));
  m.run(make(Opcode::kShfl, 0, reg(0), reg(1), imm(0x1f)));  // in place
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(0, lane), static_cast<u32>(310 - 10 * lane));
}

TEST(Vote, CountsExecutingLanesOnly) {
  Machine m;
  m.warp.p[0] = 0xff00ff00;
  m.warp.p[1] = 0x0000ffff;
  Instruction i = make(Opcode::kVote, 4);
  i.source_predicate0 = pred(0);
  i.guard = pred(1);
  i.mod.vote = VoteMode::kAny;
  i.dest_predicate0 = 2;
  m.run(i);
  EXPECT_EQ(m.get(4, 0), 0x0000ff00u);
  EXPECT_EQ(m.get(4, 20), 0u);  // not executing: untouched
  EXPECT_TRUE(m.predicate(2));
  i.mod.vote = VoteMode::kAll;
  m.run(i);
  EXPECT_FALSE(m.predicate(2));
  i.opcode = Opcode::kVoteu;
  i.dest = 5;
  m.run(i);
  EXPECT_EQ(m.warp.ur[5], 0x0000ff00u);
}

TEST(Match, GroupsEqualValues) {
  Machine m;
  for (u32 lane = 0; lane < 32; ++lane) m.warp.r[0][lane] = lane / 8;
  Instruction i = make(Opcode::kMatch, 4, reg(0));
  i.mod.vote = VoteMode::kAny;
  m.run(i);
  EXPECT_EQ(m.get(4, 9), 0x0000ff00u);
  i.mod.vote = VoteMode::kAll;
  i.dest_predicate0 = 0;
  m.run(i);
  EXPECT_EQ(m.get(4, 9), 0u);
  EXPECT_FALSE(m.predicate(0));
  m.set(0, 5);
  m.run(i);
  EXPECT_EQ(m.get(4, 9), 0xffffffffu);
  EXPECT_TRUE(m.predicate(0));
}

TEST(Redux, EveryOperation) {
  Machine m;
  for (u32 lane = 0; lane < 32; ++lane) m.warp.r[0][lane] = lane == 7 ? 0xfffffff0 : lane + 1;
  const auto reduce = [&](AtomicOp op, bool is_signed) {
    Instruction i = make(Opcode::kRedux, 6, reg(0));
    i.mem.atomic = op;
    i.mod.is_signed = is_signed;
    m.run(i);
    return m.warp.ur[6];
  };
  EXPECT_EQ(reduce(AtomicOp::kAdd, false), 528u - 8u - 16u);
  EXPECT_EQ(reduce(AtomicOp::kMin, true), 0xfffffff0u);
  EXPECT_EQ(reduce(AtomicOp::kMin, false), 1u);
  EXPECT_EQ(reduce(AtomicOp::kMax, true), 32u);
  EXPECT_EQ(reduce(AtomicOp::kMax, false), 0xfffffff0u);
  EXPECT_EQ(reduce(AtomicOp::kAnd, false), 0u);
  EXPECT_EQ(reduce(AtomicOp::kOr, false), 0xffffffffu);
}

TEST(R2ur, TakesTheFirstExecutingLane) {
  Machine m;
  m.set_lanes(0, 100, 1);
  m.warp.p[0] = 0xfffff000;
  Instruction i = make(Opcode::kR2ur, 3, reg(0));
  i.guard = pred(0);
  m.run(i);
  EXPECT_EQ(m.warp.ur[3], 112u);
}

TEST(R2ur, ItsPredicateIsTrueWhereALaneHoldsAnotherValue) {
  Machine m;
  for (std::uint32_t lane = 0; lane < 32; ++lane) m.warp.r[0][lane] = 0xfu << (lane / 4 * 4);
  Instruction i = make(Opcode::kR2ur, kUniformZero, reg(0));
  i.dest_predicate0 = 1;
  m.run(i);
  EXPECT_EQ(m.warp.p[1], 0xfffffff0u);
  m.warp.p[0] = 0x000000f0;
  m.warp.p[1] = 0;
  i.guard = pred(0);
  m.run(i);
  EXPECT_EQ(m.warp.p[1], 0u);  // those that execute agree
}

TEST(R2ur, ItsPredicateNamesTheLanesThatDiffer) {
  Machine m;
  m.set_lanes(0, 7, 0);
  m.warp.r[0][5] = m.warp.r[0][9] = 8;
  Instruction i = make(Opcode::kR2ur, 3, reg(0));
  i.dest_predicate0 = 1;
  m.warp.p[0] = ~(1u << 9);
  m.warp.p[1] = 1u << 9 | 1u << 10;
  i.guard = pred(0);
  m.run(i);
  EXPECT_EQ(m.warp.ur[3], 7u);
  EXPECT_EQ(m.warp.p[1], 1u << 5 | 1u << 9);  // lane 9 does not take part and keeps its own
  m.warp.p[1] = 1u << 2;
  i.mod.variant = 1;  // .OR
  m.run(i);
  EXPECT_EQ(m.warp.p[1], 1u << 5 | 1u << 2);
}

TEST(BranchIfAny, TakesAllLanesAlong) {
  Machine m;
  Instruction i = make(Opcode::kBra);
  i.mod.variant = 4;
  i.target = 0x40;
  i.guard = pred(2);
  m.warp.p[2] = 1u << 17;
  m.run(i);
  EXPECT_EQ(m.warp.pc, 0x40u);
  EXPECT_EQ(m.warp.active, ~0u);
  m.warp.p[2] = 0;
  m.run(i);
  EXPECT_EQ(m.warp.pc, 0x50u);
}

}  // namespace
}  // namespace stc::isa
