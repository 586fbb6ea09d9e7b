// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/isa/machine.h"

#include "models/isa/state/address_space.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

Instruction access(Opcode opcode, int dest, int address, int bytes) {
  Instruction i = make(opcode, dest);
  i.mem.address_register = static_cast<std::uint8_t>(address);
  i.mem.data_register = static_cast<std::uint8_t>(dest);
  i.mem.bytes = static_cast<std::uint8_t>(bytes);
  i.mem.address_64bit =
      opcode == Opcode::kLdg || opcode == Opcode::kStg || opcode == Opcode::kLd || opcode == Opcode::kSt;
  return i;
}

class Memory : public ::testing::Test {
 protected:
  Memory() {
    Allocation& a = m.memory.allocate("data", 4096, DataRole::kActivation);
    for (std::size_t i = 0; i < a.data.size(); ++i) a.data[i] = static_cast<std::uint8_t>(i * 37 + 11);
    base = a.address;
  }
  std::uint8_t byte(std::size_t offset) const { return static_cast<std::uint8_t>(offset * 37 + 11); }
  u32 word(std::size_t offset) const {
    return byte(offset) | static_cast<u32>(byte(offset + 1)) << 8 | static_cast<u32>(byte(offset + 2)) << 16 |
           static_cast<u32>(byte(offset + 3)) << 24;
  }
  Machine m;
  std::uint64_t base = 0;
};

TEST_F(Memory, GlobalLoadsOfEveryWidth) {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    m.set_address_lanes(2, base + 64, 32);
    Instruction i = access(Opcode::kLdg, 8, 2, bytes);
    i.mem.offset = -16;
    const ExecuteResult& r = m.run(i);
    EXPECT_EQ(r.space, Space::kGlobal);
    EXPECT_EQ(r.role, DataRole::kActivation);
    EXPECT_EQ(r.bytes_per_lane, bytes);
    EXPECT_EQ(r.access_lanes, 0xffffffffu);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t offset = 48 + 32 * lane;
      EXPECT_EQ(r.address[lane], base + offset);
      if (bytes == 1) {
        EXPECT_EQ(m.get(8, static_cast<int>(lane)), byte(offset));
      }
      if (bytes == 2) {
        EXPECT_EQ(m.get(8, static_cast<int>(lane)), word(offset) & 0xffff);
      }
      for (int w = 0; w < bytes / 4; ++w) {
        EXPECT_EQ(m.get(8 + w, static_cast<int>(lane)), word(offset + 4 * static_cast<std::size_t>(w)));
      }
    }
  }
}

TEST_F(Memory, SignExtension) {
  m.set_address_lanes(2, base, 1);
  Instruction i = access(Opcode::kLdg, 8, 2, 1);
  i.mem.sign_extend = true;
  m.run(i);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(m.get(8, lane), static_cast<u32>(static_cast<std::int8_t>(byte(static_cast<std::size_t>(lane)))));
  }
}

TEST_F(Memory, DestinationMayOverlapTheAddress) {
  m.set_address_lanes(2, base, 16);
  m.run(access(Opcode::kLdg, 0, 2, 16));
  EXPECT_EQ(m.get(2, 5), word(88));
  EXPECT_EQ(m.get(3, 5), word(92));
}

TEST_F(Memory, StoresTouchTheirLanesOnly) {
  m.set_address_lanes(2, base, 8);
  m.set(8, 0x11223344), m.set(9, 0x55667788);
  m.warp.p[0] = 0x00000004;
  Instruction i = access(Opcode::kStg, 8, 2, 8);
  i.guard = pred(0);
  const ExecuteResult& r = m.run(i);
  EXPECT_TRUE(r.is_write);
  EXPECT_EQ(r.access_lanes, 4u);
  const auto& data = m.memory.find("data")->data;
  EXPECT_EQ(data[15], byte(15));
  EXPECT_EQ(data[16], 0x44);
  EXPECT_EQ(data[23], 0x55);
  EXPECT_EQ(data[24], byte(24));
}

TEST_F(Memory, UniformBaseDescriptorAnd32BitAddresses) {
  m.warp.ur[4] = static_cast<u32>(base), m.warp.ur[5] = static_cast<u32>(base >> 32);
  m.set_lanes(2, 0, 4);
  Instruction i = access(Opcode::kLdg, 8, 2, 4);
  i.mem.address_64bit = false;
  i.mem.uniform_register = 4;
  i.mem.uniform_is_64bit = true;
  m.run(i);
  EXPECT_EQ(m.get(8, 3), word(12));
  m.set_address_lanes(2, base, 4);
  i = access(Opcode::kLdg, 8, 2, 4);
  i.mem.descriptor = 4;  // not added
  m.run(i);
  EXPECT_EQ(m.get(8, 3), word(12));
}

TEST_F(Memory, SharedWithScaledIndexAndUniformOffset) {
  for (std::size_t i = 0; i < 4096; ++i) m.cta.shared[i] = byte(i);
  m.set_lanes(2, 0, 1);
  m.warp.ur[4] = 256;
  Instruction i = access(Opcode::kLds, 8, 2, 4);
  i.mem.index_scale = 16;
  i.mem.uniform_register = 4;
  i.mem.offset = 4;
  m.cta.shared_role[16] = static_cast<std::uint8_t>(DataRole::kMetadata);
  EXPECT_EQ(m.run(i).role, DataRole::kMetadata);
  EXPECT_EQ(m.result.space, Space::kShared);
  EXPECT_EQ(m.get(8, 3), word(256 + 4 + 48));
  Instruction store = access(Opcode::kSts, 8, 2, 4);
  store.mem.index_scale = 16;
  store.mem.offset = 256;
  m.run(store);
  EXPECT_EQ(m.cta.shared_role[16], static_cast<std::uint8_t>(DataRole::kOther));
}

TEST_F(Memory, LocalMemoryIsPerLane) {
  m.set(2, 64);
  m.set_lanes(8, 500, 1);
  m.run(access(Opcode::kStl, 8, 2, 4));
  m.set(8, 0);
  m.run(access(Opcode::kLdl, 8, 2, 4));
  EXPECT_EQ(m.result.space, Space::kLocal);
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(8, lane), 500u + static_cast<u32>(lane));
}

TEST_F(Memory, GenericAddressesPickTheirMemoryPerLane) {
  m.cta.shared[40] = 77;
  m.set(2, 32);
  m.set_lanes(8, 900, 1);
  m.run(access(Opcode::kStl, 8, 2, 4));
  m.set_address_lanes(2, base, 0);
  const auto point = [&](std::size_t lane, std::uint64_t address) {
    m.warp.r[2][lane] = static_cast<u32>(address);
    m.warp.r[3][lane] = static_cast<u32>(address >> 32);
  };
  point(1, kSharedWindow + 40);
  point(2, kLocalWindow + 32);
  m.run(access(Opcode::kLd, 8, 2, 4));
  EXPECT_EQ(m.get(8, 0), word(0));
  EXPECT_EQ(m.get(8, 1), 77u);
  EXPECT_EQ(m.get(8, 2), 902u);
  EXPECT_EQ(m.get(8, 31), word(0));
  EXPECT_EQ(m.result.space, Space::kGlobal);
  Instruction query = make(Opcode::kQspc);
  query.mem = access(Opcode::kLd, 8, 2, 4).mem;
  query.dest_predicate0 = 3;
  m.run(query);
  EXPECT_EQ(m.warp.p[3], 2u);
}

TEST_F(Memory, ConstantsByLaneIndex) {
  m.kernel.constants[3] = std::vector<std::uint8_t>(64);
  for (std::size_t i = 0; i < 64; ++i) m.kernel.constants[3][i] = byte(i);
  m.set_lanes(2, 0, 1);
  for (std::size_t lane = 0; lane < 32; ++lane) m.warp.r[2][lane] = static_cast<u32>(4 * (lane % 8 & ~1ull));
  Instruction i = access(Opcode::kLdc, 8, 2, 8);
  i.b = constant(16);
  i.b.bank = 3;
  m.run(i);
  EXPECT_EQ(m.result.space, Space::kConstant);
  EXPECT_EQ(m.get(8, 2), word(24));
  EXPECT_EQ(m.get(9, 2), word(28));
  m.set_lanes(2, 0x8000 - 8, 0);
  i.b.value = static_cast<u32>(16 - 0x8000);
  m.run(i);
  EXPECT_EQ(m.get(8, 2), word(8));
}

}  // namespace
}  // namespace stc::isa
