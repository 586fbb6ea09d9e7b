// SPDX-License-Identifier: Apache-2.0
// What opcodes belong to that the decoder has no rule for, in the words of CUDA's documentation.
#pragma once

#include <string>

#include "models/isa/instruction.h"

namespace stc::cubin {

/// Of a 13-bit opcode: "wgmma", "TMA", "textures"; "unknown instruction 0x123" when no name is known.
std::string feature_of_opcode(unsigned opcode);

/// "a form of BAR": an operation that is modelled, with fields that are not.
std::string feature_of_form(isa::Opcode opcode);

}  // namespace stc::cubin
