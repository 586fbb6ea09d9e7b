// SPDX-License-Identifier: Apache-2.0
// Shorthands that build instructions and their operands, for tests.
#pragma once

#include "models/isa/instruction.h"

namespace stc::isa {

inline Operand reg(int index) {
  Operand o;
  o.kind = Operand::Kind::kRegister;
  o.index = static_cast<std::uint8_t>(index);
  return o;
}
inline Operand rz() { return reg(kRegisterZero); }
inline Operand uniform(int index) {
  Operand o;
  o.kind = Operand::Kind::kUniform;
  o.index = static_cast<std::uint8_t>(index);
  return o;
}
inline Operand imm(std::uint32_t value) {
  Operand o;
  o.kind = Operand::Kind::kImmediate;
  o.value = value;
  return o;
}
inline Operand constant(std::uint32_t offset) {
  Operand o;
  o.kind = Operand::Kind::kConstant;
  o.value = offset;
  return o;
}
inline Operand negated(Operand o) {
  o.negate = true;
  return o;
}
inline Operand magnitude(Operand o) {
  o.absolute = true;
  return o;
}
inline PredicateOperand pred(int index, bool negate = false) {
  PredicateOperand p;
  p.index = static_cast<std::uint8_t>(index);
  p.negate = negate;
  return p;
}

inline Instruction make(Opcode opcode, int dest = kRegisterZero, Operand a = {}, Operand b = {}, Operand c = {}) {
  Instruction i;
  i.opcode = opcode;
  i.dest = static_cast<std::uint8_t>(dest);
  i.a = a;
  i.b = b;
  i.c = c;
  return i;
}

}  // namespace stc::isa
