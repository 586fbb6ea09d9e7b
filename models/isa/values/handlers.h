// SPDX-License-Identifier: Apache-2.0
// One function per operation, by the handler that its row in opcodes.def names.
#pragma once

namespace stc::isa {

struct Execution;

#define STC_OPCODE(name, handler, ...) void handler(Execution&);
#include "models/isa/opcodes.def"

// Variants that a handler passes on.
void execute_viadd_halves(Execution&);
void execute_atoms_arrive(Execution&);

}  // namespace stc::isa
