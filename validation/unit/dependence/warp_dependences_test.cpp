// SPDX-License-Identifier: Apache-2.0
// Each rule on both sides of its edge: one cycle or one wait less and the dependence is reported.
#include "models/dependence/warp_dependences.h"

#include "validation/unit/isa/machine.h"

namespace stc::dependence {
namespace {

using isa::Instruction;
using isa::make;
using isa::Opcode;
using isa::reg;
using isa::rz;

constexpr isa::LaneMask kAll = ~isa::LaneMask{0};

struct Step {
  Instruction instruction;
  isa::LaneMask lanes = kAll;
  bool branched = false;
};

Instruction stalled(Instruction i, int cycles) {
  i.control.stall = static_cast<std::uint8_t>(cycles);
  return i;
}
Instruction writes(Instruction i, int scoreboard) {
  i.control.write_scoreboard = static_cast<std::uint8_t>(scoreboard);
  return i;
}
Instruction reads(Instruction i, int scoreboard) {
  i.control.read_scoreboard = static_cast<std::uint8_t>(scoreboard);
  return i;
}
Instruction waits(Instruction i, int scoreboard) {
  i.control.wait_mask = static_cast<std::uint8_t>(1 << scoreboard);
  return i;
}
Instruction guarded(Instruction i, int predicate) {
  i.guard = isa::pred(predicate);
  return i;
}
Instruction add(int d, int a) { return make(Opcode::kIadd3, d, reg(a), rz(), rz()); }
Instruction multiply(int d, int a) { return make(Opcode::kImad, d, reg(a), rz(), rz()); }
Instruction compare(int p, int a) {
  Instruction i = make(Opcode::kIsetp, isa::kRegisterZero, reg(a), rz());
  i.dest_predicate0 = static_cast<std::uint8_t>(p);
  return i;
}
Instruction memory(Opcode opcode, int d, int address, int data = isa::kRegisterZero) {
  Instruction i = make(opcode, d);
  i.mem.address_register = static_cast<std::uint8_t>(address);
  i.mem.data_register = static_cast<std::uint8_t>(data);
  i.mem.bytes = 4;
  return i;
}
Instruction matrix(int d, int a) { return make(Opcode::kHmma, d, reg(a), reg(a + 4), rz()); }
Instruction drain(int scoreboard, int count) {
  Instruction i = make(Opcode::kDepbar);
  i.mod.depbar_scoreboard = static_cast<std::uint8_t>(scoreboard);
  i.mod.depbar_count = static_cast<std::uint8_t>(count);
  return i;
}

/// Description of the first dependence that a warp's path does not keep; empty when it keeps all.
std::string violation(const std::vector<Step>& path) {
  isa::Kernel kernel;
  for (const Step& step : path) {
    kernel.code.push_back(step.instruction);
    kernel.code.back().address = static_cast<std::uint32_t>(16 * (kernel.code.size() - 1));
  }
  const KernelUses uses(kernel, [](const isa::MmaOp&) { return 24; }, {45, 10});
  WarpDependences warp;
  for (std::uint32_t i = 0; i < path.size(); ++i) {
    if (const auto broken = warp.issued(uses, i, kAll, path[i].lanes, path[i].branched)) {
      return describe(*broken, kernel);
    }
  }
  return "";
}

/// `first` then `second`: needs exactly `cycles` between their issues.
void expect_distance(const Instruction& first, const Instruction& second, int cycles) {
  EXPECT_EQ(violation({{stalled(first, cycles)}, {second}}), "") << cycles;
  if (cycles == 1) return;
  const std::string text = violation({{stalled(first, cycles - 1)}, {second}});
  const std::string what =
      "needs " + std::to_string(cycles) + " cycles, stall counts give " + std::to_string(cycles - 1);
  EXPECT_NE(text.find(what), std::string::npos) << text;
}

TEST(FixedLatency, OfArithmetic) {
  expect_distance(add(4, 5), add(6, 4), 4);
  expect_distance(add(4, 5), multiply(6, 4), 5);
  expect_distance(multiply(4, 5), multiply(6, 4), 4);
  expect_distance(add(4, 5), memory(Opcode::kSts, 255, 4), 5);
  expect_distance(add(4, 5), matrix(8, 4), 7);
}

TEST(FixedLatency, OfPredicates) {
  expect_distance(compare(1, 4), guarded(add(6, 5), 1), 13);
  Instruction select = make(Opcode::kSel, 6, reg(7), rz());
  select.source_predicate0 = isa::pred(1);
  expect_distance(compare(1, 4), select, 4);
}

TEST(FixedLatency, OfTheUniformDatapath) {
  Instruction uniform = make(Opcode::kUiadd3, 4, isa::uniform(5), isa::uniform(6), isa::uniform(7));
  expect_distance(uniform, make(Opcode::kIadd3, 6, reg(7), isa::uniform(4), rz()), 6);
  expect_distance(make(Opcode::kUmov, 4, {}, isa::imm(1)), uniform = make(Opcode::kUiadd3, 5, isa::uniform(4)), 2);
}

TEST(Barriers, HoldAWarpSixCyclesLater) {
  for (const Opcode opcode : {Opcode::kLds, Opcode::kLdsm, Opcode::kSts, Opcode::kLdg, Opcode::kStg, Opcode::kLdgsts}) {
    Instruction access = writes(memory(opcode, 8, 4), 0);
    expect_distance(make(Opcode::kBar), access, 6);
    Instruction arrival = make(Opcode::kBar);
    arrival.mod.bar = isa::BarMode::kArrive;
    EXPECT_EQ(violation({{stalled(arrival, 1)}, {access}}), "");  // waits for nobody
    EXPECT_EQ(violation({{stalled(make(Opcode::kBar), 1)}, {access, 0}}), "") << "no lane does it";
  }
  EXPECT_EQ(violation({{stalled(make(Opcode::kBar), 1)}, {add(4, 5)}}), "");
  const std::string text =
      violation({{stalled(make(Opcode::kBar), 2)}, {stalled(add(4, 5), 3)}, {memory(Opcode::kLds, 8, 12)}});
  EXPECT_NE(text.find("accesses memory before 'BAR.SYNC"), std::string::npos) << text;
  EXPECT_NE(text.find("at 0x0000 holds its warp: needs 6 cycles, stall counts give 5"), std::string::npos) << text;
}

Instruction of_warpgroup(int d, bool ends_group) {
  Instruction i = make(Opcode::kHgmma, d);
  i.mma.m = 64, i.mma.n = 16, i.mma.k = 16;
  i.mma.warpgroup = true;
  i.mod.barrier = ends_group ? 0 : 7;
  return i;
}
Instruction wait_for_groups(int left) {
  Instruction i = make(Opcode::kWarpgroup);
  i.mod.variant = 1;
  i.mod.depbar_count = static_cast<std::uint8_t>(left);
  return i;
}

// The accumulators of 16 columns are eight registers.
TEST(Warpgroups, AccumulatorsAreUsedBehindTheWaitForTheirGroup) {
  const Step matrix{of_warpgroup(24, true)}, later{of_warpgroup(40, true)}, all{wait_for_groups(0)};
  EXPECT_EQ(violation({matrix, all, {add(4, 24)}}), "");
  EXPECT_EQ(violation({matrix, {add(4, 32)}}), "");  // none of them
  EXPECT_EQ(violation({matrix, later, {wait_for_groups(1)}, {add(4, 31)}}), "");
  EXPECT_EQ(violation({matrix, matrix, all, {add(4, 24)}}), "");  // one adds to what the other leaves
  const std::string read = violation({matrix, {add(4, 31)}});
  EXPECT_NE(read.find("reads R31 before 'HGMMA"), std::string::npos) << read;
  EXPECT_NE(read.find("no WARPGROUP.DEPBAR has waited for its group"), std::string::npos) << read;
  EXPECT_NE(violation({matrix, {add(24, 4)}}).find("overwrites R24"), std::string::npos);
  EXPECT_NE(violation({matrix, later, {wait_for_groups(1)}, {add(4, 40)}}), "");
  EXPECT_NE(violation({matrix, all, matrix, {add(4, 24)}}), "");
  // Its group is over only once somebody has ended it.
  EXPECT_NE(violation({{of_warpgroup(24, false)}, all, {add(4, 24)}}), "");
  EXPECT_EQ(violation({{of_warpgroup(24, false)}, later, all, {add(4, 24)}}), "");
}

// As nvcc leaves them on sm_90.
TEST(FixedLatency, BehindDoublesAndElections) {
  Instruction fuse = make(Opcode::kDfma, 18, reg(8), reg(18), reg(10));
  Instruction load = writes(memory(Opcode::kLds, 8, 23), 2);
  fuse.sm = load.sm = 90;
  expect_distance(fuse, load, 1);  // overwrites a source
  Instruction elected = make(Opcode::kElect, 4);
  elected.dest_predicate0 = 0;
  expect_distance(elected, make(Opcode::kIadd3, 6, reg(7), isa::uniform(4), rz()), 2);
  Instruction matrices = writes(make(Opcode::kDmma, 8, reg(2), reg(4), reg(8)), 0);
  matrices.sm = 90;
  matrices.mma.m = 8;
  matrices.mma.k = 4;
  EXPECT_EQ(violation({{stalled(matrices, 4)}, {waits(memory(Opcode::kStg, 255, 12, 8), 0)}}), "");
  EXPECT_NE(violation({{stalled(matrices, 15)}, {memory(Opcode::kStg, 255, 12, 8)}}), "");
}

TEST(FixedLatency, OfMatrixInstructions) {
  const auto after = [](int first, int second, const Instruction& reader) {
    return violation({{stalled(matrix(8, 16), first)}, {stalled(make(Opcode::kNop), second)}, {reader}});
  };
  EXPECT_EQ(after(12, 12, add(30, 8)), "");
  EXPECT_NE(after(12, 11, add(30, 8)), "");
  EXPECT_EQ(after(12, 11, memory(Opcode::kStg, 255, 40, 8)), "");
  EXPECT_NE(after(12, 10, memory(Opcode::kStg, 255, 40, 8)), "");
  expect_distance(matrix(8, 16), add(16, 30), 7);  // sources are read over seven cycles
}

TEST(FixedLatency, CountsATakenBranch) {
  const Instruction branch = stalled(make(Opcode::kBra), 5);
  const auto behind = [&](bool taken, int before) {
    return violation({{stalled(matrix(8, 16), before)}, {branch, kAll, taken}, {add(30, 8)}});
  };
  EXPECT_EQ(behind(true, 14), "");  // 14 and 10
  EXPECT_NE(behind(true, 13), "");
  EXPECT_NE(behind(false, 14), "");
}

TEST(Scoreboards, HoldTheReaderOfALoad) {
  const Instruction load = writes(memory(Opcode::kLds, 4, 5), 2);
  EXPECT_EQ(violation({{stalled(load, 2)}, {waits(add(6, 4), 2)}}), "");
  const std::string text = violation({{stalled(load, 15)}, {add(6, 4)}});
  EXPECT_NE(text.find("'IADD3 R6, R4, RZ, RZ' reads R4 before 'LDS R4, [R5]' at 0x0000 has written it: scoreboard SB2 "
                      "was never waited for"),
            std::string::npos)
      << text;
  EXPECT_NE(violation({{stalled(load, 2)}, {waits(add(6, 4), 1)}}), "");
}

TEST(Scoreboards, RiseACycleAfterIssue) {
  const Instruction load = writes(memory(Opcode::kLds, 4, 5), 2);
  EXPECT_NE(violation({{stalled(load, 1)}, {waits(add(6, 4), 2)}}), "");
  EXPECT_EQ(violation({{stalled(load, 1)}, {stalled(make(Opcode::kNop), 1)}, {waits(add(6, 4), 2)}}), "");
}

TEST(Scoreboards, OfTheLastLoadOfABatchTellOfAll) {
  const auto batch = [](Opcode opcode) {
    return violation(
        {{stalled(memory(opcode, 4, 5), 2)}, {stalled(writes(memory(opcode, 6, 5), 0), 2)}, {waits(add(8, 4), 0)}});
  };
  EXPECT_EQ(batch(Opcode::kLds), "");
  EXPECT_NE(batch(Opcode::kLdg), "");  // global memory answers in any order
  const auto move = [](int d) { return make(Opcode::kMovm, d, reg(d)); };
  EXPECT_EQ(violation({{stalled(move(20), 4)}, {stalled(writes(move(21), 1), 4)}, {waits(add(8, 20), 1)}}), "");
  const Instruction query = writes(memory(Opcode::kQspc, isa::kRegisterZero, 2), 5);  // answered by the same unit
  EXPECT_EQ(violation({{stalled(memory(Opcode::kLds, 4, 5), 2)}, {stalled(query, 2)}, {waits(add(8, 4), 5)}}), "");
}

TEST(Scoreboards, OfAShuffleTellOfTheLoadBeforeIt) {
  const Instruction shuffle = writes(make(Opcode::kShfl, 8, reg(9)), 2);
  const Step load{stalled(memory(Opcode::kLds, 4, 5), 2)};
  EXPECT_EQ(violation({load, {stalled(shuffle, 2)}, {waits(add(6, 4), 2)}}), "");
  EXPECT_NE(violation({{stalled(shuffle, 2)}, load, {waits(add(6, 4), 2)}}), "");
}

TEST(Scoreboards, HoldWhoOverwrites) {
  const Instruction store = stalled(reads(memory(Opcode::kStg, 255, 4, 5), 3), 2);
  EXPECT_EQ(violation({{store}, {waits(add(5, 20), 3)}}), "");
  EXPECT_NE(violation({{store}, {add(5, 20)}}).find("overwrites R5 before"), std::string::npos);
  const Instruction load = stalled(writes(memory(Opcode::kLdg, 4, 8), 1), 2);
  EXPECT_NE(violation({{load}, {add(4, 20)}}).find("has written it"), std::string::npos);
  EXPECT_NE(violation({{load}, {add(8, 20)}}).find("has read it"), std::string::npos);
  EXPECT_EQ(violation({{load}, {waits(add(8, 20), 1)}}), "");
}

// ptxas branches on it as soon as the sources have been read; the value comes with the other scoreboard.
TEST(Scoreboards, OfThePredicateOfAGenericAtomic) {
  Instruction atomic = writes(reads(memory(Opcode::kAtom, 4, 2, 6), 1), 5);
  atomic.dest_predicate0 = 0;
  const auto path = [&](const Instruction& last) { return violation({{stalled(atomic, 2)}, {last}}); };
  EXPECT_EQ(path(guarded(waits(add(9, 8), 1), 0)), "");
  EXPECT_EQ(path(guarded(waits(add(9, 8), 5), 0)), "");
  EXPECT_NE(path(guarded(waits(add(9, 8), 2), 0)), "");
  EXPECT_NE(path(waits(add(9, 4), 1)), "");
  atomic.opcode = Opcode::kAtomg;  // whose predicate would be part of the result
  EXPECT_NE(path(guarded(waits(add(9, 8), 1), 0)), "");
}

TEST(Scoreboards, AreDrainedByDepbarFourCyclesLater) {
  const Instruction load = stalled(writes(memory(Opcode::kLdg, 4, 8), 0), 2);
  EXPECT_EQ(violation({{load}, {stalled(drain(0, 0), 4)}, {add(6, 4)}}), "");
  EXPECT_NE(violation({{load}, {stalled(drain(0, 0), 3)}, {add(6, 4)}}), "");
  EXPECT_NE(violation({{load}, {stalled(drain(0, 1), 4)}, {add(6, 4)}}), "");
}

TEST(Scoreboards, OfAChainAreCountedByDepbar) {
  const auto chained = [](int d) {
    Instruction i = writes(stalled(make(Opcode::kDmma, d, reg(60), reg(62), reg(d)), 1), 5);
    i.sm = 90;
    i.mma.m = 8;
    i.mma.k = 4;
    return Step{i};
  };
  const auto first_again = [&](int left, int stall) {
    return violation({chained(4), chained(8), chained(12), {stalled(drain(5, left), stall)}, chained(4)});
  };
  EXPECT_EQ(first_again(2, 4), "");
  EXPECT_NE(first_again(3, 4), "");
  EXPECT_NE(first_again(2, 3), "");
  // A scoreboard that conversions share tells nothing of which of them is left.
  const Step other{writes(stalled(make(Opcode::kI2f, 20, {}, reg(21)), 2), 5)};
  EXPECT_NE(violation({chained(4), chained(8), other, {stalled(drain(5, 1), 4)}, chained(4)}), "");
}

TEST(FixedLatency, OfReadsThatADoubleOverwrites) {
  Instruction product = make(Opcode::kDfma, 4, reg(10), reg(12), reg(14));
  product.sm = 80;
  product.control.write_scoreboard = 0;
  EXPECT_EQ(violation({{stalled(multiply(9, 4), 1)}, {product}}), "");
  Instruction conversion = writes(make(Opcode::kI2f, 4, {}, reg(21)), 0);
  EXPECT_NE(violation({{stalled(multiply(9, 4), 1)}, {conversion}}), "");
}

TEST(Lanes, OfDifferentPathsDoNotMeet) {
  const Instruction load = stalled(writes(memory(Opcode::kLdg, 4, 8), 1), 2);
  EXPECT_EQ(violation({{load, 0x0000ffff}, {add(6, 4), 0xffff0000}}), "");
  EXPECT_NE(violation({{load, 0x0001ffff}, {add(6, 4), 0xffff0000}}), "");
  EXPECT_EQ(violation({{load, 0}, {add(6, 4)}}), "");  // no lane loads
}

}  // namespace
}  // namespace stc::dependence
