// SPDX-License-Identifier: Apache-2.0
// The encodings of the operations in models/isa/opcodes.def: one row or more each, with the rules for their fields.
// Field positions were learnt from compiled samples whose disassembly is known; docs: models/isa/FIELDS.md says what
// the rules leave in an Instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/core/architecture.h"
#include "models/isa/instruction.h"
#include "models/isa/opcode_traits.h"
#include "traces/cubin/instruction_bits.h"

namespace stc::cubin {

/// What a rule sees: the bits, the 3-bit operand form (bits 11:9), bit 91 and what the architecture has of its own.
struct Encoded {
  InstructionBits& bits;
  int form;
  bool extended;  ///< bit 91
  const Architecture& architecture;
  const EncodingTraits& has() const { return architecture.encoding; }
};

using Rule = void (*)(Encoded&, isa::Instruction&);

/// Operand forms that an operation exists in: bit f for form f, bit 8+f for form f with bit 91 set.
/// "B" and "C" say which source the middle field (bits 63:32) feeds.
using Forms = std::uint16_t;
constexpr Forms kReg = 1 << 1;         ///< all sources are registers
constexpr Forms kImmC = 1 << 2;        ///< immediate as C
constexpr Forms kConstC = 1 << 3;      ///< constant bank as C
constexpr Forms kImmB = 1 << 4;        ///< immediate as B
constexpr Forms kConstB = 1 << 5;      ///< constant bank as B
constexpr Forms kUniB = 1 << (8 + 6);  ///< uniform register as B
constexpr Forms kUniC = 1 << (8 + 7);  ///< uniform register as C
constexpr Forms kAllB = kReg | kImmB | kConstB | kUniB;
constexpr Forms kAllC = kReg | kImmC | kConstC | kUniC;
constexpr Forms kAllBC = kAllB | kAllC;
/// Uniform datapath: bit 91 is always set.
constexpr Forms kUniformReg = 1 << (8 + 1);
constexpr Forms kUniformImmC = 1 << (8 + 2);
constexpr Forms kUniformImmB = 1 << (8 + 4);
constexpr Forms kUniformAll = kUniformReg | kUniformImmB | kUniformImmC;
/// The form of one 13-bit opcode, for operations whose form digit has no operand meaning.
constexpr Forms only(int opcode) { return static_cast<Forms>(1 << (((opcode >> 9) & 7) + ((opcode >> 12) & 1) * 8)); }

constexpr CodeFamily kAmpere = CodeFamily::kAmpere, kHopper = CodeFamily::kHopper;
constexpr std::nullopt_t kBothFamilies = std::nullopt;

struct OpcodeRow {
  std::uint16_t base;  ///< bits 8:0
  Forms forms;
  isa::Opcode opcode;
  Rule rule;
  std::optional<CodeFamily> only_in = {};    ///< where the encoding exists, or has this meaning, in one family
  std::array<isa::Opcode, 3> variants = {};  ///< operations that the rule chooses instead, by the modifiers
};

/// A row's rule as a list of field rules, applied in order.
template <Rule... kRules>
void fields(Encoded& e, isa::Instruction& i) {
  (kRules(e, i), ...);
}

/// A part of the table.
struct OpcodeRows {
  const OpcodeRow* first;
  std::size_t count;
  const OpcodeRow* begin() const { return first; }
  const OpcodeRow* end() const { return first + count; }
};
template <std::size_t kCount>
constexpr OpcodeRows rows_of(const OpcodeRow (&rows)[kCount]) {
  return {rows, kCount};
}

/// Whether the rows decode the operations that models/isa/opcodes.def sends to `table`: all of them, and no other.
template <std::size_t kCount>
constexpr bool decodes(const OpcodeRow (&rows)[kCount], isa::DecoderTable table) {
  bool found[isa::kOpcodeCount] = {};
  for (const OpcodeRow& row : rows) {
    if (isa::traits_of(row.opcode).decoder != table) return false;
    found[static_cast<std::size_t>(row.opcode)] = true;
    for (const isa::Opcode variant : row.variants) found[static_cast<std::size_t>(variant)] = true;
  }
  for (const isa::OpcodeTraits& operation : isa::kOpcodeTraits) {
    if (operation.decoder == table && !found[static_cast<std::size_t>(operation.opcode)]) return false;
  }
  return true;
}

OpcodeRows integer_opcodes();
OpcodeRows float_opcodes();
OpcodeRows conversion_opcodes();
OpcodeRows matrix_opcodes();
OpcodeRows memory_opcodes();
OpcodeRows mbarrier_opcodes();
OpcodeRows control_opcodes();
OpcodeRows warpgroup_opcodes();
OpcodeRows bulk_opcodes();

}  // namespace stc::cubin
