// SPDX-License-Identifier: Apache-2.0
// From isa::Instruction to its 128 bits: the inverse of the decoder, by the decoder's own rows. There is no second
// table: the encoder asks the rule of an operation which fields it takes, and gives each the value with which the rule
// reads the instruction that is wanted. What it returns decodes to that instruction, member by member.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/instruction.h"
#include "traces/cubin/cubin_error.h"

namespace stc::cubin {

struct InstructionWords {
  std::uint64_t low = 0;   ///< bits 63:0
  std::uint64_t high = 0;  ///< bits 127:64
  bool operator==(const InstructionWords& o) const { return low == o.low && high == o.high; }
};

/// No encoding of the operation reads as this instruction.
struct UnencodableInstruction : CubinError {
  using CubinError::CubinError;
};

/// The words of `instruction`, for the architecture `instruction.sm`. Of several encodings that read alike it takes
/// `instruction.encoding` if that is one of them, else the first of the table. Its `low` and `high` are not looked at.
/// Throws UnencodableInstruction that names kernel, address, operation and the member that no encoding holds.
InstructionWords encode_instruction(const isa::Instruction& instruction, const std::string& kernel);

}  // namespace stc::cubin
