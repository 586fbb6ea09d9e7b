// SPDX-License-Identifier: Apache-2.0
// Operands of operations on pairs of 16-bit numbers.
#include "models/isa/text/opcode_text.h"
#include "models/isa/text/operand_text.h"

namespace stc::isa::operands {
namespace {

const char* swizzle(std::uint8_t code) {
  static constexpr const char* kNames[] = {"", ".F32", ".H0_H0", ".H1_H1", ".H0_NH1"};
  return kNames[code];
}

/// The sources; all but HFMA2.MMA print constants with a space between bank and offset.
void add_sources(const Instruction& i, bool spaced, Operands& o) {
  const auto style = i.mod.pack_bf16 ? ImmediateStyle::kBrainPair : ImmediateStyle::kHalfPair;
  const auto add = [&](const Operand& source, std::uint8_t code) {
    std::string text = source_text(source, style, swizzle(code));
    const auto split = text.find("][");
    if (spaced && source.kind == Operand::Kind::kConstant && split != std::string::npos) text.insert(split + 1, " ");
    o.text(text);
  };
  add(i.a, i.mod.swizzle_a);
  add(i.b, i.mod.swizzle_b);
  if (i.c.kind != Operand::Kind::kNone) add(i.c, i.mod.swizzle_c);
}

}  // namespace

std::string half(const Instruction& i) {
  Operands o(i);
  add_sources(i, true, o.dest());
  return o.str();
}
std::string half_packed_constant(const Instruction& i) {
  Operands o(i);
  add_sources(i, false, o.dest());
  return o.str();
}
std::string half_with_predicate(const Instruction& i) {
  Operands o(i);
  add_sources(i, true, o.dest());
  return o.source(i.source_predicate0).str();
}
std::string half_comparison(const Instruction& i) {
  Operands o(i);
  add_sources(i, true, o.predicate_dest(i.dest_predicate0).predicate_dest(i.dest_predicate1));
  return o.source(i.source_predicate0).str();
}

}  // namespace stc::isa::operands
