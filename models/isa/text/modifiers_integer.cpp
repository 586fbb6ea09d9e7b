// SPDX-License-Identifier: Apache-2.0
// Modifiers of moves and of integer operations.
#include <fmt/format.h>

#include "models/isa/text/modifier_text.h"
#include "models/isa/text/opcode_text.h"

namespace stc::isa::modifiers {
namespace {

bool is_rz(const Operand& o) { return o.kind == Operand::Kind::kRegister && o.index == kRegisterZero; }

/// IMAD that only moves, adds or shifts is printed under that name.
const char* imad_alias(const Instruction& i) {
  if (i.mod.extended || i.c.kind == Operand::Kind::kUniform || i.b.kind == Operand::Kind::kUniform) return nullptr;
  const bool immediate = i.b.kind == Operand::Kind::kImmediate;
  if (is_rz(i.a) || is_rz(i.b) || (immediate && (i.b.value == 0 || (i.b.value == 1 && is_rz(i.c))))) return "MOV";
  if (immediate && i.b.value == 1) return "IADD";
  const std::uint32_t v = i.b.value;
  const bool shift = immediate && v != 0 && (v & (v - 1)) == 0 && v != 0x10000 && v != 0x80000000;
  return shift && is_rz(i.c) ? "SHL" : nullptr;
}

}  // namespace

std::string none(const Instruction& /*i*/) { return ""; }
std::string narrow(const Instruction& i) { return i.mod.is_64bit ? "" : ".32"; }
std::string or_of_lanes(const Instruction& i) { return i.mod.variant == 1 ? ".OR" : ""; }
std::string byte_number(const Instruction& i) {
  return i.mod.byte_select == 0 ? "" : fmt::format(".B{}", i.mod.byte_select);
}
std::string permute_mode(const Instruction& i) {
  static constexpr const char* kModes[] = {"", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16", ".MODE7"};
  return kModes[i.mod.prmt_mode & 7];
}

std::string carry_in(const Instruction& i) { return i.mod.extended ? ".X" : i.mod.is_64bit ? ".64" : ""; }
std::string halves(const Instruction& i) { return i.mod.variant == 1 ? ".16x2" : ""; }
std::string product(const Instruction& i) { return Text().add("U32", !i.mod.is_signed).add("X", i.mod.extended).str(); }
std::string multiply_alias(const Instruction& i) {
  const char* alias = imad_alias(i);
  return (alias != nullptr ? std::string(".") + alias : "") + product(i);
}
std::string lea(const Instruction& i) {
  return Text().add("HI", i.mod.high).add("X", i.mod.extended).add("SX32", i.mod.sx32).str();
}
std::string predicate_and(const Instruction& i) { return i.mod.predicate_and ? ".PAND" : ""; }
std::string shift(const Instruction& i) {
  const Modifiers& m = i.mod;
  const char* type = m.is_64bit ? (m.is_signed ? "S64" : "U64") : (m.is_signed ? "S32" : "U32");
  return Text().add(m.right ? "R" : "L").add("W", m.wrap).add(type).add("HI", m.high).str();
}
std::string integer_comparison(const Instruction& i) {
  const Modifiers& m = i.mod;
  return Text().add(name_of(m.compare)).add("U32", !m.is_signed).add(name_of(m.bool_op)).add("EX", m.extended).str();
}
std::string unsigned_type(const Instruction& i) { return i.mod.is_signed ? "" : ".U32"; }
std::string find_leading(const Instruction& i) {
  return Text().add("U32", !i.mod.is_signed).add("SH", i.mod.variant == 1).str();
}
std::string wrap(const Instruction& i) { return i.mod.wrap ? ".W" : ""; }
std::string extension(const Instruction& i) { return Text().add("W", i.mod.wrap).add("U32", !i.mod.is_signed).str(); }
std::string dot_product(const Instruction& i) {
  static constexpr const char* kNames[] = {"4A", "2A.LO", "2A.HI"};
  return Text().add(kNames[i.mod.variant]).add(name_of(i.mod.source_type)).add(name_of(i.mod.dest_type)).str();
}
std::string difference_of_bytes(const Instruction& i) {
  return Text().add("U8", !i.mod.is_signed).add("ACC", i.mod.variant == 1).str();
}
std::string packed(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  if (m.variant == 1) {
    t.add(m.is_signed ? "S16x2" : "U16x2");
  } else {
    t.add("U32", !m.is_signed);
  }
  return t.add("RELU", m.relu).str();
}

}  // namespace stc::isa::modifiers
