// SPDX-License-Identifier: Apache-2.0
// The words of mbarrier objects. sm_90: those that an H200 wrote back after each operation (mbarrier.inval). sm_80:
// what the code that nvcc makes of initialisation, waiting and pending counts takes them for.
#include "models/isa/state/mbarrier.h"

#include "models/isa/values/copy_arrival.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

constexpr std::uint64_t start(int sm, std::uint64_t n) {
  return sm >= 90 ? (0x100000 - n) << 43 | (0x100000 - n) << 1 : (0x80000000 - n) << 32 | (0x40000000 - n);
}

/// Operations in order, each with the word after it.
class Steps {
 public:
  Steps(int sm, std::uint64_t n) : barrier_(sm, start(sm, n)) {}
  void arrive(std::uint64_t count, std::uint64_t word, bool leaves = false) { apply({count, 0, leaves}, word); }
  void expect(std::int64_t bytes, std::uint64_t word) { apply({0, bytes, false}, word); }
  void apply(const MbarrierUpdate& update, std::uint64_t word) {
    ASSERT_EQ(barrier_.apply(update), nullptr);
    EXPECT_EQ(barrier_.word(), word) << std::hex << barrier_.word();
  }
  Mbarrier& barrier() { return barrier_; }

 private:
  Mbarrier barrier_;
};

TEST(MbarrierWord, CountsArrivalsAndFlipsItsPhase) {
  Steps five(90, 5);
  EXPECT_EQ(five.barrier().word(), 0x7fffd800001ffff6u);
  five.arrive(1, 0x7fffe000001ffff6);
  five.arrive(2, 0x7ffff000001ffff6);
  five.expect(64, 0x7ffff3fff81ffff6);
  five.expect(-64, 0x7ffff000001ffff6);
  five.arrive(1, 0x7ffff800001ffff6);
  five.arrive(1, 0xffffd800001ffff6);
  Steps most(90, 0xfffff);
  EXPECT_EQ(most.barrier().word(), 0x0000080000000002u);
  most.arrive(0xfffff, 0x8000080000000002);
}

TEST(MbarrierWord, WaitsForBytesOnTheirWay) {
  Steps one(90, 1);
  one.expect(1, 0x7ffffbfffffffffe);
  one.expect(0x1000, 0x7ffffbfdfffffffe);
  one.arrive(1, 0x000003fdfffffffe);
  one.expect(-0x1000, 0x000003fffffffffe);
  one.expect(-1, 0xfffff800001ffffe);
  Steps early(90, 1);  // bytes come before they are expected
  early.expect(-256, 0x7ffff800201ffffe);
  early.arrive(1, 0x00000000201ffffe);
  early.expect(256, 0xfffff800001ffffe);
  Steps together(90, 1);
  together.apply({1, 256, false}, 0x000003ffe01ffffe);
  Steps many(90, 8);
  many.expect(0x80000, 0x7fffc300001ffff0);
  many.expect(0x7ffff, 0x7fffc200003ffff0);
  EXPECT_NE(many.barrier().apply({0, 1, false}), nullptr);
}

TEST(MbarrierWord, WhoLeavesIsNotExpectedAgain) {
  Steps four(90, 4);
  four.arrive(1, 0x7fffe800001ffffa, true);
  four.arrive(2, 0x7ffff800001ffffe, true);
  four.arrive(1, 0xfffff800001ffffe);
  four.arrive(1, 0x7ffff800001ffffe);
  Steps two(90, 2);
  two.apply({1, 32, true}, 0x7ffffbfffc1ffffe);
  two.arrive(1, 0x000003fffc1ffffe);
  two.expect(-32, 0xfffff800001ffffe);
  Steps last(90, 1);
  last.arrive(1, 0x8000000000000000, true);
}

TEST(MbarrierWord, MoreArrivalsThanArePendingAreAnError) {
  Mbarrier barrier(90, start(90, 20));
  EXPECT_NE(barrier.apply({32, 0, false}), nullptr);
  EXPECT_EQ(barrier.word(), start(90, 20));
  EXPECT_EQ(barrier.apply({20, 0, false}), nullptr);
  EXPECT_TRUE(barrier.phase());
}

TEST(MbarrierWord, OfSm80CountsInTheUpperHalf) {
  Steps three(80, 3);
  three.arrive(1, 0x7ffffffe3ffffffd);
  three.arrive(2, 0xfffffffd3ffffffd);
  EXPECT_EQ(three.barrier().pending(), 3u);
  three.arrive(3, 0x7ffffffd3ffffffd);
  // A thread that leaves first raises the lower half (ATOMS.POPC.INC), then arrives.
  Mbarrier left(80, start(80, 2) + 1);
  EXPECT_EQ(left.apply({2, 0, false}), nullptr);
  EXPECT_EQ(left.pending(), 1u);
}

TEST(Mbarrier, CopiesArriveAtOnceWhereNothingTakesTime) {
  Machine m;
  m.kernel.sm_version = 80;
  const std::uint64_t word = start(80, 40);
  std::memcpy(&m.cta.shared[64], &word, sizeof word);
  Instruction i = make(Opcode::kArrives);
  i.sm = 80;
  i.mem.offset = 64;
  i.mem.bytes = 8;
  m.run(i);
  std::uint64_t after;
  std::memcpy(&after, &m.cta.shared[64], sizeof after);
  EXPECT_EQ(Mbarrier(80, after).pending(), 8u);
  EXPECT_NE(fault_of(m, i).find("more arrivals than are pending"), std::string::npos);
}

TEST(Mbarrier, LaterCopiesArriveWhenTheCallerSays) {
  Machine m;
  m.kernel.sm_version = 90;
  m.context.copies_take_time = true;
  const std::uint64_t word = start(90, 32);
  std::memcpy(&m.cta.shared[8], &word, sizeof word);
  Instruction i = make(Opcode::kArrives);
  i.mem.offset = 8;
  i.mem.bytes = 8;
  const ExecuteResult& result = m.run(i);
  ASSERT_TRUE(result.arrives_after_copies);
  EXPECT_EQ(std::memcmp(&m.cta.shared[8], &word, sizeof word), 0);
  EXPECT_TRUE(complete_copy_arrival(m.cta, m.kernel, result.copy_arrival));
  EXPECT_NE(std::memcmp(&m.cta.shared[8], &word, sizeof word), 0);
}

/// Lanes 0..3 wait at PHASECHK, the others stand elsewhere.
struct Waiting : Machine {
  explicit Waiting(std::uint16_t variant) {
    kernel.sm_version = 90;
    const std::uint64_t word = start(90, 1);
    std::memcpy(cta.shared.data() + 64, &word, sizeof word);
    check = make(Opcode::kSyncsPhase);
    check.mem.address_register = 0;
    check.mem.bytes = 8;
    check.mod.variant = variant;
    check.dest_predicate0 = 0;
    check.b = reg(1);
    set(0, 64);
    set(1, 0);  // waits for the end of the first phase
    warp.pc = 0x100;
    warp.active = 0xf;
    Path others;
    others.pc = 0x200;
    others.lanes = ~0xfu;
    warp.waiting.push_back(others);
  }
  Instruction check;
};

TEST(PhaseCheck, LetsOtherPathsOfTheWarpArriveFirst) {
  Waiting waits(1);
  EXPECT_TRUE(phase_wait_over(waits.check, waits.warp, waits.kernel));  // is not suspended
  waits.run(waits.check);
  EXPECT_EQ(waits.warp.pc, 0x200u);
  EXPECT_EQ(waits.warp.active, ~0xfu);
  ASSERT_EQ(waits.warp.waiting.size(), 1u);
  EXPECT_EQ(waits.warp.waiting[0].pc, 0x100u);  // and comes again

  Waiting asks(0);
  asks.run(asks.check);
  EXPECT_EQ(asks.warp.active, 0xfu);
}

}  // namespace
}  // namespace stc::isa
