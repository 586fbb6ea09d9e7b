// SPDX-License-Identifier: Apache-2.0
// LDSM, STSM, MOVM and LDGSTS against the layouts that PTX describes.
#include <algorithm>

#include "models/isa/values/unused_data.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;

/// Element [row][column] of matrix `matrix` when the row addresses are `stride` bytes apart.
class Matrices : public ::testing::Test {
 protected:
  static constexpr u32 kStride = 48;
  Matrices() {
    for (std::size_t i = 0; i < m.cta.shared.size() / 2; ++i) {
      const auto v = static_cast<std::uint16_t>(i * 7 + 3);
      std::memcpy(&m.cta.shared[2 * i], &v, 2);
    }
    m.set_lanes(2, 128, kStride);
  }
  u32 element(std::size_t matrix, std::size_t row, std::size_t column) const {
    std::uint16_t v;
    std::memcpy(&v, &m.cta.shared[128 + kStride * (8 * matrix + row) + 2 * column], 2);
    return v;
  }
  Instruction matrix_access(Opcode opcode, int count, bool transposed) const {
    Instruction i = make(opcode, 8);
    i.mem.address_register = 2;
    i.mem.data_register = 8;
    i.mem.matrices = static_cast<std::uint8_t>(count);
    i.mem.bytes = static_cast<std::uint8_t>(4 * count);
    i.mem.transposed = transposed;
    return i;
  }
  Machine m;
};

TEST_F(Matrices, LoadsFragmentsPlainAndTransposed) {
  for (const int count : {1, 2, 4}) {
    for (const bool transposed : {false, true}) {
      for (int r = 8; r < 12; ++r) m.set(r, 0xdeadbeef);
      const ExecuteResult& result = m.run(matrix_access(Opcode::kLdsm, count, transposed));
      EXPECT_EQ(result.space, Space::kShared);
      EXPECT_EQ(result.access_lanes, count == 4 ? 0xffffffffu : (1u << (8 * count)) - 1);
      EXPECT_EQ(result.bytes_per_lane, 16);
      for (int matrix = 0; matrix < count; ++matrix) {
        for (std::size_t lane = 0; lane < 32; ++lane) {
          const std::size_t g = lane / 4, t = lane % 4;
          const auto k = static_cast<std::size_t>(matrix);
          const u32 expected = transposed ? element(k, 2 * t, g) | element(k, 2 * t + 1, g) << 16
                                          : element(k, g, 2 * t) | element(k, g, 2 * t + 1) << 16;
          EXPECT_EQ(m.get(8 + matrix, static_cast<int>(lane)), expected) << matrix << " " << lane << " " << transposed;
        }
      }
      for (int r = 8 + count; r < 12; ++r) EXPECT_EQ(m.get(r, 3), 0xdeadbeefu);
    }
  }
}

TEST_F(Matrices, RowsNeedSixteenByteAlignment) {
  m.warp.r[2][9] += 8;
  EXPECT_EQ(fault_of(m, matrix_access(Opcode::kLdsm, 1, false)), "");  // lane 9 supplies no row
  const std::string text = fault_of(m, matrix_access(Opcode::kLdsm, 2, false));
  EXPECT_NE(text.find("misaligned 16-byte read"), std::string::npos) << text;
  EXPECT_NE(text.find("lane 9"), std::string::npos) << text;
}

TEST_F(Matrices, StoreIsTheInverseOfLoad) {
  for (const bool transposed : {false, true}) {
    const auto before = m.cta.shared;
    m.run(matrix_access(Opcode::kLdsm, 4, transposed));
    for (std::size_t i = 128; i < m.cta.shared.size(); ++i) m.cta.shared[i] = 0;
    m.run(matrix_access(Opcode::kStsm, 4, transposed));
    for (std::size_t row = 0; row < 32; ++row) {
      for (std::size_t b = 0; b < 16; ++b) {
        EXPECT_EQ(m.cta.shared[128 + kStride * row + b], before[128 + kStride * row + b]);
      }
    }
    m.cta.shared = before;
  }
}

/// Where products are not computed and rows are known to lie apart, a load needs no addresses; a store still gives its
/// bytes their role, and no others.
TEST_F(Matrices, AStoreWhoseBytesStayMarksThoseItNames) {
  Instruction product = make(Opcode::kHmma, 16), end = make(Opcode::kExit, kRegisterZero);
  for (const Opcode opcode : {Opcode::kLdsm, Opcode::kStsm}) {
    Machine one;
    Instruction access = matrix_access(opcode, 4, false);
    one.kernel.code = {access, product, end};
    for (std::size_t i = 0; i < one.kernel.code.size(); ++i) {
      one.kernel.code[i].address = static_cast<u32>(i * kInstructionBytes);
    }
    const UnusedData unused(one.kernel);
    ASSERT_FALSE(unused.empty());
    ASSERT_TRUE(unused.moved_by(one.kernel.code[0]));
    one.context.unused = &unused;
    one.context.takes_lines = true;
    constexpr std::uint8_t kBefore = 0xff;
    std::fill(one.cta.shared_role.begin(), one.cta.shared_role.end(), kBefore);
    one.set_lanes(2, 0, 16);
    one.warp.r.know(2, pattern_of(one.warp.r[2]), 512);
    one.result.address.fill(~std::uint64_t{0});
    const ExecuteResult& result = one.run(access);
    EXPECT_EQ(result.rows_apart, opcode == Opcode::kLdsm);
    const bool stores = opcode == Opcode::kStsm;
    if (stores) {
      EXPECT_EQ(result.address[31], 512u + 31 * 16);
    }
    for (std::size_t i = 0; i < one.cta.shared_role.size(); ++i) {
      EXPECT_EQ(one.cta.shared_role[i] != kBefore, stores && i >= 32 && i < 64) << i;
    }
  }
}

TEST_F(Matrices, MovmTransposesARegister) {
  m.run(matrix_access(Opcode::kLdsm, 1, true));
  m.run(make(Opcode::kMovm, 9, reg(8)));
  m.run(matrix_access(Opcode::kLdsm, 1, false));
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(9, lane), m.get(8, lane));
}

class AsyncCopy : public ::testing::Test {
 protected:
  AsyncCopy() {
    Allocation& a = m.memory.allocate("weights", 1024, DataRole::kWeight);
    for (std::size_t i = 0; i < 1024; ++i) a.data[i] = static_cast<std::uint8_t>(i + 1);
    m.set_address_lanes(2, a.address, 16);
    m.set_lanes(4, 512, 32);
    for (auto& b : m.cta.shared) b = 0xee;
    copy = make(Opcode::kLdgsts);
    copy.mem.address_register = 2;
    copy.mem.address_64bit = true;
    copy.mem.shared_register = 4;
    copy.mem.bytes = 16;
  }
  Machine m;
  Instruction copy;
};

TEST_F(AsyncCopy, CopiesAndMarksTheRole) {
  copy.mem.offset = 16;
  copy.mem.shared_offset = 16;
  m.warp.p[0] = ~(1u << 31);
  copy.guard = pred(0);
  const ExecuteResult& r = m.run(copy);
  EXPECT_EQ(r.space, Space::kGlobal);
  EXPECT_FALSE(r.is_write);
  EXPECT_EQ(r.role, DataRole::kWeight);
  EXPECT_EQ(r.access_lanes, 0x7fffffffu);
  EXPECT_EQ(r.shared_lanes, 0x7fffffffu);
  EXPECT_EQ(r.shared_address[3], 512u + 96 + 16);
  EXPECT_EQ(r.address[3], m.memory.find("weights")->address + 64);
  EXPECT_EQ(m.cta.shared[512 + 96 + 16], 65);
  EXPECT_EQ(m.cta.shared[512 + 96 + 31], 80);
  EXPECT_EQ(m.cta.shared[512 + 96 + 32], 0xee);
  EXPECT_EQ(m.cta.shared[512 + 31 * 32 + 16], 0xee);
  EXPECT_EQ(m.cta.shared_role[(512 + 96 + 16) / 16], static_cast<std::uint8_t>(DataRole::kWeight));
  EXPECT_EQ(m.cta.shared_role[(512 + 96) / 16], static_cast<std::uint8_t>(DataRole::kOther));
}

TEST_F(AsyncCopy, FalseCopyPredicateWritesZerosAndReadsNothing) {
  m.warp.p[1] = 0x0000ffff;
  copy.source_predicate0 = pred(1);
  m.warp.r[3][20] = 0;  // neither a wild pointer nor a misaligned one is followed
  m.warp.r[2][21] += 3;
  for (const bool partial : {false, true}) {
    copy.mem.partial_source = partial;
    for (auto& b : m.cta.shared) b = 0xee;
    m.run(copy);
    EXPECT_EQ(m.result.access_lanes, 0x0000ffffu);
    EXPECT_EQ(m.result.shared_lanes, 0xffffffffu);
    EXPECT_EQ(m.cta.shared[512 + 15 * 32], 241);
    for (const std::size_t lane : {16u, 20u, 21u, 31u}) {
      EXPECT_EQ(m.cta.shared[512 + lane * 32], 0);
      EXPECT_EQ(m.cta.shared[512 + lane * 32 + 15], 0);
      EXPECT_EQ(m.cta.shared[512 + lane * 32 + 16], 0xee);
    }
  }
}

TEST_F(AsyncCopy, FalseGuardLeavesSharedMemoryAlone) {
  m.warp.p[0] = 0x0000ffff;
  copy.guard = pred(0);
  copy.source_predicate0 = pred(1);  // false everywhere
  m.run(copy);
  EXPECT_EQ(m.result.access_lanes, 0u);
  EXPECT_EQ(m.result.shared_lanes, 0x0000ffffu);
  EXPECT_EQ(m.cta.shared[512 + 15 * 32], 0);
  EXPECT_EQ(m.cta.shared[512 + 16 * 32], 0xee);
}

TEST_F(AsyncCopy, PartialSourceCountsTheBytesThatStayZero) {
  copy.mem.partial_source = true;
  for (const std::uint32_t bytes : {4u, 8u, 16u}) {
    copy.mem.bytes = static_cast<std::uint8_t>(bytes);
    for (auto& b : m.cta.shared) b = 0xee;
    const std::uint64_t source = m.memory.find("weights")->address + bytes;
    m.set_address_lanes(2, source, bytes + 1);  // lane i leaves out i % bytes
    m.run(copy);
    EXPECT_EQ(m.result.access_lanes, 0xffffffffu);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t left_out = lane % bytes, from = bytes + (bytes + 1) * lane - left_out;
      EXPECT_EQ(m.result.address[lane], source - bytes + from);
      for (std::uint32_t i = 0; i < bytes; ++i) {
        EXPECT_EQ(m.cta.shared[512 + lane * 32 + i], i < bytes - left_out ? (from + i + 1) % 256 : 0)
            << lane << " " << i;
      }
      EXPECT_EQ(m.cta.shared[512 + lane * 32 + bytes], 0xee);
    }
  }
}

TEST_F(AsyncCopy, PartialSourceMayEndWithTheBuffer) {
  copy.mem.partial_source = true;
  const Allocation& tail = m.memory.allocate("tail", 24);
  m.warp.p[0] = 1u << 4;
  copy.guard = pred(0);
  m.set_address_lanes(2, tail.address + 16 + 8, 0);  // 8 of 16 bytes
  EXPECT_EQ(fault_of(m, copy), "");
  m.set_address_lanes(2, tail.address + 16 + 7, 0);
  const std::string text = fault_of(m, copy);
  EXPECT_NE(text.find("out-of-bounds 9-byte read"), std::string::npos) << text;
  EXPECT_NE(text.find("lane 4"), std::string::npos) << text;
}

TEST_F(AsyncCopy, WholeSourceMustBeAlignedAndZerosNeedARightTarget) {
  m.warp.r[2][7] += 8;
  EXPECT_NE(fault_of(m, copy).find("misaligned 16-byte read"), std::string::npos);
  copy.source_predicate0 = pred(1);
  EXPECT_EQ(fault_of(m, copy), "");
  m.warp.r[4][9] += 4;
  EXPECT_NE(fault_of(m, copy).find("misaligned 16-byte write"), std::string::npos);
  m.warp.r[4][9] = 1u << 18;
  EXPECT_NE(fault_of(m, copy).find("out-of-bounds 16-byte write"), std::string::npos);
}

TEST_F(AsyncCopy, UniformRegisterOnTheSharedSide) {
  m.warp.ur[6] = 1024;
  copy.mem.uniform_register = 6;
  copy.mem.uniform_on_shared_side = true;
  m.run(copy);
  EXPECT_EQ(m.result.shared_address[1], 512u + 32 + 1024);
  EXPECT_EQ(m.cta.shared[512 + 32 + 1024], 17);
}

TEST_F(AsyncCopy, FourAndEightBytes) {
  for (const int bytes : {4, 8}) {
    copy.mem.bytes = static_cast<std::uint8_t>(bytes);
    for (auto& b : m.cta.shared) b = 0xee;
    m.run(copy);
    EXPECT_EQ(m.cta.shared[512 + 32 + static_cast<std::size_t>(bytes) - 1], 16 + bytes);
    EXPECT_EQ(m.cta.shared[512 + 32 + static_cast<std::size_t>(bytes)], 0xee);
  }
}

}  // namespace
}  // namespace stc::isa
