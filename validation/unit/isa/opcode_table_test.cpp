// SPDX-License-Identifier: Apache-2.0
// The table of operations is whole (the compiler and the linker check that) and wrong rows are seen.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/isa/execute.h"
#include "models/isa/listing.h"
#include "models/isa/opcode_check.h"

namespace stc::isa {
namespace {

std::string wrong(const OpcodeTraits& row) {
  const char* text = contradiction(row);
  return text == nullptr ? "" : text;
}

OpcodeTraits with_unit(Opcode opcode, ExecutionUnit unit) {
  OpcodeTraits row = traits_of(opcode);
  row.unit = unit;
  return row;
}
OpcodeTraits with_latency(Opcode opcode, LatencyClass latency) {
  OpcodeTraits row = traits_of(opcode);
  row.latency = latency;
  return row;
}
OpcodeTraits with_result(Opcode opcode, Result result) {
  OpcodeTraits row = traits_of(opcode);
  row.result = result;
  return row;
}
OpcodeTraits with_sources(Opcode opcode, Sources sources) {
  OpcodeTraits row = traits_of(opcode);
  row.sources = sources;
  return row;
}

TEST(OpcodeTable, RowsStandAtTheirNumbers) {
  for (std::size_t n = 0; n < kOpcodeCount; ++n) EXPECT_EQ(static_cast<std::size_t>(kOpcodeTraits[n].opcode), n);
}

TEST(OpcodeTable, EveryOperationPrintsItsName) {
  for (const OpcodeTraits& row : kOpcodeTraits) {
    EXPECT_EQ(wrong(row), "") << row.mnemonic;
    Instruction plain;
    plain.opcode = row.opcode;
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
    // Fences of copies have no more registers than an address query of the ALU.
    const bool alike = row.unit == ExecutionUnit::kNone || row.unit == ExecutionUnit::kCopyFence;
    if (row.unit == ExecutionUnit::kAlu || alike) continue;
    EXPECT_NE(wrong(with_unit(row.opcode, ExecutionUnit::kAlu)), "") << row.mnemonic;
  }
}

TEST(OpcodeTable, WrongLatenciesAreSeen) {
  EXPECT_EQ(wrong(with_latency(Opcode::kFfma, LatencyClass::kAlu)), "the unit has no such latencies");
  EXPECT_EQ(wrong(with_latency(Opcode::kLdg, LatencyClass::kAlu)), "the unit has no such latencies");
  EXPECT_EQ(wrong(with_latency(Opcode::kMufu, LatencyClass::kAlu)), "the unit has no such latencies");
  EXPECT_EQ(wrong(with_latency(Opcode::kHmma, LatencyClass::kHalf)), "the unit has no such latencies");
  EXPECT_EQ(wrong(with_latency(Opcode::kUmov, LatencyClass::kAlu)), "the unit has no such latencies");
}

TEST(OpcodeTable, WrongUnitsAreSeen) {
  EXPECT_EQ(wrong(with_unit(Opcode::kFfma, ExecutionUnit::kHalf)), "the unit has no such latencies");
  EXPECT_EQ(wrong(with_unit(Opcode::kHmma, ExecutionUnit::kFp64)), "the unit has no such latencies");
  EXPECT_EQ(wrong(with_unit(Opcode::kLdg, ExecutionUnit::kGlobalStore)), "the unit takes other registers");
  EXPECT_EQ(wrong(with_unit(Opcode::kLdgsts, ExecutionUnit::kGlobalLoad)), "the unit takes other registers");
}

TEST(OpcodeTable, WrongWidthsAreSeen) {
  EXPECT_EQ(wrong(with_result(Opcode::kStg, Result::kOne)), "a store with a result");
  EXPECT_EQ(wrong(with_result(Opcode::kImadWide, Result::kOne)), "results of these latencies are others");
  EXPECT_EQ(wrong(with_result(Opcode::kUiadd3, Result::kOne)), "results of these latencies are others");
  EXPECT_EQ(wrong(with_result(Opcode::kBra, Result::kOne)), "results of these latencies are others");
  EXPECT_EQ(wrong(with_result(Opcode::kShfl, Result::kBytes)), "a load without an address");
  EXPECT_EQ(wrong(with_sources(Opcode::kDfma, Sources::kOperands)), "the unit takes other registers");
  EXPECT_EQ(wrong(with_sources(Opcode::kSts, Sources::kAddress)), "the unit takes other registers");
  EXPECT_EQ(wrong(with_sources(Opcode::kHmma, Sources::kOperands)), "the unit takes other registers");
}

TEST(OpcodeTable, RowsWithoutDecoderOrNameAreSeen) {
  OpcodeTraits row = traits_of(Opcode::kIadd3);
  row.decoder = DecoderTable::none;
  EXPECT_EQ(wrong(row), "no decoder");
  row = traits_of(Opcode::kIadd3);
  row.mnemonic = "";
  EXPECT_EQ(wrong(row), "no mnemonic");
}

}  // namespace
}  // namespace stc::isa
