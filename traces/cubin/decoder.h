// SPDX-License-Identifier: Apache-2.0
// From 128 bits to isa::Instruction. Complete or an error: an opcode that is not in the table, a
// field value that no rule knows, or a set bit that no rule takes makes the instruction undecodable.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/instruction.h"

namespace stc::cubin {

/// Where an instruction stands, for error messages and branch targets.
struct InstructionPlace {
  std::uint32_t address = 0;  ///< byte offset in the kernel's text
  int sm = 0;                 ///< one of models/core/architecture.h
  std::string kernel;         ///< symbol
};

/// Throws UndecodableInstruction that names opcode, both words, address, kernel and reason.
isa::Instruction decode_instruction(std::uint64_t low, std::uint64_t high, const InstructionPlace& place);

/// The 21 control bits (125:105).
isa::Control decode_control(std::uint64_t high);

}  // namespace stc::cubin
