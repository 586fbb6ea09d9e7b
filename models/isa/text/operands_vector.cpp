// SPDX-License-Identifier: Apache-2.0
// Operands of integer, floating-point and matrix operations.
#include <fmt/format.h>

#include "models/core/architecture.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/text/listing.h"
#include "models/isa/text/opcode_text.h"
#include "models/isa/text/operand_text.h"

namespace stc::isa::operands {
namespace {

std::string sources_of(const Instruction& i, int count, ImmediateStyle style) {
  Operands o(i);
  o.dest().source(i.a, style).source(i.b, style);
  return count == 3 ? o.source(i.c, style).str() : o.str();
}
std::string selection(const Instruction& i, ImmediateStyle style) {
  return Operands(i).dest().source(i.a, style).source(i.b, style).source(i.source_predicate0).str();
}
std::string compared(const Instruction& i, ImmediateStyle style) {
  Operands o(i);
  o.predicate_dest(i.dest_predicate0).predicate_dest(i.dest_predicate1);
  o.source(i.a, style).source(i.b, style).source(i.source_predicate0);
  return i.mod.extended ? o.source(i.source_predicate2).str() : o.str();
}
std::string fragments(const Instruction& i, const char* layout_a, const char* layout_b) {
  Operands o(i);
  o.dest().source(i.a, kHex, layout_a).source(i.b, kHex, layout_b).source(i.c);
  if (!i.mma.sparse) return o.str();
  return o.text(register_name(i.metadata_register) + (i.mod.variant == 1 ? ".reuse" : "")).hex(i.selector).str();
}
const char* predicates(const Instruction& i) { return sets_uniform_predicates(i.opcode) ? "UPR" : "PR"; }
const char* upper_half(const Instruction& i) { return i.mod.byte_select == 2 ? ".H1" : ""; }

}  // namespace

std::string none(const Instruction& /*i*/) { return ""; }
std::string unary(const Instruction& i) { return Operands(i).dest().source(i.b).str(); }
std::string unary_a(const Instruction& i) { return Operands(i).dest().source(i.a).str(); }
std::string unary_bitwise(const Instruction& i) { return Operands(i).dest().source(i.b, kHex, "", true).str(); }
std::string unary_float(const Instruction& i) { return Operands(i).dest().source(i.b, kFloat).str(); }
std::string unary_float_half(const Instruction& i) {
  return Operands(i).dest().source(i.b, kFloat, upper_half(i)).str();
}
std::string two_sources(const Instruction& i) { return sources_of(i, 2, kHex); }
std::string two_floats(const Instruction& i) { return sources_of(i, 2, kFloat); }
std::string pack_floats(const Instruction& i) {
  return i.mod.variant == 1 ? Operands(i).dest().source(i.b, kFloat).source(i.c).str() : two_floats(i);
}
std::string two_doubles(const Instruction& i) { return sources_of(i, 2, kDouble); }
std::string three_sources(const Instruction& i) { return sources_of(i, 3, kHex); }
std::string three_floats(const Instruction& i) { return sources_of(i, 3, kFloat); }
std::string three_doubles(const Instruction& i) { return sources_of(i, 3, kDouble); }
std::string select(const Instruction& i) { return selection(i, kHex); }
std::string select_signed(const Instruction& i) { return selection(i, kSignedHex); }
std::string select_float(const Instruction& i) { return selection(i, kFloat); }
std::string integer_comparison(const Instruction& i) { return compared(i, kSignedHex); }
std::string float_comparison(const Instruction& i) { return compared(i, kFloat); }
std::string double_comparison(const Instruction& i) { return compared(i, kDouble); }

// ---- integers ----

std::string special_register(const Instruction& i) {
  return Operands(i).dest().text(special_register_name(i.mod.special_register)).str();
}
std::string pack_predicates(const Instruction& i) {
  const ImmediateStyle mask = architecture_of(i.sm).spelling.unsigned_predicate_masks ? kHex : kSignedHex;
  return Operands(i).dest().text(predicates(i)).source(i.a).source(i.b, mask).str();
}
std::string unpack_predicates(const Instruction& i) {
  const std::string part = i.mod.byte_select == 0 ? "" : fmt::format(".B{}", i.mod.byte_select);
  Operands o(i);
  o.text(predicates(i)).source(i.a, kHex, part.c_str());
  const bool all = sets_uniform_predicates(i.opcode) && i.b.value == 0xff;
  return all ? o.str() : o.source(i.b).str();
}
std::string sum3(const Instruction& i) {
  const bool x = i.mod.extended;
  Operands o(i);
  o.dest().optional_dest(i.dest_predicate0).optional_dest(i.dest_predicate1);
  o.source(i.a, kSignedHex, "", x).source(i.b, kSignedHex, "", x).source(i.c, kSignedHex, "", x);
  return x ? o.source(i.source_predicate0).source(i.source_predicate1).str() : o.str();
}
std::string multiply_add(const Instruction& i) {
  Operands o(i);
  o.dest().optional_dest(i.dest_predicate0);
  o.source(i.a).source(i.b, kSignedHex).source(i.c, kSignedHex, "", i.mod.extended);
  return i.mod.extended ? o.source(i.source_predicate0).str() : o.str();
}
std::string lea(const Instruction& i) {
  Operands o(i);
  o.dest().optional_dest(i.dest_predicate0);
  o.source(i.a, kHex, "", i.mod.extended).source(i.b, kHex, "", i.mod.extended);
  if (i.mod.high && !i.mod.sx32) o.source(i.c);
  o.hex(i.mod.shift);
  return i.mod.extended ? o.source(i.source_predicate0).str() : o.str();
}
std::string logic3(const Instruction& i) {
  Operands o(i);
  o.optional_dest(i.dest_predicate0).dest();
  return o.source(i.a).source(i.b).source(i.c).hex(i.mod.lut).source(i.source_predicate0).str();
}
std::string predicate_logic(const Instruction& i) {
  Operands o(i);
  o.predicate_dest(i.dest_predicate0).predicate_dest(i.dest_predicate1);
  o.source(i.source_predicate0).source(i.source_predicate1).source(i.source_predicate2);
  return o.hex(i.mod.lut).hex(i.mod.lut1).str();
}
std::string sign_logic(const Instruction& i) {
  Operands o(i);
  o.predicate_dest(i.dest_predicate0).predicate_dest(i.dest_predicate1);
  o.source(i.a, kHex, ".SIGN").source(i.b, kHex, ".SIGN").source(i.c, kHex, ".SIGN");
  return o.hex(i.mod.lut).hex(i.mod.lut1).str();
}
std::string find_leading(const Instruction& i) {
  return Operands(i).dest().optional_dest(i.dest_predicate0).source(i.b, kHex, "", true).str();
}
std::string packed_minimum(const Instruction& i) {
  Operands o(i);
  o.dest().optional_dest(i.dest_predicate0).optional_dest(i.dest_predicate1);
  return o.source(i.a).source(i.b, kSignedHex).source(i.source_predicate0).str();
}
std::string select_of_three(const Instruction& i) {
  return Operands(i).dest().source(i.a).source(i.b).source(i.c).source(i.source_predicate0).str();
}
std::string absolute_difference(const Instruction& i) {
  return Operands(i).dest().optional_dest(i.dest_predicate0).source(i.a).source(i.b).source(i.c).str();
}
std::string lane_to_uniform(const Instruction& i) {
  return Operands(i).optional_dest(i.dest_predicate0).dest().source(i.a).str();
}
std::string code_address(const Instruction& i) {
  Operands o(i);
  o.dest();
  return i.mod.variant == 1 ? o.hex(i.target).str() : o.str();
}

// ---- conversions ----

std::string integer_part(const Instruction& i) {
  const bool halves = i.mod.source_type == ScalarType::kU16 || i.mod.source_type == ScalarType::kS16;
  const std::string part = fmt::format(".{}{}", halves ? "H" : "B", i.mod.byte_select);
  return Operands(i).dest().source(i.b, kHex, i.mod.byte_select == 0 ? "" : part.c_str()).str();
}
/// The part of the third source that stays is printed where the format leaves room for more than half of it.
std::string pack_integers(const Instruction& i) {
  const ScalarType to = i.mod.dest_type;
  const bool nibbles = to == ScalarType::kU4 || to == ScalarType::kS4;
  const bool pairs = to == ScalarType::kU2 || to == ScalarType::kS2;
  const char* kept = nibbles ? ".24" : pairs ? ".28" : upper_half(i);
  return Operands(i).dest().source(i.a).source(i.b, kSignedHex).source(i.c, kSignedHex, kept).str();
}
std::string unpack_fp8(const Instruction& i) { return Operands(i).dest().source(i.b, kHex, upper_half(i)).str(); }
std::string pack_fp8(const Instruction& i) {
  Operands o(i);
  o.dest();
  if (i.mod.source_type != ScalarType::kF16x2) o.source(i.a);
  return o.source(i.b).source(i.c, kHex, upper_half(i)).str();
}

// ---- floating point, matrices ----

std::string division_check(const Instruction& i) {
  return Operands(i).predicate_dest(i.dest_predicate0).source(i.a, kFloat).source(i.b, kFloat).str();
}
ImmediateStyle style_of_argument(const Modifiers& mod) {
  if (mod.source_type == ScalarType::kF16) return ImmediateStyle::kHalf;
  if (mod.source_type == ScalarType::kBf16) return ImmediateStyle::kBrain;
  return mod.mufu == MufuFunction::kRcp64h || mod.mufu == MufuFunction::kRsq64h ? kDouble : kFloat;
}
std::string function(const Instruction& i) {
  return Operands(i).dest().source(i.b, style_of_argument(i.mod)).str() + (i.mod.swizzle_b != 0 ? ".H1" : "");
}
std::string matrix(const Instruction& i) { return fragments(i, "", ""); }
std::string integer_matrix(const Instruction& i) { return fragments(i, ".ROW", ".COL"); }

}  // namespace stc::isa::operands
