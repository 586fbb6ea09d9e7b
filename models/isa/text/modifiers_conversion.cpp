// SPDX-License-Identifier: Apache-2.0
// Modifiers of conversions: types are left out where they are the usual ones.
#include "models/core/architecture.h"
#include "models/isa/text/modifier_text.h"
#include "models/isa/text/opcode_text.h"

namespace stc::isa::modifiers {

std::string float_to_float(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  t.add("FTZ", m.ftz).add(name_of(m.dest_type)).add(name_of(m.source_type));
  return t.raw(arithmetic_rounding(m.rounding)).str();
}
std::string float_to_integer(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  t.add("FTZ", m.ftz).add(name_of(m.dest_type), m.dest_type != ScalarType::kS32);
  t.add(name_of(m.source_type), m.source_type != ScalarType::kF32);
  return t.raw(integer_rounding(m.rounding)).add("NTZ", m.variant == 1).str();
}
std::string integer_to_float(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  t.add(name_of(m.dest_type), m.dest_type != ScalarType::kF32);
  t.add(name_of(m.source_type), m.source_type != ScalarType::kS32);
  return t.raw(arithmetic_rounding(m.rounding)).str();
}
std::string round_to_integral(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  t.add("FTZ", m.ftz).add(name_of(m.dest_type), m.dest_type != ScalarType::kF32);
  return t.add(name_of(m.source_type), m.source_type != m.dest_type).raw(integer_rounding(m.rounding)).str();
}
std::string word_to_float(const Instruction& i) {
  return Text().add("F32").add(name_of(i.mod.source_type)).raw(arithmetic_rounding(i.mod.rounding)).str();
}
std::string saturating_integer(const Instruction& i) {
  return Text().add(name_of(i.mod.dest_type)).add("S32.SAT").str();
}

std::string pack_floats(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  t.add("SATFINITE", m.saturate).add("RELU", m.relu);
  if (architecture_of(i.sm).spelling.formats_of_packed_floats) {
    t.add(m.pack_bf16 ? "BF16" : "F16").add("F32");
  } else {
    t.add("BF16", m.pack_bf16);
  }
  return t.add(m.variant == 1 ? "MERGE_C" : "PACK_AB").raw(arithmetic_rounding(m.rounding)).str();
}
std::string pack_tf32(const Instruction& i) {
  return Text().add("RELU", i.mod.relu).add("TF32.F32.PACK_B").raw(arithmetic_rounding(i.mod.rounding)).str();
}
std::string pack_fp8(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  const bool of_halves = m.source_type == ScalarType::kF16x2;
  t.add("SATFINITE", m.saturate).add("RELU", m.relu).add(name_of(m.dest_type));
  return t.add(of_halves ? "F16.UNPACK_B_MERGE_C" : "F32.PACK_AB_MERGE_C").str();
}
std::string unpack_fp8(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  t.add("RELU", m.relu).add(m.pack_bf16 ? "BF16" : "F16").add(name_of(m.source_type));
  return t.add("UNPACK_B").str();
}
std::string pack_float_integers(const Instruction& i) {
  return Text().add(name_of(i.mod.dest_type)).add("F32").raw(integer_rounding(i.mod.rounding)).add("NTZ").str();
}

}  // namespace stc::isa::modifiers
