// SPDX-License-Identifier: Apache-2.0
// Every fault's text names kernel, instruction, CTA, warp and what went wrong.
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " not in: " << text;
}

Instruction load(int bytes) {
  Instruction i = make(Opcode::kLdg, 8);
  i.mem.address_register = 2;
  i.mem.address_64bit = true;
  i.mem.bytes = static_cast<std::uint8_t>(bytes);
  return i;
}

class Faults : public ::testing::Test {
 protected:
  Faults() { base = m.memory.allocate("weights", 1000, DataRole::kWeight).address; }
  Machine m;
  std::uint64_t base = 0;
};

TEST_F(Faults, ReadPastTheEndOfABuffer) {
  m.set_address_lanes(2, base + 1000 - 4 * 31, 4);
  m.warp.pc = 0x120;
  expect_parts(fault_of(m, load(4)),
               {"kernel 'tested'", "LDG", "at 0x0120", "CTA (3, 2, 1)", "warp 0", "lane 31",
                "out-of-bounds 4-byte read", "0 bytes past the end of buffer 'weights'", "1000 bytes"});
  m.set_address_lanes(2, base + 1000 - 4 * 32, 4);
  EXPECT_EQ(fault_of(m, load(4)), "");
}

TEST_F(Faults, WriteBeforeABufferAndNullPointer) {
  m.set_address_lanes(2, base - 8, 0);
  Instruction i = load(8);
  i.opcode = Opcode::kStg;
  expect_parts(fault_of(m, i), {"STG", "out-of-bounds 8-byte write", "8 bytes before buffer 'weights'", "lane 0"});
  m.set_address_lanes(2, 0, 0);
  expect_parts(fault_of(m, i), {"global address 0x0"});
}

TEST_F(Faults, OnlyExecutingLanesAreChecked) {
  m.set_address_lanes(2, base, 0);
  m.warp.r[2][7] = 0, m.warp.r[3][7] = 0;
  m.warp.p[0] = ~(1u << 7);
  Instruction i = load(4);
  i.guard = pred(0);
  EXPECT_EQ(fault_of(m, i), "");
  i.guard = pred(0, true);
  expect_parts(fault_of(m, i), {"lane 7"});
}

TEST_F(Faults, Misaligned) {
  m.set_address_lanes(2, base, 16);
  m.warp.r[2][5] += 8;
  expect_parts(fault_of(m, load(16)), {"misaligned 16-byte read", "lane 5"});
  EXPECT_EQ(fault_of(m, load(8)), "");
  for (const int bytes : {2, 4, 8, 16}) {
    m.set_address_lanes(2, base + 1, 16);
    expect_parts(fault_of(m, load(bytes)), {"misaligned"});
    m.set_address_lanes(2, base + static_cast<std::uint64_t>(bytes) / 2, 16);
    expect_parts(fault_of(m, load(bytes)), {"misaligned"});
  }
}

TEST_F(Faults, SharedAndLocalBounds) {
  Instruction i = make(Opcode::kLds, 8);
  i.mem.address_register = 2;
  i.mem.bytes = 16;
  m.set_lanes(2, 4096 - 16 * 31, 16);
  expect_parts(fault_of(m, i), {"LDS", "lane 31", "shared address 0x1000", "4096 bytes of shared memory"});
  i.mem.bytes = 1;
  m.set(2, 4095);
  EXPECT_EQ(fault_of(m, i), "");
  m.set(2, 4096);
  expect_parts(fault_of(m, i), {"out-of-bounds 1-byte read"});
  i.mem.bytes = 16;
  i.opcode = Opcode::kLdl;
  m.set(2, 0xfffffff0);
  expect_parts(fault_of(m, i), {"LDL", "local address 0xfffffff0", "1024 bytes of local memory"});
}

TEST_F(Faults, ConstantsRegistersAndUnknownInstructions) {
  expect_parts(fault_of(m, make(Opcode::kMov, 4, {}, constant(0x9000))), {"constant bank 0", "0x9000"});
  Operand other = constant(0);
  other.bank = 5;
  expect_parts(fault_of(m, make(Opcode::kMov, 4, {}, other)), {"constant bank 5 (0 bytes)"});
  expect_parts(fault_of(m, make(Opcode::kMov, 40, {}, imm(1))), {"register R40", "32"});
  Instruction unknown = make(Opcode::kInvalid);
  unknown.encoding = 0x7ab;
  expect_parts(fault_of(m, unknown), {"illegal instruction", "0x7ab"});
  Instruction special = make(Opcode::kS2r, 4);
  special.mod.special_register = 0x77;
  expect_parts(fault_of(m, special), {"special register SR_SNAP_PM_HI1 (0x77)"});
  expect_parts(fault_of(m, make(Opcode::kBpt)), {"trapped"});
}

TEST_F(Faults, MatrixOperationsNeedAllLanes) {
  m.warp.p[0] = 0x7fffffff;
  Instruction i = make(Opcode::kHmma, 4, reg(0), reg(4), reg(8));
  i.guard = pred(0);
  expect_parts(fault_of(m, i), {"HMMA", "all 32 must take part"});
}

/// Three instructions: something, a jump, EXIT.
class Jumps : public Faults {
 protected:
  std::string fault_at(std::size_t index) {
    for (std::size_t i = 0; i < m.kernel.code.size(); ++i) {
      m.kernel.code[i].address = static_cast<std::uint32_t>(i) * kInstructionBytes;
    }
    try {
      execute(m.kernel.code[index], m.warp, m.context, m.result);
    } catch (const SimulatedFault& fault) {
      return fault.what();
    }
    return "";
  }
  Jumps() { m.kernel.code = {make(Opcode::kNop), make(Opcode::kBra), make(Opcode::kExit)}; }
};

TEST_F(Jumps, BranchMustStayInTheKernel) {
  m.kernel.code[1].target = 0x20;
  EXPECT_EQ(fault_at(1), "");
  for (const std::uint32_t target : {0x30u, 0xfffffff0u, 0x18u}) {
    m.kernel.code[1].target = target;
    expect_parts(fault_at(1), {"kernel 'tested'", "BRA", "at 0x0010", "lane 0", "where the kernel has no instruction",
                               "ends at 0x0030"});
  }
}

TEST_F(Jumps, IndirectJumpMustStayInTheKernel) {
  m.kernel.code[1] = make(Opcode::kRet, kRegisterZero, reg(4));
  m.set(4, 0x20);
  EXPECT_EQ(fault_at(1), "");
  m.warp.r[4][9] = 0xaf0001b0;
  expect_parts(fault_at(1), {"RET", "lane 9", "jump to 0xaf0001b0"});
}

TEST_F(Jumps, LastInstructionMustNotFallThrough) {
  m.kernel.code[2] = make(Opcode::kNop);
  EXPECT_EQ(fault_at(0), "");
  expect_parts(fault_at(2), {"NOP", "at 0x0020", "runs past the last instruction"});
}

}  // namespace
}  // namespace stc::isa
