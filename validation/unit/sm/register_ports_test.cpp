// SPDX-License-Identifier: Apache-2.0
// Banks give a register a cycle; what is kept for reuse costs nothing as long as nobody else reads there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "models/sm/register_ports.h"

namespace stc::sm {
namespace {

constexpr int kWindow = 3;

RegisterReads reads(std::initializer_list<RegisterRead> all) {
  RegisterReads made;
  for (const RegisterRead& read : all) made.add(read);
  return made;
}
RegisterRead read_of(int number, int operand, bool keep = false) {
  return {static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number % 2), static_cast<std::uint8_t>(operand),
          keep};
}
/// Issues it again and again, as soon as it can.
Cycle cycles_of(RegisterPorts& ports, const RegisterReads& each, int times, int warps = 1) {
  Cycle now = 0;
  for (int i = 0; i < times; ++i) {
    now = std::max(now + 1, ports.ready(each, i % warps));
    ports.take(each, i % warps, now);
  }
  return now;
}

TEST(RegisterPorts, GiveARegisterOfEachBankACycle) {
  RegisterPorts ports(kWindow);
  const Cycle both_banks = cycles_of(ports, reads({read_of(2, 0), read_of(3, 1)}), 100);
  ports.reset();
  const Cycle one_bank = cycles_of(ports, reads({read_of(2, 0), read_of(4, 1)}), 100);
  ports.reset();
  const Cycle three = cycles_of(ports, reads({read_of(2, 0), read_of(4, 1), read_of(6, 2)}), 100);
  EXPECT_EQ(both_banks, 100);
  EXPECT_NEAR(static_cast<double>(one_bank), 200, kWindow);
  EXPECT_NEAR(static_cast<double>(three), 300, kWindow + 1);
}

TEST(RegisterPorts, WhatIsKeptCostsNothing) {
  RegisterPorts ports(kWindow);
  EXPECT_EQ(cycles_of(ports, reads({read_of(2, 0, true), read_of(4, 1)}), 100), 100);
}

/// Warps in turn: each ends what the other has kept.
TEST(RegisterPorts, AnotherWarpEndsIt) {
  RegisterPorts ports(kWindow);
  const Cycle in_turn = cycles_of(ports, reads({read_of(2, 0, true), read_of(4, 1)}), 100, 2);
  EXPECT_NEAR(static_cast<double>(in_turn), 200, kWindow);
}

/// Kept is a register read through one operand; another register of that bank, or a read that does not keep, ends it.
TEST(RegisterPorts, KeepEachOperandOfEachBank) {
  const RegisterReads keeps = reads({read_of(2, 0, true)});
  const auto demand_after = [&](const RegisterReads& between, const RegisterReads& then) {
    RegisterPorts ports(1);
    ports.take(keeps, 0, 10);
    ports.take(between, 0, 20);
    ports.take(then, 0, 30);
    return ports.ready(reads({read_of(4, 1)}), 0) == 31 ? 1 : 0;  // the bank is busy behind cycle 30
  };
  const RegisterReads again = reads({read_of(2, 0, true)});
  EXPECT_EQ(demand_after(reads({read_of(3, 0)}), again), 0) << "the other bank";
  EXPECT_EQ(demand_after(reads({read_of(4, 1)}), again), 0) << "another operand";
  EXPECT_EQ(demand_after(reads({read_of(4, 0)}), again), 1) << "the same operand";
  EXPECT_EQ(demand_after(reads({read_of(3, 0)}), reads({read_of(2, 1)})), 1) << "through another operand";
}

constexpr Cycle kLead = 2, kHeld = 4;
const MatrixFactors kFactors = {{{8, 4, true}, {12, 2, false}}};

TEST(RegisterPorts, AMatrixInstructionBeginsBehindArithmeticsLastRead) {
  RegisterPorts ports(kWindow);
  ports.take(reads({read_of(2, 0), read_of(4, 1)}), 0, 10);  // one bank: read in cycles 10 and 11
  EXPECT_EQ(ports.ready(kFactors, 0, kLead), 14);
  EXPECT_EQ(ports.ready(kFactors, 0, 1), 13);
  EXPECT_EQ(ports.ready(kFactors, 0, 0), 0) << "it does not wait without a lead";
}

/// The four registers of A that were kept are not read again, by the same warp alone.
TEST(RegisterPorts, AMatrixInstructionDoesNotReadWhatIsKept) {
  RegisterPorts ports(kWindow);
  ports.hold(kFactors, 0, 10, kHeld);
  ports.take(reads({read_of(3, 2)}), 0, 20);
  EXPECT_EQ(ports.ready(kFactors, 0, kLead), 21);
  EXPECT_EQ(ports.ready(kFactors, 1, kLead), 23);
}

TEST(RegisterPorts, AMatrixInstructionHasThemAll) {
  const RegisterReads two = reads({read_of(2, 0), read_of(4, 1)});
  RegisterPorts ports(1);
  ports.hold(kFactors, 0, 10, kHeld);
  EXPECT_EQ(ports.ready(two, 0), 10 + kHeld + 1) << "two reads of a bank, one of them in the cycle of issue";
  ports.hold(kFactors, 0, 20, kHeld);  // A is kept: two cycles less
  EXPECT_EQ(ports.ready(two, 0), 20 + kHeld - 2 + 1);
  ports.hold(kFactors, 1, 30, kHeld);  // another warp's is not
  EXPECT_EQ(ports.ready(two, 0), 30 + kHeld + 1);
}

}  // namespace
}  // namespace stc::sm
