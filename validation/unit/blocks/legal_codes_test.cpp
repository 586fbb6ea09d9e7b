// SPDX-License-Identifier: Apache-2.0
// Control codes grow until nobody is ahead of what they depend on, and no further.
#include <gtest/gtest.h>

#include <vector>

#include "models/isa/mma/mma_op.h"
#include "traces/blocks/legal_codes.h"
#include "traces/gemm/instructions.h"

namespace stc::blocks {
namespace {

using gemm::iadd3;
using gemm::imad;
using gemm::reg;
using isa::Instruction;
using isa::Opcode;
using Code = std::vector<Instruction>;

int matrix_latency(const isa::MmaOp&) { return 24; }

Instruction load(int d) { return gemm::load_matrices(d, 40, 0, 1); }

Code legal(Code code, int passes = 1) {
  for (Instruction& i : code) i.sm = 90;
  std::vector<Code> sections = {std::move(code)};
  make_legal(sections, std::vector<int>(static_cast<std::size_t>(passes), 0), matrix_latency);
  return sections[0];
}

TEST(LegalCodes, StallForTheLatencyOfTheReader) {
  const Code same_pipe = legal({iadd3(1, reg(2), reg(3)), iadd3(4, reg(1), reg(3))});
  EXPECT_EQ(same_pipe[0].control.stall, 4);
  const Code other_pipe = legal({iadd3(1, reg(2), reg(3)), imad(4, reg(1), reg(3))});
  EXPECT_EQ(other_pipe[0].control.stall, 5);
  const Code between = legal({iadd3(1, reg(2), reg(3)), gemm::nop(), imad(4, reg(1), reg(3))});
  EXPECT_EQ(between[0].control.stall, 1);
  EXPECT_EQ(between[1].control.stall, 4);
  const Code independent = legal({iadd3(1, reg(2), reg(3)), imad(4, reg(5), reg(3))});
  EXPECT_EQ(independent[0].control.stall, 1);
}

/// A compiler's own stalls stay.
TEST(LegalCodes, LongerStallsStay) {
  Instruction first = iadd3(1, reg(2), reg(3));
  first.control.stall = 9;
  EXPECT_EQ(legal({first, iadd3(4, reg(1), reg(3))})[0].control.stall, 9);
}

TEST(LegalCodes, FollowTheLoopRound) {
  const Code once = legal({imad(4, reg(1), reg(3)), iadd3(1, reg(2), reg(3))});
  EXPECT_EQ(once[1].control.stall, 1);
  const Code again = legal({imad(4, reg(1), reg(3)), iadd3(1, reg(2), reg(3))}, 2);
  EXPECT_EQ(again[1].control.stall, 5);
}

TEST(LegalCodes, WaitForScoreboards) {
  Code code = {load(1), iadd3(4, reg(1), reg(3)), iadd3(5, reg(1), reg(3))};
  for (Instruction& i : code) i.sm = 90;
  name_scoreboards(code);
  const int scoreboard = code[0].control.write_scoreboard;
  ASSERT_LT(scoreboard, isa::kScoreboards);
  code = legal(code);
  EXPECT_EQ(code[0].control.stall, 2) << "a scoreboard rises a cycle after issue";
  EXPECT_EQ(code[1].control.wait_mask, 1 << scoreboard);
  EXPECT_EQ(code[2].control.wait_mask, 0) << "it has been waited for";
}

/// Compilers leave the scoreboard of a batch of loads, which answer in order, to the last one.
TEST(LegalCodes, LoadsWithoutScoreboardShareTheNextOne) {
  Code code = {load(1), gemm::writes(load(2), 3), iadd3(4, reg(1), reg(2))};
  for (Instruction& i : code) i.sm = 90;
  name_scoreboards(code);
  EXPECT_EQ(code[0].control.write_scoreboard, 3);
}

/// One stall count holds 15 cycles; more than 11 of them need yield, which goes with no reuse.
TEST(LegalCodes, SpendLongStallsOnNops) {
  const isa::MmaOp op = isa::parse_mma_name("mma.m16n8k16.f32.f16.f16.f32");
  Instruction matrix = gemm::mma(op, 8, 16, 20, gemm::kRz, 0);
  matrix.control.reuse = 1;
  matrix.a.reuse = true;
  const Code code = legal({matrix, iadd3(4, reg(8), reg(3))});
  ASSERT_EQ(code.size(), 3u);
  EXPECT_EQ(code[0].control.stall, 15);
  EXPECT_TRUE(code[0].control.yield);
  EXPECT_EQ(code[0].control.reuse, 0);
  EXPECT_FALSE(code[0].a.reuse);
  EXPECT_EQ(code[1].opcode, Opcode::kNop);
  EXPECT_EQ(code[0].control.stall + code[1].control.stall, 24);
}

}  // namespace
}  // namespace stc::blocks
