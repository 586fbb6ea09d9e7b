// SPDX-License-Identifier: Apache-2.0
// A part of the decoder's table decodes the operations that models/isa/opcodes.def sends to it: all, and no other.
#include "traces/cubin/opcode_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stc::cubin {
namespace {

using isa::DecoderTable;
using isa::Opcode;

constexpr OpcodeRow kMatrices[] = {
    {0x03c, kReg, Opcode::kHmma, fields<>}, {0x037, kReg, Opcode::kImma, fields<>, kAmpere},
    {0x03d, kReg, Opcode::kBmma, fields<>}, {0x03f, kReg, Opcode::kDmma, fields<>},
    {0x03a, kReg, Opcode::kMovm, fields<>},
};
constexpr OpcodeRow kOneMissing[] = {kMatrices[0], kMatrices[1], kMatrices[2], kMatrices[3]};
constexpr OpcodeRow kOneTooMany[] = {kMatrices[0], kMatrices[1], kMatrices[2],
                                     kMatrices[3], kMatrices[4], {0x118, only(0x918), Opcode::kNop, fields<>}};
constexpr OpcodeRow kAsVariant[] = {
    kMatrices[0],
    kMatrices[1],
    kMatrices[2],
    {0x03f, kReg, Opcode::kDmma, fields<>, kBothFamilies, {Opcode::kMovm}},
};

TEST(OpcodeRows, AllAndNoOther) {
  EXPECT_TRUE(decodes(kMatrices, DecoderTable::matrix));
  EXPECT_FALSE(decodes(kOneMissing, DecoderTable::matrix));
  EXPECT_FALSE(decodes(kOneTooMany, DecoderTable::matrix));
  EXPECT_FALSE(decodes(kMatrices, DecoderTable::memory));
  EXPECT_TRUE(decodes(kAsVariant, DecoderTable::matrix));
}

/// Every operation is in one of the parts that the decoder looks into.
TEST(OpcodeRows, EveryOperationHasAnEncoding) {
  bool found[isa::kOpcodeCount] = {true};  // kInvalid has none
  for (const OpcodeRows part :
       {integer_opcodes(), float_opcodes(), conversion_opcodes(), matrix_opcodes(), memory_opcodes(),
        mbarrier_opcodes(), control_opcodes(), warpgroup_opcodes(), bulk_opcodes()}) {
    for (const OpcodeRow& row : part) {
      found[static_cast<std::size_t>(row.opcode)] = true;
      for (const Opcode variant : row.variants) found[static_cast<std::size_t>(variant)] = true;
    }
  }
  for (const isa::OpcodeTraits& row : isa::kOpcodeTraits) {
    EXPECT_TRUE(found[static_cast<std::size_t>(row.opcode)]) << row.mnemonic;
  }
}

}  // namespace
}  // namespace stc::cubin
