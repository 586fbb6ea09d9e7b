// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::Operand;
using isa::PredicateOperand;

void rd(Encoded& e, Instruction& i) { i.dest = e.bits.get<std::uint8_t>(16, 8); }
void urd(Encoded& e, Instruction& i) { i.dest = e.bits.get<std::uint8_t>(16, 6); }
void pu(Encoded& e, Instruction& i) { i.dest_predicate0 = e.bits.get<std::uint8_t>(81, 3); }
void pv(Encoded& e, Instruction& i) { i.dest_predicate1 = e.bits.get<std::uint8_t>(84, 3); }

PredicateOperand predicate_at(InstructionBits& bits, int lsb, int negate_bit) {
  PredicateOperand p;
  p.index = bits.get<std::uint8_t>(lsb, 3);
  p.negate = bits.flag(negate_bit);
  return p;
}

void pp(Encoded& e, Instruction& i) { i.source_predicate0 = predicate_at(e.bits, 87, 90); }
void pq(Encoded& e, Instruction& i) { i.source_predicate1 = predicate_at(e.bits, 77, 80); }
void pr(Encoded& e, Instruction& i) { i.source_predicate2 = predicate_at(e.bits, 68, 71); }
void upp(Encoded& e, Instruction& i) {
  pp(e, i);
  i.source_predicate0.uniform = true;
}
void upq(Encoded& e, Instruction& i) {
  pq(e, i);
  i.source_predicate1.uniform = true;
}
void upr(Encoded& e, Instruction& i) {
  pr(e, i);
  i.source_predicate2.uniform = true;
}

Operand register_at(InstructionBits& bits, int lsb) {
  Operand o;
  o.kind = Operand::Kind::kRegister;
  o.index = bits.get<std::uint8_t>(lsb, 8);
  return o;
}

Operand uniform_at(InstructionBits& bits, int lsb) {
  Operand o;
  o.kind = Operand::Kind::kUniform;
  o.index = bits.get<std::uint8_t>(lsb, 6);
  return o;
}

namespace {

bool uniform_datapath(const Encoded& e) { return e.extended && e.form < 5; }

void read_sign(InstructionBits& bits, Operand& o, Sign sign, int negate_bit, int absolute_bit) {
  if (sign != Sign::kNone) o.negate = bits.flag(negate_bit);
  if (sign == Sign::kNegateAbsolute) o.absolute = bits.flag(absolute_bit);
}

Operand constant_at_middle(Encoded& e) {
  Operand o;
  if (e.extended) {
    o.kind = Operand::Kind::kConstantUniformBase;
    o.index = e.bits.get<std::uint8_t>(32, 6);
  } else {
    o.kind = Operand::Kind::kConstant;
    o.bank = e.bits.get<std::uint8_t>(54, 5);
  }
  o.value = e.bits.get<std::uint32_t>(40, 14) * 4;  // words; bits 39:38 would be the byte
  return o;
}

}  // namespace

bool swapped(const Encoded& e) { return e.form == 2 || e.form == 3 || e.form == 7; }

void read_a(Encoded& e, Instruction& i, Sign sign) {
  i.a = uniform_datapath(e) ? uniform_at(e.bits, 24) : register_at(e.bits, 24);
  read_sign(e.bits, i.a, sign, 72, 73);
}

Operand read_middle(Encoded& e, Sign sign) {
  Operand o;
  switch (e.form) {
    case 1: o = uniform_datapath(e) ? uniform_at(e.bits, 32) : register_at(e.bits, 32); break;
    case 2:
    case 4:
      o.kind = Operand::Kind::kImmediate;
      o.value = e.bits.get<std::uint32_t>(32, 32);
      return o;
    case 3:
    case 5: o = constant_at_middle(e); break;
    case 6:
    case 7: o = uniform_at(e.bits, 32); break;
    default: throw UndecodableBits("operand form 0");
  }
  read_sign(e.bits, o, sign, 63, 62);
  return o;
}

Operand read_high(Encoded& e, Sign sign) {
  Operand o = uniform_datapath(e) ? uniform_at(e.bits, 64) : register_at(e.bits, 64);
  read_sign(e.bits, o, sign, 75, 74);
  return o;
}

void rounding_79_78(Encoded& e, Instruction& i) { i.mod.rounding = static_cast<isa::Rounding>(e.bits.take(78, 2)); }
void special_register(Encoded& e, Instruction& i) { i.mod.special_register = e.bits.get<std::uint8_t>(72, 8); }

}  // namespace stc::cubin
