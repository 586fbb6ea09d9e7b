// SPDX-License-Identifier: Apache-2.0
// What an asynchronous copy moves when its copy predicate is false: zeros into shared memory, nothing from L2.
#include <gtest/gtest.h>

#include <numeric>

#include "validation/timing/kernel_builder.h"

namespace stc::timing {
namespace {

/// P0 = lane number in R3 < `lanes`.
isa::Instruction lanes_below(int lanes) {
  isa::Instruction instruction;
  instruction.opcode = isa::Opcode::kIsetp;
  instruction.a.kind = isa::Operand::Kind::kRegister;
  instruction.a.index = 3;
  instruction.b.kind = isa::Operand::Kind::kImmediate;
  instruction.b.value = static_cast<std::uint32_t>(lanes);
  instruction.mod.compare = isa::Compare::kLt;
  instruction.dest_predicate0 = 0;
  return instruction;
}

/// A copy of 16 bytes in the lanes of P0 whose copy predicate P1 is false.
isa::Instruction copy() {
  isa::Instruction instruction;
  instruction.opcode = isa::Opcode::kLdgsts;
  instruction.mem.shared_register = 2;
  instruction.mem.address_register = 4;
  instruction.mem.address_64bit = true;
  instruction.mem.bytes = 16;
  instruction.mem.bypass_l1 = true;
  instruction.guard.index = 0;
  instruction.source_predicate0.index = 1;
  return instruction;
}

/// Waits for all copies.
void add_fence(KernelBuilder& k) {
  isa::Instruction close, wait;
  close.opcode = isa::Opcode::kLdgdepbar;
  wait.opcode = isa::Opcode::kDepbar;
  isa::Control control = stall(2);
  control.write_scoreboard = 0;
  k.add(close, control).add(wait, stall(4));
}

class AsyncCopy : public testing::Test {
 protected:
  gpu::RunStatistics run(int lanes, int copies) {
    KernelBuilder k(8);
    isa::Control number = stall(2), waits = stall(15);
    number.write_scoreboard = 1;
    waits.wait_mask = 1u << 1;
    k.add(lane_id(3), number).add(shift_left(2, 3, 4), waits).add(lanes_below(lanes), stall(15));
    for (int i = 0; i < copies; ++i) k.add(copy(), stall(2));
    add_fence(k);
    return k.exit().run(machine_, {});
  }

 private:
  gpu::Machine machine_{"gpu", gpu_without_fetch()};
};

std::uint64_t shared_written(const gpu::RunStatistics& run) {
  const auto& write = run.total.shared.write;
  return std::accumulate(write.begin(), write.end(), std::uint64_t{0});
}

TEST_F(AsyncCopy, AFalseCopyPredicateWritesRowsAndAsksForNoSector) {
  for (const int lanes : {8, 16, 17, 32}) {
    const gpu::RunStatistics zeros = run(lanes, 3);
    EXPECT_EQ(shared_written(zeros), 3u * static_cast<unsigned>(lanes) * 16) << lanes;
    EXPECT_EQ(zeros.total.shared_wavefronts, 3u * static_cast<unsigned>((lanes + 7) / 8)) << lanes;
    EXPECT_EQ(zeros.total.copy_wavefronts, 0u);
    EXPECT_EQ(zeros.total.l2_sectors, 0u);
  }
}

TEST_F(AsyncCopy, RowsOfZerosTakeTheDataStage) {
  const auto interval = static_cast<std::uint64_t>(gpu_without_fetch().sm.lsu.own_wavefront_interval);
  EXPECT_EQ(run(32, 24).cycles - run(32, 16).cycles, 8 * 4 * interval);
}

TEST_F(AsyncCopy, AFalseGuardWritesNothing) {
  const gpu::RunStatistics nothing = run(0, 3);
  EXPECT_EQ(shared_written(nothing), 0u);
  EXPECT_EQ(nothing.total.l2_sectors, 0u);
}

}  // namespace
}  // namespace stc::timing
