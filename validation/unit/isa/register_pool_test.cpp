// SPDX-License-Identifier: Apache-2.0
// Registers that warps give back to their CTA and take from it (setmaxnreg).
#include <gmock/gmock.h>

#include <utility>

#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using testing::HasSubstr;

TEST(RegisterPool, WhatOneWarpGivesBackAnotherTakes) {
  Machine m;
  m.kernel.sm_version = 90;
  Instruction in;
  in.opcode = Opcode::kUsetmaxreg;
  const auto set = [&](int mode, std::uint32_t registers) {
    in.mod.variant = static_cast<std::uint16_t>(mode);
    in.b.kind = Operand::Kind::kImmediate;
    in.b.value = registers;
    in.dest_predicate0 = mode == 1 ? kPredicateTrue : 2;
    return fault_of(m, in);
  };
  m.set(7, 77);
  EXPECT_EQ(set(2, 40), "");
  EXPECT_FALSE(m.warp.up[2]);  // nobody has given any back
  EXPECT_EQ(m.warp.r.size(), 32u);
  EXPECT_EQ(set(1, 24), "");
  EXPECT_EQ(m.warp.r.size(), 24u);
  EXPECT_EQ(m.cta.pooled_registers, (std::array<int, 4>{8, 0, 0, 0}));
  WarpState other(32);
  start_warp(other, m.kernel, m.cta, 1);
  std::swap(m.warp, other);
  EXPECT_EQ(set(2, 40), "");
  EXPECT_FALSE(m.warp.up[2]);  // of another sub-core
  m.warp.index_in_cta = 4;
  EXPECT_EQ(set(2, 48), "");
  EXPECT_FALSE(m.warp.up[2]);
  EXPECT_EQ(set(2, 40), "");
  EXPECT_TRUE(m.warp.up[2]);
  EXPECT_EQ(m.warp.r.size(), 40u);
  EXPECT_EQ(m.cta.pooled_registers, (std::array<int, 4>{}));
  std::swap(m.warp, other);
  EXPECT_EQ(m.get(7), 77u);
  EXPECT_THAT(set(1, 32), HasSubstr("gives registers back and would have 32 after 24"));
  EXPECT_THAT(set(2, 36), HasSubstr("36 registers are no multiple of 8 up to 256"));
}

}  // namespace
}  // namespace stc::isa
