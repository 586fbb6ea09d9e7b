// SPDX-License-Identifier: Apache-2.0
// Field rules shared by many operations: registers, the A/B/C operand slots in all forms, predicates, single bits.
#pragma once

#include "traces/cubin/opcode_table.h"

namespace stc::cubin {

/// Which sign modifiers an operand slot has. `fp16`: negation and absolute value of C sit elsewhere (84, 83).
enum class Sign { kNone, kNegate, kNegateAbsolute };

// Destinations.
void rd(Encoded& e, isa::Instruction& i);   ///< bits 23:16
void urd(Encoded& e, isa::Instruction& i);  ///< bits 21:16
void pu(Encoded& e, isa::Instruction& i);   ///< bits 83:81
void pv(Encoded& e, isa::Instruction& i);   ///< bits 86:84
// Source predicates; u... are uniform predicates.
void pp(Encoded& e, isa::Instruction& i);  ///< bits 89:87, negate 90
void pq(Encoded& e, isa::Instruction& i);  ///< bits 79:77, negate 80
void pr(Encoded& e, isa::Instruction& i);  ///< bits 70:68, negate 71
void upp(Encoded& e, isa::Instruction& i);
void upq(Encoded& e, isa::Instruction& i);
void upr(Encoded& e, isa::Instruction& i);

isa::Operand register_at(InstructionBits& bits, int lsb);
isa::Operand uniform_at(InstructionBits& bits, int lsb);
isa::PredicateOperand predicate_at(InstructionBits& bits, int lsb, int negate_bit);

/// Slot A (bits 31:24, negate 72, absolute 73).
void read_a(Encoded& e, isa::Instruction& i, Sign sign);
/// The middle field (bits 63:32): register, immediate, constant or uniform register by the form.
isa::Operand read_middle(Encoded& e, Sign sign);
/// The high field (bits 71:64, negate 75, absolute 74).
isa::Operand read_high(Encoded& e, Sign sign);
/// True when the middle field feeds C and the high field B.
bool swapped(const Encoded& e);

template <Sign kSign>
void src_a(Encoded& e, isa::Instruction& i) {
  read_a(e, i, kSign);
}
/// B in the middle field whatever the form: operations with at most two sources.
template <Sign kSign>
void src_b(Encoded& e, isa::Instruction& i) {
  i.b = read_middle(e, kSign);
}
/// B and C in the middle and high field, swapped by the form.
template <Sign kSignB, Sign kSignC>
void src_bc(Encoded& e, isa::Instruction& i) {
  if (swapped(e)) {
    i.c = read_middle(e, kSignC);
    i.b = read_high(e, kSignB);
  } else {
    i.b = read_middle(e, kSignB);
    i.c = read_high(e, kSignC);
  }
}

template <int kBit, bool isa::Modifiers::*kMember>
void flag(Encoded& e, isa::Instruction& i) {
  i.mod.*kMember = e.bits.flag(kBit);
}
/// A bit that selects `variant` 1.
template <int kBit>
void variant_flag(Encoded& e, isa::Instruction& i) {
  i.mod.variant = e.bits.flag(kBit) ? 1 : 0;
}
template <int kLsb, int kWidth, int kValue>
void fixed(Encoded& e, isa::Instruction&) {
  e.bits.require(kLsb, kWidth, kValue, "a field");
}
template <std::uint16_t kVariant>
void variant(Encoded&, isa::Instruction& i) {
  i.mod.variant = kVariant;
}

void rounding_79_78(Encoded& e, isa::Instruction& i);
void special_register(Encoded& e, isa::Instruction& i);  ///< bits 79:72

}  // namespace stc::cubin
