// SPDX-License-Identifier: Apache-2.0
// Reads of registers, shared and local memory that nobody wrote, and of variables that nobody set.
#include "models/isa/values/poison.h"
#include "models/isa/values/unset_symbols.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

Instruction cta_access(Opcode opcode, int data, int address, int bytes = 4) {
  Instruction i = make(opcode, data);
  i.mem.address_register = static_cast<std::uint8_t>(address);
  i.mem.data_register = static_cast<std::uint8_t>(data);
  i.mem.bytes = static_cast<std::uint8_t>(bytes);
  return i;
}

class Poisoned : public ::testing::Test {
 protected:
  Poisoned() {
    Poison::fill(m.cta);
    Poison::fill(m.warp);
    m.context.poison = &poison;
  }
  Instruction immediate(int r, std::uint32_t value) const { return make(Opcode::kMov, r, {}, imm(value)); }
  const UnwrittenRead& only() const {
    static const UnwrittenRead none;
    EXPECT_EQ(poison.first_reads().size(), 1u);
    return poison.first_reads().empty() ? none : poison.first_reads().front();
  }
  Poison poison;
  Machine m;
};

TEST_F(Poisoned, StateStartsWithThePattern) {
  EXPECT_EQ(m.get(7, 31), 0xffffffffu);
  EXPECT_EQ(m.cta.shared[100], 0xff);
}

TEST_F(Poisoned, ARegisterIsWrittenLaneByLane) {
  m.warp.p[0] = 0x0000fffe;
  Instruction some = immediate(3, 1);
  some.guard = pred(0);
  m.run(some);
  Instruction reader = make(Opcode::kIadd3, 4, reg(3), imm(1), rz());
  reader.guard = pred(0);
  m.run(reader);
  EXPECT_TRUE(poison.first_reads().empty());  // the same lanes
  reader.guard = {};
  m.run(reader);
  EXPECT_EQ(only().of, UnwrittenRead::Of::kRegister);
  EXPECT_EQ(only().place, 3u);
  EXPECT_EQ(only().lane, 0);
  EXPECT_EQ(only().instruction, 2u * kInstructionBytes);
  EXPECT_EQ(only().mnemonic, "IADD3");
}

TEST_F(Poisoned, EveryRegisterOfAWideOperandCounts) {
  m.run(immediate(4, 0));
  m.run(immediate(6, 0));
  m.run(cta_access(Opcode::kSts, 4, 6, 16));  // R4 is there, R5 is not
  EXPECT_EQ(only().place, 5u);
}

TEST_F(Poisoned, ZeroAndFalseGuardsReadNothing) {
  Instruction never = make(Opcode::kIadd3, 4, reg(3), reg(5), rz());
  never.guard = pred(0);
  m.run(never);
  m.run(make(Opcode::kIadd3, 4, rz(), imm(5), rz()));
  EXPECT_TRUE(poison.first_reads().empty());
}

TEST_F(Poisoned, SharedMemoryIsWrittenByteByByte) {
  m.run(immediate(2, 64));
  m.run(cta_access(Opcode::kSts, 2, 2, 2));  // two bytes at 64
  m.run(cta_access(Opcode::kLds, 8, 2, 2));
  EXPECT_TRUE(poison.first_reads().empty());
  m.run(cta_access(Opcode::kLds, 8, 2, 4));
  EXPECT_EQ(only().of, UnwrittenRead::Of::kShared);
  EXPECT_EQ(only().place, 66u);
  EXPECT_EQ(m.get(8), 0xffff0040u);
}

TEST_F(Poisoned, AnAtomicReadsWhatItChanges) {
  m.run(immediate(2, 128));
  Instruction atomic = cta_access(Opcode::kAtoms, 2, 2);
  atomic.dest = kRegisterZero;
  m.run(atomic);
  EXPECT_EQ(only().place, 128u);
  m.run(cta_access(Opcode::kLds, 8, 2));
  EXPECT_EQ(poison.first_reads().size(), 1u);  // written by now
}

TEST_F(Poisoned, LocalMemoryBelongsToALane) {
  m.run(immediate(2, 16));
  m.warp.p[0] = ~(1u << 9);
  Instruction store = cta_access(Opcode::kStl, 2, 2);
  store.guard = pred(0);
  m.run(store);
  m.run(cta_access(Opcode::kLdl, 8, 2));
  EXPECT_EQ(only().of, UnwrittenRead::Of::kLocal);
  EXPECT_EQ(only().lane, 9);
  EXPECT_EQ(only().place, 16u);
  EXPECT_EQ(m.get(8, 9), 0xffffffffu);
}

TEST_F(Poisoned, OneReadOfEachKindIsKept) {
  m.run(cta_access(Opcode::kLds, 8, 255));
  m.run(cta_access(Opcode::kLdl, 9, 255));
  m.run(make(Opcode::kMov, 10, {}, reg(11)));
  m.run(make(Opcode::kMov, 10, {}, reg(12)));
  ASSERT_EQ(poison.first_reads().size(), 3u);
  EXPECT_EQ(poison.first_reads()[2].place, 11u);
}

class Unset : public ::testing::Test {
 protected:
  Unset() {
    Allocation& table = m.memory.allocate("table", 64);
    unset.watch_global("table", table.address, table.bytes);
    unset.watch_constant("coefficients", 8, 16);
    m.context.unset_symbols = &unset;
    m.set_address_lanes(2, table.address, 0);
    m.kernel.constants[3] = std::vector<std::uint8_t>(64);
  }
  Instruction global(Opcode opcode, std::int32_t offset) const {
    Instruction i = cta_access(opcode, 6, 2);
    i.mem.address_64bit = true;
    i.mem.offset = offset;
    return i;
  }
  Instruction constant_read(std::uint32_t offset) const {
    Operand o = constant(offset);
    o.bank = 3;
    return make(Opcode::kMov, 6, {}, o);
  }
  UnsetSymbols unset;
  Machine m;
};

TEST_F(Unset, WhatTheKernelWroteFirstIsNoReadOfTheHosts) {
  m.run(global(Opcode::kStg, 4));
  m.run(global(Opcode::kLdg, 4));
  EXPECT_TRUE(unset.read().empty());
  m.run(global(Opcode::kLdg, 8));
  EXPECT_EQ(unset.read(), std::vector<std::string>{"table"});
}

TEST_F(Unset, AnAtomicReads) {
  m.run(global(Opcode::kAtomg, 4));
  EXPECT_EQ(unset.read(), std::vector<std::string>{"table"});
}

TEST_F(Unset, ConstantsByTheirBytes) {
  m.run(constant_read(4));
  m.run(constant_read(24));
  EXPECT_TRUE(unset.read().empty());
  m.run(constant_read(20));
  EXPECT_EQ(unset.read(), std::vector<std::string>{"coefficients"});
}

}  // namespace
}  // namespace stc::isa
