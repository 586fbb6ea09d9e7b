// SPDX-License-Identifier: Apache-2.0
// Mnemonics with all modifiers, spelt as NVIDIA's disassembler spells them.
#pragma once

#include <string>

#include "models/isa/instruction.h"

namespace stc::isa {

/// Mnemonic without operands as disassemblers print it, e.g. "HMMA.SP.16832.F32".
std::string mnemonic(const Instruction& instruction);

}  // namespace stc::isa
