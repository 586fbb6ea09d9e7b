// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "models/isa/state/address_space.h"
#include "models/isa/values/float_bits.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

class Atomics : public ::testing::Test {
 protected:
  Atomics() {
    m.memory.allocate("counters", 64);
    m.set_address_lanes(2, m.memory.find("counters")->address, 0);
  }

  /// All lanes work on one word that starts at `start`; lane i's operand is base + stride * i.
  u64 all_lanes(AtomicOp op, ScalarType type, u64 start, u32 operand, u32 stride) {
    auto& bytes = m.memory.find("counters")->data;
    std::memcpy(bytes.data(), &start, 8);
    Instruction i = make(Opcode::kAtomg, 10);
    i.mem.atomic = op;
    i.mod.source_type = type;
    const bool wide = type == ScalarType::kU64 || type == ScalarType::kS64 || type == ScalarType::kF64;
    i.mem.bytes = wide ? 8 : 4;
    i.mem.address_register = 2;
    i.mem.address_64bit = true;
    i.mem.data_register = 6;
    i.mem.compare_register = 8;
    m.set_lanes(6, operand, stride);
    m.set(7, 0);
    m.run(i);
    EXPECT_TRUE(m.result.is_atomic);
    EXPECT_TRUE(m.result.is_write);
    u64 after = 0;
    std::memcpy(&after, bytes.data(), wide ? 8 : 4);
    return after;
  }
  Machine m;
};

TEST_F(Atomics, ReturnTheOldValueInLaneOrder) {
  EXPECT_EQ(all_lanes(AtomicOp::kAdd, ScalarType::kU32, 100, 1, 0), 132u);
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m.get(10, lane), 100u + static_cast<u32>(lane));
}

TEST_F(Atomics, IntegerOperations) {
  EXPECT_EQ(all_lanes(AtomicOp::kMin, ScalarType::kU32, 50, 40, 1), 40u);
  EXPECT_EQ(all_lanes(AtomicOp::kMin, ScalarType::kS32, 50, static_cast<u32>(-10), 1), 0xfffffff6u);
  EXPECT_EQ(all_lanes(AtomicOp::kMax, ScalarType::kU32, 5, static_cast<u32>(-10), 0), 0xfffffff6u);
  EXPECT_EQ(all_lanes(AtomicOp::kMax, ScalarType::kS32, 5, static_cast<u32>(-10), 0), 5u);
  EXPECT_EQ(all_lanes(AtomicOp::kInc, ScalarType::kU32, 0, 9, 0), 2u);  // 0..9, three turns and two steps
  EXPECT_EQ(all_lanes(AtomicOp::kDec, ScalarType::kU32, 0, 9, 0), 8u);
  EXPECT_EQ(all_lanes(AtomicOp::kDec, ScalarType::kU32, 99, 9, 0), 8u);  // above the limit: to the limit
  EXPECT_EQ(all_lanes(AtomicOp::kExch, ScalarType::kU32, 7, 100, 1), 131u);
  EXPECT_EQ(m.get(10, 0), 7u);
  EXPECT_EQ(m.get(10, 31), 130u);
  EXPECT_EQ(all_lanes(AtomicOp::kAnd, ScalarType::kU32, 0xff, 0x3c, 0), 0x3cu);
  EXPECT_EQ(all_lanes(AtomicOp::kOr, ScalarType::kU32, 1, 0x10, 0x10), 0x3f1u);
  EXPECT_EQ(all_lanes(AtomicOp::kXor, ScalarType::kU32, 0, 0, 1), 0u);
  EXPECT_EQ(all_lanes(AtomicOp::kAdd, ScalarType::kU64, 0xffffffff, 1, 0), 0x10000001full);
}

TEST_F(Atomics, CompareAndSwapSucceedsOnce) {
  m.set(8, 3);
  EXPECT_EQ(all_lanes(AtomicOp::kCas, ScalarType::kU32, 3, 200, 1), 200u);
  EXPECT_EQ(m.get(10, 0), 3u);
  EXPECT_EQ(m.get(10, 1), 200u);
}

TEST_F(Atomics, FloatingPoint) {
  EXPECT_EQ(all_lanes(AtomicOp::kAdd, ScalarType::kF32, as_bits(0.5f), as_bits(1.0f), 0), as_bits(32.5f));
  EXPECT_EQ(all_lanes(AtomicOp::kAdd, ScalarType::kF16x2, 0, 0x3c004000, 0), 0x50005400u);  // 32 and 64
  EXPECT_EQ(all_lanes(AtomicOp::kAdd, ScalarType::kBf16x2, 0, 0x3f804000, 0), 0x42004280u);
}

TEST_F(Atomics, SharedCompareAndStoreReportsSuccess) {
  Instruction i = make(Opcode::kAtoms, 10);
  i.mem.atomic = AtomicOp::kCas;
  i.mod.variant = 1;
  i.mem.address_register = 4;
  i.mem.data_register = 6;
  i.mem.compare_register = 8;
  m.set(4, 16), m.set(6, 9), m.set(8, 0);
  m.run(i);
  EXPECT_EQ(m.result.space, Space::kShared);
  EXPECT_EQ(m.get(10, 0), 1u);
  EXPECT_EQ(m.get(10, 1), 0u);
  EXPECT_EQ(m.cta.shared[16], 9);
  i.mem.atomic = AtomicOp::kAdd;
  i.mod.variant = 2;  // POPC.INC
  m.run(i);
  EXPECT_EQ(m.cta.shared[16], 41);
}

/// Generic 64-bit forms with a predicate on a word of shared memory that holds 5: the compared and 9, the operand.
class GenericWideAtomics : public Atomics {
 protected:
  GenericWideAtomics() {
    m.cta.shared[16] = 5;
    point_at(kSharedWindow + 16);
    m.set64(6, 9), m.set64(8, 5);
  }
  void point_at(u64 address) { m.set_address_lanes(2, address, 0); }
  void run(AtomicOp op, int sm) {
    Instruction i = make(Opcode::kAtom, 10);
    i.sm = static_cast<std::uint8_t>(sm);
    i.dest_predicate0 = 0;
    i.mem.atomic = op;
    i.mod.source_type = ScalarType::kU64;
    i.mem.bytes = 8;
    i.mem.address_register = 2;
    i.mem.address_64bit = true;
    i.mem.data_register = 6;
    i.mem.compare_register = 8;
    m.run(i);
  }
};

/// What code does that finds them not done is a load and a store, which others come between.
TEST_F(GenericWideAtomics, SwapsAreDoneOnSharedMemory) {
  for (const int sm : {80, 90}) {
    for (const AtomicOp op : {AtomicOp::kCas, AtomicOp::kExch}) {
      m.cta.shared[16] = 5;
      run(op, sm);
      EXPECT_EQ(m.warp.p[0], 0xffffffffu) << sm;
      EXPECT_EQ(m.get64(10, 0), 5u) << sm;
      EXPECT_EQ(m.get64(10, 1), 9u) << sm;
      EXPECT_EQ(m.cta.shared[16], 9) << sm;
    }
  }
}

TEST_F(GenericWideAtomics, ArithmeticOnSharedMemoryIsLeftToTheCodeOfSm80) {
  run(AtomicOp::kAdd, 80);
  EXPECT_EQ(m.warp.p[0], 0u);
  EXPECT_EQ(m.cta.shared[16], 5);
  run(AtomicOp::kAdd, 90);
  EXPECT_EQ(m.warp.p[0], 0xffffffffu);
  EXPECT_EQ(m.cta.shared[16], 5 + 9 * 32 - 256);
}

TEST_F(GenericWideAtomics, LocalMemoryIsLeftToTheCode) {
  point_at(kLocalWindow);
  for (const int sm : {80, 90}) {
    m.warp.p[0] = 0xffffffffu;
    run(AtomicOp::kCas, sm);
    EXPECT_EQ(m.warp.p[0], 0u) << sm;
  }
}

TEST_F(Atomics, ReductionsReturnNothing) {
  m.set(10, 123);
  Instruction i = make(Opcode::kRed);
  i.mem.address_register = 2;
  i.mem.address_64bit = true;
  i.mem.data_register = 6;
  m.set(6, 2);
  m.run(i);
  EXPECT_EQ(m.memory.find("counters")->data[0], 64);
  EXPECT_EQ(m.get(10), 123u);
}

}  // namespace
}  // namespace stc::isa
