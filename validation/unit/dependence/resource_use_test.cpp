// SPDX-License-Identifier: Apache-2.0
#include "models/isa/resource_use.h"

#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

/// "P1? R5 UR4 -> R8 P2": guards marked with a question mark.
std::string resources_of(const Instruction& i) {
  const ResourceUse use = resource_use(i);
  std::string s;
  for (const ResourceRead& read : use.reads) {
    s += resource_name(read.resource) + (read.slot == UseSlot::kGuard ? "? " : " ");
  }
  s += "->";
  for (const ResourceWrite& write : use.writes) s += " " + resource_name(write.resource);
  return s;
}

TEST(ResourceUse, OfVectorInstructions) {
  Instruction sum = make(Opcode::kIadd3, 4, reg(5), uniform(6), rz());
  sum.guard = pred(1);
  sum.source_predicate0 = pred(2);
  sum.dest_predicate0 = 3;
  EXPECT_EQ(resources_of(sum), "R5 UR6 P1? P2 -> R4 P3");
}

/// A uniform operand is as wide as a general one in its place.
TEST(ResourceUse, OfUniformOperands) {
  EXPECT_EQ(resources_of(make(Opcode::kDadd, 4, reg(6), uniform(8))), "R6 R7 UR8 UR9 -> R4 R5");
  EXPECT_EQ(resources_of(make(Opcode::kImadWide, 4, reg(6), uniform(8), reg(10))), "R6 R10 R11 UR8 -> R4 R5");
  EXPECT_EQ(resources_of(make(Opcode::kImadHi, 4, reg(6), reg(7), uniform(8))), "R6 R7 UR8 UR9 -> R4");
}

TEST(ResourceUse, OfUniformInstructions) {
  Instruction compare = make(Opcode::kUisetp, kRegisterZero, uniform(4), uniform(5));
  compare.dest_predicate0 = 1;
  compare.source_predicate0 = pred(2);
  EXPECT_EQ(resources_of(compare), "UR4 UR5 UP2 -> UP1");
  Instruction wide = make(Opcode::kUldc, 8);
  wide.mem.bytes = 8;
  EXPECT_EQ(resources_of(wide), "-> UR8 UR9");
  Instruction vote = make(Opcode::kVoteu, 4);
  vote.source_predicate0 = pred(3);
  vote.dest_predicate0 = 1;
  EXPECT_EQ(resources_of(vote), "P3 -> UR4 UP1");
  Instruction agree = make(Opcode::kR2ur, kUniformZero, reg(7));
  agree.dest_predicate0 = 0;
  EXPECT_EQ(resources_of(agree), "R7 -> P0");
}

TEST(ResourceUse, OfAddresses) {
  Instruction load = make(Opcode::kLdg, 4);
  load.mem.address_register = 8;
  load.mem.address_64bit = true;
  load.mem.bytes = 8;
  load.mem.descriptor = 6;
  EXPECT_EQ(resources_of(load), "R8 R9 UR6 UR7 -> R4 R5");
}

TEST(ResourceUse, OfPackedPredicates) {
  EXPECT_EQ(resources_of(make(Opcode::kR2p, kRegisterZero, reg(4), imm(5))), "R4 -> P0 P2");
  EXPECT_EQ(resources_of(make(Opcode::kP2r, 6, rz(), imm(3))), "P0 P1 -> R6");
  EXPECT_EQ(resources_of(make(Opcode::kUr2up, kUniformZero, uniform(4), imm(5))), "UR4 -> UP0 UP2");
  EXPECT_EQ(resources_of(make(Opcode::kUp2ur, 6, uniform(kUniformZero), imm(3))), "UP0 UP1 -> UR6");
}

}  // namespace
}  // namespace stc::isa
