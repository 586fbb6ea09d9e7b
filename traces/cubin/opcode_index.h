// SPDX-License-Identifier: Apache-2.0
// The rows of all parts of the table by 13-bit opcode, and what a row makes of an instruction's bits: what the decoder
// and the encoder share.
#pragma once

#include <vector>

#include "traces/cubin/opcode_table.h"

namespace stc::cubin {

/// nullptr: nobody knows the opcode.
const OpcodeRow* find_row(unsigned opcode, CodeFamily family);

/// The 13-bit opcodes whose row, or a variant of it, is the operation, in the order of the table.
const std::vector<unsigned>& opcodes_of(isa::Opcode operation, CodeFamily family);

/// Fills the members of `i` that the row knows of; sm, address, raw words and control stand there already. Throws
/// UndecodableBits, with what was read until then in `i`.
void apply_row(const OpcodeRow& row, unsigned opcode, const Architecture& architecture, InstructionBits& bits,
               isa::Instruction& i);

}  // namespace stc::cubin
