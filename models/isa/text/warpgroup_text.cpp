// SPDX-License-Identifier: Apache-2.0
// Modifiers and operands of warpgroup instructions.
#include <fmt/format.h>

#include "models/isa/text/modifier_text.h"
#include "models/isa/text/opcode_text.h"
#include "models/isa/text/operand_text.h"

namespace stc::isa {
namespace {

std::string tile_of(const MmaOp& op) { return fmt::format("{}.{}x{}x{}", op.sparse ? ".SP" : "", op.m, op.n, op.k); }
const char* accumulator_format(const MmaOp& op) { return op.c == NumberFormat::f32 ? ".F32" : ".F16"; }
const char* byte_format(NumberFormat format) { return format == NumberFormat::e5m2 ? ".E5M2" : ".E4M3"; }
const char* integer_format_of(NumberFormat format) { return format == NumberFormat::s8 ? ".S8" : ".U8"; }

/// "gdesc[UR4].negA.negB.tnspA.tnspB": descriptors of the operands that are in shared memory.
std::string descriptors(const Instruction& i) {
  const bool in_memory = i.a.kind == Operand::Kind::kNone;
  modifiers::Text t;
  t.raw(fmt::format("gdesc[{}]", operands::uniform_name(i.b.index)));
  t.add("negA", in_memory && i.a.negate).add("negB", i.b.negate);
  return t.add("tnspA", (i.mod.variant & 1) != 0).add("tnspB", (i.mod.variant & 2) != 0).str();
}

}  // namespace

namespace modifiers {

std::string warpgroup_floats(const Instruction& i) {
  const char* const format = i.mma.a == NumberFormat::bf16 ? ".BF16" : i.mma.a == NumberFormat::tf32 ? ".TF32" : "";
  return tile_of(i.mma) + accumulator_format(i.mma) + format;
}
std::string warpgroup_bytes(const Instruction& i) {
  return tile_of(i.mma) + accumulator_format(i.mma) + byte_format(i.mma.a) + byte_format(i.mma.b);
}
std::string warpgroup_integers(const Instruction& i) {
  return tile_of(i.mma) + integer_format_of(i.mma.a) + integer_format_of(i.mma.b) + (i.mma.saturate ? ".SAT" : "");
}
std::string warpgroup_bits(const Instruction& i) { return tile_of(i.mma) + ".AND.POPC"; }
std::string warpgroup_order(const Instruction& i) { return i.mod.variant == 1 ? ".DEPBAR.LE" : ".ARRIVE"; }
std::string register_pool(const Instruction& i) {
  return i.mod.variant == 1 ? ".DEALLOC.CTAPOOL" : ".TRY_ALLOC.CTAPOOL";
}

}  // namespace modifiers

namespace operands {

std::string warpgroup_matrix(const Instruction& i) {
  Operands o(i);
  o.dest();
  if (i.a.kind == Operand::Kind::kRegister) o.source(i.a);
  o.text(descriptors(i)).source(i.c).optional_source(i.source_predicate0);
  if (i.mma.sparse) {
    o.text(register_name(i.metadata_register));
    if (bits_of(i.mma.a) > 8) o.hex(i.selector);
  }
  return i.mod.barrier == 0 ? o.text("gsb0").str() : o.str();
}
std::string warpgroup_order(const Instruction& i) {
  return i.mod.variant == 1 ? Operands(i).text("gsb0").hex(i.mod.depbar_count).str() : "";
}
std::string register_pool(const Instruction& i) {
  return Operands(i).optional_dest(i.dest_predicate0).source(i.b).str();
}

}  // namespace operands
}  // namespace stc::isa
