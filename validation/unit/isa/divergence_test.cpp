// SPDX-License-Identifier: Apache-2.0
// Small programs whose lanes part and meet again.
#include <algorithm>

#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

Instruction guarded(Instruction i, int p, bool negate = false) {
  i.guard = pred(p, negate);
  return i;
}
Instruction branch(int target) {  // index of an instruction
  Instruction i = make(Opcode::kBra);
  i.target = static_cast<u32>(target) * kInstructionBytes;
  return i;
}
Instruction bssy(int barrier, int target) {
  Instruction i = branch(target);
  i.opcode = Opcode::kBssy;
  i.mod.barrier = static_cast<std::uint8_t>(barrier);
  return i;
}
Instruction at_barrier(Opcode opcode, int barrier) {
  Instruction i = make(opcode);
  i.mod.barrier = static_cast<std::uint8_t>(barrier);
  return i;
}
Instruction bsync(int barrier) { return at_barrier(Opcode::kBsync, barrier); }
Instruction exit_now() { return make(Opcode::kExit); }
/// R[r] += value.
Instruction add(int r, u32 value) { return make(Opcode::kIadd3, r, reg(r), imm(value), rz()); }
/// P[p] = R[r] < bound.
Instruction less(int p, int r, Operand bound) {
  Instruction i = make(Opcode::kIsetp, kRegisterZero, reg(r), bound);
  i.mod.compare = Compare::kLt;
  i.dest_predicate0 = static_cast<std::uint8_t>(p);
  return i;
}

class Program : public ::testing::Test {
 protected:
  /// R0 holds the lane number; runs until the warp ends and notes how many lanes executed each instruction together.
  void run(std::vector<Instruction> code, int limit = 100000) {
    for (std::size_t i = 0; i < code.size(); ++i) code[i].address = static_cast<u32>(i * kInstructionBytes);
    m.set_lanes(0, 0, 1);
    seen.assign(code.size(), {});
    order.clear();
    m.warp.pc = 0;
    m.warp.live = m.warp.active = 0xffffffffu;
    for (int n = 0; n < limit; ++n) {
      const std::size_t at = m.warp.pc / kInstructionBytes;
      ASSERT_LT(at, code.size());
      execute(code[at], m.warp, m.context, m.result);
      seen[at].push_back(m.result.lanes);
      order.push_back(at);
      barriers += m.result.barrier ? 1 : 0;
      if (m.result.exited) return;
    }
    FAIL() << "the program did not end";
  }
  Machine m;
  std::vector<std::vector<LaneMask>> seen;
  std::vector<std::size_t> order;  ///< instructions as they were executed
  int barriers = 0;
};

TEST_F(Program, BothSidesOfAnIfMeetAtBsync) {
  run({less(0, 0, imm(10)), bssy(0, 6), guarded(branch(5), 0), add(4, 100), branch(6), add(4, 1), bsync(0), add(5, 7),
       exit_now()});
  EXPECT_EQ(seen[3], std::vector<LaneMask>{0xfffffc00});
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0x000003ff});
  EXPECT_EQ(seen[7], std::vector<LaneMask>{0xffffffff});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(4, lane), lane < 10 ? 1u : 100u);
}

TEST_F(Program, NestedRegionsMeetInsideOut) {
  run({bssy(0, 12),                   // 0
       less(0, 0, imm(16)),           // 1
       guarded(branch(11), 0, true),  // 2: lanes 16..31 leave
       bssy(1, 8),                    // 3
       less(1, 0, imm(4)),            // 4
       guarded(branch(7), 1),         // 5
       add(4, 10),                    // 6: lanes 4..15
       add(5, 1),                     // 7: lanes 0..3 come here too, apart
       bsync(1),                      // 8
       add(6, 1),                     // 9: lanes 0..15 together
       branch(12),                    // 10
       add(4, 20),                    // 11: lanes 16..31
       bsync(0),                      // 12
       add(7, 1),                     // 13: all together
       exit_now()});
  EXPECT_EQ(seen[7].size(), 2u);
  EXPECT_EQ(seen[9], std::vector<LaneMask>{0x0000ffff});
  EXPECT_EQ(seen[13], std::vector<LaneMask>{0xffffffff});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(4, lane), lane < 4 ? 0u : lane < 16 ? 10u : 20u);
}

TEST_F(Program, LoopsWithTripCountsPerLane) {
  run({bssy(0, 4), add(4, 1), less(0, 4, reg(0)), guarded(branch(1), 0), bsync(0), add(5, 1), exit_now()});
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0xffffffff});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(4, lane), lane == 0 ? 1u : static_cast<u32>(lane));
}

TEST_F(Program, ExitedLanesAreNotWaitedFor) {
  run({bssy(0, 4), less(0, 0, imm(31)), guarded(branch(4), 0), exit_now(), bsync(0), add(4, 1), exit_now()});
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0x7fffffff});
  EXPECT_EQ(m.get(4, 31), 0u);
}

TEST_F(Program, LanesThatExitLaterAreNotWaitedForEither) {
  // Lanes 8..31 already wait at B0 when the others exit inside the region.
  run({bssy(0, 5), less(0, 0, imm(8)), guarded(branch(4), 0), branch(5), exit_now(), bsync(0), add(4, 1), exit_now()});
  EXPECT_EQ(seen[4], std::vector<LaneMask>{0x000000ff});
  EXPECT_EQ(seen[6], std::vector<LaneMask>{0xffffff00});
}

TEST_F(Program, ASpinningPathGivesWay) {
  // Lanes 1..31 spin until lane 0, which is not running, has stored to shared memory.
  Instruction load = make(Opcode::kLds, 6);
  load.mem.address_register = 5;
  Instruction store = make(Opcode::kSts);
  store.mem.address_register = 5;
  store.mem.data_register = 7;
  m.set(7, 1);
  run({less(0, 0, imm(1)), guarded(branch(6), 0),                    // 0, 1
       load, less(1, 6, imm(1)), guarded(branch(2), 1), exit_now(),  // 2..5: spin while it is zero
       store, exit_now()});                                          // 6, 7: lane 0
  EXPECT_EQ(seen[6], std::vector<LaneMask>{1});
}

TEST_F(Program, GuardedExitEndsSomeLanes) {
  run({less(0, 0, imm(8)), guarded(exit_now(), 0), add(4, 1), exit_now()});
  EXPECT_EQ(seen[2], std::vector<LaneMask>{0xffffff00});
  EXPECT_TRUE(m.warp.exited());
}

TEST_F(Program, BreakLeavesTheRegion) {
  // Lanes below 8 break out of B0 and go on alone; the others meet without them.
  run({bssy(0, 5), less(0, 0, imm(8)), guarded(at_barrier(Opcode::kBreak, 0), 0), guarded(branch(7), 0), add(4, 1),
       bsync(0), add(5, 1), add(6, 1), exit_now()});
  EXPECT_EQ(seen[6], std::vector<LaneMask>{0xffffff00});
  EXPECT_EQ(m.get(6, 0), 1u);
}

TEST_F(Program, TheSideOfFewerLanesRunsFirst) {
  for (const u32 bound : {15u, 16u, 17u}) {
    run({less(0, 0, imm(bound)), bssy(0, 6), guarded(branch(5), 0), add(4, 1), branch(6), add(4, 2), bsync(0),
         exit_now()});
    EXPECT_EQ(order[3], bound == 15 ? 5u : 3u) << bound;
  }
}

TEST_F(Program, AYieldedPathIsNotWaitedFor) {
  // Lanes 0..2 yield inside the region; the others pass its end without them.
  run({bssy(0, 6), less(0, 0, imm(3)), guarded(branch(4), 0), branch(6), make(Opcode::kYield), add(4, 1), bsync(0),
       add(5, 1), exit_now()});
  EXPECT_EQ(seen[7], (std::vector<LaneMask>{0xfffffff8, 0x00000007}));
}

TEST_F(Program, LanesWhoseBarrierOpensByAYieldExecuteBsyncAgain) {
  // Lanes 0..2 wait at BSYNC until the others yield.
  run({bssy(0, 6), less(0, 0, imm(3)), guarded(branch(6), 0), make(Opcode::kYield), add(4, 1), make(Opcode::kNop),
       bsync(0), add(5, 1), exit_now()});
  EXPECT_EQ(seen[6], (std::vector<LaneMask>{0x00000007, 0x00000007, 0xfffffff8}));
  EXPECT_EQ(seen[7], (std::vector<LaneMask>{0x00000007, 0xfffffff8}));
}

TEST_F(Program, CallAndReturnPerLane) {
  // Lanes call a function from two places; the return address in R20 decides where each goes on.
  Instruction call = branch(10);
  call.opcode = Opcode::kCall;
  const auto from = [](int index) {
    return make(Opcode::kMov, 20, {}, imm(static_cast<u32>(index * kInstructionBytes)));
  };
  run({bssy(0, 8), less(0, 0, imm(5)), guarded(branch(6), 0), from(5), call,  // 0..4: lanes 5..31
       branch(8),                                                             // 5
       from(8), call,                                                         // 6, 7: lanes 0..4
       bsync(0), exit_now(),                                                  // 8, 9
       add(4, 1), make(Opcode::kRet, kRegisterZero, reg(20))});               // 10, 11: the function
  EXPECT_EQ(seen[10].size(), 2u);
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0xffffffe0});
  EXPECT_EQ(seen[9], std::vector<LaneMask>{0xffffffff});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(4, lane), 1u);
}

TEST_F(Program, OneReturnInstructionSendsLanesToDifferentCallers) {
  for (u32 lane = 0; lane < 32; ++lane) m.warp.r[20][lane] = (lane % 2 == 0 ? 2u : 4u) * kInstructionBytes;
  run({bssy(0, 5), make(Opcode::kRet, kRegisterZero, reg(20)), add(4, 1), branch(5), add(4, 2), bsync(0), exit_now()});
  EXPECT_EQ(seen[6], std::vector<LaneMask>{0xffffffff});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(4, lane), lane % 2 == 0 ? 1u : 2u);
}

TEST_F(Program, IndirectBranchTableMakesAPathPerTarget) {
  Instruction table = make(Opcode::kBrx, kRegisterZero, reg(1));
  m.set(1, 0);
  for (u32 lane = 0; lane < 32; ++lane) m.warp.r[1][lane] = (lane % 3) * 2 * kInstructionBytes;
  table.target = 2 * kInstructionBytes;
  run({bssy(0, 8), table, add(4, 1), branch(8), add(4, 2), branch(8), add(4, 3), branch(8), bsync(0), add(5, 1),
       exit_now()});
  EXPECT_EQ(seen[9], std::vector<LaneMask>{0xffffffff});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(4, lane), static_cast<u32>(lane % 3 + 1));
}

TEST_F(Program, WarpsyncBringsLanesTogether) {
  Instruction sync = make(Opcode::kWarpsync, kRegisterZero, {}, imm(0xffffffff));
  run({less(0, 0, imm(3)), guarded(branch(3), 0), add(4, 1), sync, add(5, 1), exit_now()});
  EXPECT_EQ(seen[4], std::vector<LaneMask>{0xffffffff});
}

TEST_F(Program, ADivergedWarpArrivesOnceAtACtaBarrier) {
  Instruction bar = make(Opcode::kBar, kRegisterZero, imm(0));
  run({less(0, 0, imm(3)), guarded(branch(3), 0), add(4, 1), bar, add(5, 1), exit_now()});
  EXPECT_EQ(barriers, 1);
  EXPECT_EQ(seen[4], std::vector<LaneMask>{0xffffffff});
}

/// Forms of nvcc for id and count: registers, constants, one of each. A register for both holds both.
TEST_F(Program, OneRegisterNamesTheBarrierAndItsThreads) {
  struct Form {
    Operand id, threads;
    u32 expected_id, expected_threads;
  };
  m.set(1, 64u << 16 | 5), m.set(2, 7), m.set(3, 96);
  for (const Form& form :
       {Form{reg(1), reg(1), 5, 64}, {reg(2), {}, 7, 0}, {reg(2), imm(32), 7, 32}, {imm(3), reg(3), 3, 96}}) {
    for (const BarMode mode : {BarMode::kSync, BarMode::kArrive, BarMode::kReduce}) {
      Instruction bar = make(Opcode::kBar, kRegisterZero, form.id, form.threads);
      bar.mod.bar = mode;
      m.run(bar);
      EXPECT_EQ(m.result.barrier_id, form.expected_id);
      EXPECT_EQ(m.result.barrier_threads, form.expected_threads);
      EXPECT_EQ(m.result.barrier_arrive_only, mode == BarMode::kArrive);
    }
  }
  m.set(1, 64u << 16 | 16);
  EXPECT_NE(fault_of(m, make(Opcode::kBar, kRegisterZero, reg(1), reg(1))).find("barrier 16 of 0..15"),
            std::string::npos);
}

TEST_F(Program, ABarrierOpensWhenTheOtherLanesHaveExited) {
  // Lanes 0..2 come first and wait until the others are gone.
  for (const bool of_the_cta : {true, false}) {
    barriers = 0;
    Instruction meet = make(of_the_cta ? Opcode::kBar : Opcode::kWarpsync, kRegisterZero, imm(0), {});
    if (!of_the_cta) meet = make(Opcode::kWarpsync, kRegisterZero, {}, imm(0xffffffff));
    run({less(0, 0, imm(3)), guarded(branch(3), 0), exit_now(), meet, add(5, 1), exit_now()});
    EXPECT_EQ(seen[4], std::vector<LaneMask>{0x00000007});
    EXPECT_EQ(barriers, of_the_cta ? 1 : 0);
  }
}

TEST_F(Program, LanesMeetAcrossTheExitOfOthers) {
  // Lanes 0..2 wait at the barrier, 3 and 4 exit, the rest comes to the same barrier afterwards.
  for (const bool of_the_cta : {true, false}) {
    barriers = 0;
    const Instruction meet = of_the_cta ? make(Opcode::kBar, kRegisterZero, imm(0), {})
                                        : make(Opcode::kWarpsync, kRegisterZero, {}, imm(0xffffffff));
    run({less(0, 0, imm(3)), guarded(branch(4), 0), less(1, 0, imm(5)), guarded(exit_now(), 1), meet, add(5, 1),
         exit_now()});
    EXPECT_EQ(seen[5], std::vector<LaneMask>{0xffffffe7});
    EXPECT_EQ(barriers, of_the_cta ? 1 : 0);
  }
}

TEST_F(Program, WhoWaitsForTheWarpKeepsNobodyAtBsync) {
  // Lanes 0..2 leave the region for WARPSYNC without BREAK, as code that nvcc makes of a return in a loop does.
  const Instruction meet = make(Opcode::kWarpsync, kRegisterZero, {}, imm(0xffffffff));
  run({less(0, 0, imm(3)), bssy(0, 3), guarded(branch(5), 0), bsync(0), add(4, 1), meet, add(5, 1), exit_now()});
  EXPECT_EQ(seen[4], std::vector<LaneMask>{0xfffffff8});
  EXPECT_EQ(seen[6], std::vector<LaneMask>{0xffffffff});
}

TEST_F(Program, BranchIfDiverged) {
  Instruction diverged = branch(5);
  diverged.mod.variant = 2;
  diverged.b = negated(uniform(kUniformZero));  // all lanes
  run({diverged, less(0, 0, imm(3)), guarded(branch(3), 0), diverged, exit_now(), add(4, 1), exit_now()});
  EXPECT_EQ(seen[0].size(), 1u);                          // together: not taken
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0x00000007});  // the others are elsewhere: taken
  EXPECT_EQ(seen[4], std::vector<LaneMask>{0xfffffff8});  // lanes 0..2 have exited: not taken
}

TEST_F(Program, AGuardSaysWhichLanesCountAsThereIfDiverged) {
  // P0 in lanes 0..3: a guarded BRA.DIV takes them for those that are there; all lanes go the same way.
  Instruction diverged = guarded(branch(5), 0);
  diverged.mod.variant = 2;
  diverged.b = imm(0x000000ff);
  Instruction converged = guarded(branch(4), 0);
  converged.mod.variant = 3;
  converged.b = imm(0x0000000f);
  run({less(0, 0, imm(4)), diverged, exit_now(), exit_now(), exit_now(), converged, exit_now()});
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0x0000000f});  // lanes that executed; all have come
  EXPECT_EQ(seen[4], std::vector<LaneMask>{0xffffffff});
}

TEST_F(Program, AFalseGuardIsNoDivergence) {
  Instruction diverged = guarded(branch(3), 0);
  diverged.mod.variant = 2;
  diverged.b = imm(0xffffffff);
  run({diverged, exit_now(), exit_now(), exit_now()});
  EXPECT_EQ(seen[1], std::vector<LaneMask>{0xffffffff});
}

Instruction warpsync(int mode, int masks, int target = 0) {
  Instruction i = branch(target);
  i.opcode = Opcode::kWarpsync;
  i.mod.variant = static_cast<std::uint16_t>(mode);
  i.b = reg(masks);
  return i;
}
constexpr int kMask = 0, kCollective = 2, kExclusive = 3;

TEST_F(Program, ExclusiveGroupsPassOneByOne) {
  for (std::size_t lane = 0; lane < 32; ++lane) m.warp.r[1][lane] = lane % 4 == 3 ? 0x88888888u : 0x77777777u;
  run({bssy(0, 4), warpsync(kExclusive, 1), add(4, 1), bsync(0), add(5, 1), exit_now()});
  std::vector<LaneMask> groups = seen[2];
  std::sort(groups.begin(), groups.end());
  EXPECT_EQ(groups, (std::vector<LaneMask>{0x77777777, 0x88888888}));
  EXPECT_EQ(seen[3].size(), 2u);
  EXPECT_EQ(seen[4], std::vector<LaneMask>{0xffffffff});
}

TEST_F(Program, LanesOfDifferentMasksStayTogetherWhenNobodyIsMissing) {
  m.set_lanes(1, 0, 0);
  for (std::size_t lane = 0; lane < 32; ++lane) m.warp.r[1][lane] = 1u << lane;
  run({warpsync(kMask, 1), add(4, 1), exit_now()});
  EXPECT_EQ(seen[1], std::vector<LaneMask>{0xffffffff});
}

TEST_F(Program, ACollectiveGathersLanesFromTwoPlacesAndSendsThemBack) {
  m.set(1, 0xffffffff);
  const Instruction end = make(Opcode::kEndcollective);
  run({less(0, 0, imm(3)), guarded(branch(6), 0), warpsync(kCollective, 1, 5), add(4, 1), end,
       exit_now(),                                                 // lanes 3 and up
       warpsync(kCollective, 1, 9), add(4, 1), end, exit_now()});  // lanes 0 to 2
  std::vector<LaneMask> together = seen[3];
  together.insert(together.end(), seen[7].begin(), seen[7].end());
  EXPECT_EQ(together, std::vector<LaneMask>{0xffffffff});
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0xfffffff8});
  EXPECT_EQ(seen[9], std::vector<LaneMask>{0x00000007});
}

TEST_F(Program, EachFurtherGroupOfACollectiveComesToItAgain) {
  for (std::size_t lane = 0; lane < 32; ++lane) m.warp.r[1][lane] = 0x11111111u << (lane % 4);
  const Instruction end = make(Opcode::kEndcollective);
  run({bssy(0, 4), warpsync(kCollective, 1, 4), add(4, 1), end, bsync(0), exit_now()});
  EXPECT_EQ(seen[1].size(), 4u);  // the whole warp, then three of its four groups
  EXPECT_EQ(seen[1][0], 0xffffffffu);
  EXPECT_EQ(seen[2].size(), 4u);
  EXPECT_EQ(seen[5], std::vector<LaneMask>{0xffffffff});
}

TEST_F(Program, BarrierRegistersMoveThroughGeneralOnes) {
  Instruction save = at_barrier(Opcode::kBmov, 0), restore = save;
  save.dest = 20;
  save.mod.variant = 1;
  restore.mod.variant = 2;
  restore.b = reg(20);
  run({bssy(0, 7), save, bssy(0, 4), add(4, 1), bsync(0), restore, add(5, 1), bsync(0), exit_now()});
  EXPECT_EQ(m.get(20), 0xffffffffu);
  EXPECT_EQ(seen[8], std::vector<LaneMask>{0xffffffff});
}

TEST_F(Program, DeadlockInsideAWarpIsAFault) {
  // Lanes 0..2 wait at a WARPSYNC for lane 3, which waits for them at another one.
  const auto meet = [](std::uint32_t mask) { return make(Opcode::kWarpsync, kRegisterZero, {}, imm(mask)); };
  const std::vector<Instruction> code = {less(0, 0, imm(3)), guarded(branch(4), 0), meet(0xfffffffe),
                                         exit_now(),         meet(0x0000000f),      exit_now()};
  try {
    run(code);
    FAIL() << "no fault";
  } catch (const SimulatedFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("deadlock inside the warp"), std::string::npos) << fault.what();
  }
}

}  // namespace
}  // namespace stc::isa
