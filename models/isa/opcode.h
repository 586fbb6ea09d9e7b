// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace stc::isa {

/// One value per distinct operation (not per operand form). Uniform-datapath twins of vector operations have their own
/// value because pipe, registers and latency differ. The rows are in opcodes.def.
enum class Opcode : std::uint16_t {
#define STC_OPCODE(name, ...) name,
#include "models/isa/opcodes.def"
};

#define STC_OPCODE(...) +1  // NOLINT(bugprone-macro-parentheses)
constexpr std::size_t kOpcodeCount = 0
#include "models/isa/opcodes.def"
    ;

}  // namespace stc::isa
