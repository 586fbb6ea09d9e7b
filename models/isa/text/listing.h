// SPDX-License-Identifier: Apache-2.0
// The readable form of decoded instructions, spelt as NVIDIA's disassembler spells them. Printed from the decoded
// members alone, so that a listing that agrees with a disassembler's also shows that the decoding is right.
#pragma once

#include <string>

#include "models/isa/instruction.h"

namespace stc::isa {

/// "@!P0 IMAD.WIDE R2, R4.reuse, R3, c[0x0][0x160]": guard, mnemonic and operands.
std::string listing_text(const Instruction& instruction);

/// Control codes: "B--1---:R-:W1:-:S08" (wait mask, read scoreboard, write scoreboard, Y for yield, stall).
std::string control_text(const Control& control);

/// "SR_TID.X"; "SR136" when the number has no name.
std::string special_register_name(std::uint8_t number);

}  // namespace stc::isa
