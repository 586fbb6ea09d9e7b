// SPDX-License-Identifier: Apache-2.0
// What an asynchronous copy moves when its copy predicate is false: zeros into shared memory, nothing from L2.
#include <gtest/gtest.h>

#include <numeric>

#include "validation/timing/kernel_builder.h"

namespace stc::timing {
namespace {

isa::Instruction copy(bool guard) {
  isa::Instruction instruction;
  instruction.opcode = isa::Opcode::kLdgsts;
  instruction.mem.shared_register = 2;
  instruction.mem.address_register = 4;
  instruction.mem.address_64bit = true;
  instruction.mem.bytes = 16;
  instruction.mem.bypass_l1 = true;
  instruction.source_predicate0.index = 0;  // P0 starts out false
  instruction.guard.index = guard ? isa::kPredicateTrue : 0;
  return instruction;
}

gpu::RunStatistics run(bool guard, int copies) {
  KernelBuilder k(8);
  k.add(lane_id(2), stall(15)).add(shift_left(2, 2, 4), stall(15));
  for (int i = 0; i < copies; ++i) k.add(copy(guard), stall(2));
  return k.exit().run(gpu_without_fetch(), {});
}

std::uint64_t shared_written(const gpu::RunStatistics& run) {
  const auto& write = run.total.shared.write;
  return std::accumulate(write.begin(), write.end(), std::uint64_t{0});
}

TEST(AsyncCopy, AFalseCopyPredicateWritesRowsAndAsksForNoSector) {
  const gpu::RunStatistics zeros = run(true, 3);
  EXPECT_EQ(shared_written(zeros), 3u * 32 * 16);
  EXPECT_EQ(zeros.total.l2_sectors, 0u);
}

TEST(AsyncCopy, AFalseGuardWritesNothing) {
  const gpu::RunStatistics nothing = run(false, 3);
  EXPECT_EQ(shared_written(nothing), 0u);
  EXPECT_EQ(nothing.total.l2_sectors, 0u);
}

}  // namespace
}  // namespace stc::timing
