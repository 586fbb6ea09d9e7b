// SPDX-License-Identifier: Apache-2.0
// The functions that opcodes.def names to print an operation's modifiers (".WIDE.U32") and operands ("R4, R5, 0x10").
#pragma once

#include <string>

#include "models/isa/instruction.h"

namespace stc::isa {

using OpcodeText = std::string (*)(const Instruction&);

namespace modifiers {
#define STC_OPCODE(name, handler, unit, latency, result, sources, decoder, mnemonic, modifiers_of, operands_of) \
  std::string modifiers_of(const Instruction& i);
#include "models/isa/opcodes.def"
}  // namespace modifiers

namespace operands {
#define STC_OPCODE(name, handler, unit, latency, result, sources, decoder, mnemonic, modifiers_of, operands_of) \
  std::string operands_of(const Instruction& i);
#include "models/isa/opcodes.def"
}  // namespace operands

}  // namespace stc::isa
