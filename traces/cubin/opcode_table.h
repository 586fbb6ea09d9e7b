// SPDX-License-Identifier: Apache-2.0
// The opcode table: one row per operation of sm_80 and sm_90, naming its encodings and the rules for its fields.
// Field positions were learnt from compiled samples whose disassembly is known; docs: models/isa/FIELDS.md says what
// the rules leave in an Instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "traces/cubin/instruction_bits.h"

namespace stc::cubin {

/// What a rule sees: the bits, the 3-bit operand form (bits 11:9), bit 91 and the architecture.
struct Encoded {
  InstructionBits& bits;
  int form;
  bool extended;  ///< bit 91
  int sm;
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

constexpr int kBothArchitectures = 0;

struct OpcodeRow {
  std::uint16_t base;  ///< bits 8:0
  Forms forms;
  isa::Opcode opcode;
  Rule rule;
  int sm = kBothArchitectures;  ///< 80 or 90 when the encoding exists (or has this meaning) there only
};

/// A row's rule as a list of field rules, applied in order.
template <Rule... kRules>
void fields(Encoded& e, isa::Instruction& i) {
  (kRules(e, i), ...);
}

/// The parts of the table.
const std::vector<OpcodeRow>& integer_opcodes();
const std::vector<OpcodeRow>& float_opcodes();
const std::vector<OpcodeRow>& conversion_opcodes();
const std::vector<OpcodeRow>& matrix_opcodes();
const std::vector<OpcodeRow>& memory_opcodes();
const std::vector<OpcodeRow>& mbarrier_opcodes();
const std::vector<OpcodeRow>& control_opcodes();

}  // namespace stc::cubin
