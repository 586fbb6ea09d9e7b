// SPDX-License-Identifier: Apache-2.0
// The table of operations is whole (the compiler and the linker check that) and wrong rows are seen.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/isa/opcode_check.h"
#include "models/isa/text/listing.h"
#include "models/isa/values/execute.h"

namespace stc::isa {
namespace {

std::string wrong(const OpcodeTraits& row) {
  const char* text = contradiction(row);
  return text == nullptr ? "" : text;
}

/// The operation's row with another value in one column.
template <class Value>
std::string wrong(Opcode opcode, Value OpcodeTraits::*column, Value value) {
  OpcodeTraits row = traits_of(opcode);
  row.*column = value;
  return wrong(row);
}

TEST(OpcodeTable, RowsStandAtTheirNumbers) {
  for (std::size_t n = 0; n < kOpcodeCount; ++n) EXPECT_EQ(static_cast<std::size_t>(kOpcodeTraits[n].opcode), n);
}

TEST(OpcodeTable, EveryOperationPrintsItsName) {
  for (const OpcodeTraits& row : kOpcodeTraits) {
    EXPECT_EQ(wrong(row), "") << row.mnemonic;
    Instruction plain;
    plain.opcode = row.opcode;
    plain.sm = 80;
    EXPECT_EQ(mnemonic(plain).rfind(row.mnemonic, 0), 0u) << row.mnemonic;
    EXPECT_EQ(listing_text(plain).rfind(mnemonic(plain), 0), 0u) << row.mnemonic;
  }
}

/// F2FP, PLOP3 are spelt alike in all their forms; the rest differ by name.
TEST(OpcodeTable, NamesAreDistinct) {
  std::multiset<std::string> names;
  for (const OpcodeTraits& row : kOpcodeTraits) names.insert(row.mnemonic);
  for (const std::string& name : names) {
    const std::size_t expected = name == "F2FP" ? 4 : name == "PLOP3.LUT" ? 2 : 1;
    EXPECT_EQ(names.count(name), expected) << name;
  }
}

/// An operation whose unit was forgotten does not become an ALU instruction unseen.
TEST(OpcodeTable, OnlyAluOperationsPassForThem) {
  for (const OpcodeTraits& row : kOpcodeTraits) {
    // Fences of copies have no more registers than an address query of the ALU, WARPGROUP has none at all.
    const bool alike =
        row.unit == ExecutionUnit::kNone || row.unit == ExecutionUnit::kCopyFence || row.opcode == Opcode::kWarpgroup;
    if (row.unit == ExecutionUnit::kAlu || alike) continue;
    EXPECT_NE(wrong(row.opcode, &OpcodeTraits::unit, ExecutionUnit::kAlu), "") << row.mnemonic;
  }
}

TEST(OpcodeTable, WrongLatenciesAreSeen) {
  EXPECT_EQ(wrong(Opcode::kFfma, &OpcodeTraits::latency, LatencyClass::kAlu), "the unit has no such latencies");
  EXPECT_EQ(wrong(Opcode::kLdg, &OpcodeTraits::latency, LatencyClass::kAlu), "the unit has no such latencies");
  EXPECT_EQ(wrong(Opcode::kMufu, &OpcodeTraits::latency, LatencyClass::kAlu), "the unit has no such latencies");
  EXPECT_EQ(wrong(Opcode::kHmma, &OpcodeTraits::latency, LatencyClass::kHalf), "the unit has no such latencies");
  EXPECT_EQ(wrong(Opcode::kUmov, &OpcodeTraits::latency, LatencyClass::kAlu), "the unit has no such latencies");
}

TEST(OpcodeTable, WrongUnitsAreSeen) {
  EXPECT_EQ(wrong(Opcode::kFfma, &OpcodeTraits::unit, ExecutionUnit::kHalf), "the unit has no such latencies");
  EXPECT_EQ(wrong(Opcode::kHmma, &OpcodeTraits::unit, ExecutionUnit::kFp64), "the unit has no such latencies");
  EXPECT_EQ(wrong(Opcode::kLdg, &OpcodeTraits::unit, ExecutionUnit::kGlobalStore), "the unit takes other registers");
  EXPECT_EQ(wrong(Opcode::kLdgsts, &OpcodeTraits::unit, ExecutionUnit::kGlobalLoad), "the unit takes other registers");
}

TEST(OpcodeTable, WrongWidthsAreSeen) {
  EXPECT_EQ(wrong(Opcode::kStg, &OpcodeTraits::result, Result::kOne), "a store with a result");
  EXPECT_EQ(wrong(Opcode::kImadWide, &OpcodeTraits::result, Result::kOne), "results of these latencies are others");
  EXPECT_EQ(wrong(Opcode::kUiadd3, &OpcodeTraits::result, Result::kOne), "results of these latencies are others");
  EXPECT_EQ(wrong(Opcode::kBra, &OpcodeTraits::result, Result::kOne), "results of these latencies are others");
  EXPECT_EQ(wrong(Opcode::kShfl, &OpcodeTraits::result, Result::kBytes), "a load without an address");
  EXPECT_EQ(wrong(Opcode::kDfma, &OpcodeTraits::sources, Sources::kOperands), "the unit takes other registers");
  EXPECT_EQ(wrong(Opcode::kSts, &OpcodeTraits::sources, Sources::kAddress), "the unit takes other registers");
  EXPECT_EQ(wrong(Opcode::kHmma, &OpcodeTraits::sources, Sources::kOperands), "the unit takes other registers");
}

TEST(OpcodeTable, RowsWithoutDecoderOrNameAreSeen) {
  EXPECT_EQ(wrong(Opcode::kIadd3, &OpcodeTraits::decoder, DecoderTable::none), "no decoder");
  EXPECT_EQ(wrong<const char*>(Opcode::kIadd3, &OpcodeTraits::mnemonic, ""), "no mnemonic");
}

}  // namespace
}  // namespace stc::isa
