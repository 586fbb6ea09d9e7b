// SPDX-License-Identifier: Apache-2.0
// Modifiers of floating-point and matrix operations.
#include <fmt/format.h>

#include "models/core/architecture.h"
#include "models/isa/text/modifier_text.h"
#include "models/isa/text/opcode_text.h"

namespace stc::isa::modifiers {
namespace {

const char* format_suffix(NumberFormat format) {
  if (format == NumberFormat::bf16) return ".BF16";
  return format == NumberFormat::tf32 ? ".TF32" : "";
}
const char* integer_format(NumberFormat format) {
  if (format == NumberFormat::s8) return ".S8";
  if (format == NumberFormat::u8) return ".U8";
  return format == NumberFormat::s4 ? ".S4" : ".U4";
}
Text shape(const MmaOp& op) {
  Text t;
  t.add("SP", op.sparse).raw(fmt::format(".{}{}{}", op.m, op.n, op.k));
  return t;
}

}  // namespace

std::string rounded(const Instruction& i) {
  return Text().add("FTZ", i.mod.ftz).raw(arithmetic_rounding(i.mod.rounding)).add("SAT", i.mod.saturate).str();
}
std::string comparison(const Instruction& i) {
  return Text().add(name_of(i.mod.compare)).add("FTZ", i.mod.ftz).add(name_of(i.mod.bool_op)).str();
}
/// In DSETP the two constant comparisons are minimum and maximum instead.
std::string double_comparison(const Instruction& i) {
  if (i.mod.compare == Compare::kFalse) return Text().add("MIN").add(name_of(i.mod.bool_op)).str();
  if (i.mod.compare == Compare::kTrue) return Text().add("MAX").add(name_of(i.mod.bool_op)).str();
  return comparison(i);
}
std::string flush(const Instruction& i) { return i.mod.ftz ? ".FTZ" : ""; }
std::string minimum(const Instruction& i) {
  const unsigned modes = i.mod.variant;
  return Text().add("FTZ", i.mod.ftz).add("NAN", (modes & 1) != 0).add("XORSIGN", (modes & 2) != 0).str();
}
std::string function(const Instruction& i) {
  static constexpr const char* kNames[] = {".COS", ".SIN",    ".EX2",    ".LG2",  ".RCP",
                                           ".RSQ", ".RCP64H", ".RSQ64H", ".SQRT", ".TANH"};
  const bool f16 = i.mod.source_type == ScalarType::kF16, bf16 = i.mod.source_type == ScalarType::kBf16;
  return std::string(kNames[static_cast<int>(i.mod.mufu)]) + (f16 ? ".F16" : bf16 ? ".BF16" : "");
}

std::string half_arithmetic(const Instruction& i) {
  const Modifiers& m = i.mod;
  return Text()
      .add("F32", m.dest_type == ScalarType::kF32)
      .add("BF16_V2", m.pack_bf16)
      .add("FTZ", m.ftz)
      .add("RELU", m.relu)
      .add("SAT", m.saturate)
      .str();
}
std::string half_set(const Instruction& i) {
  return Text().add("BF16_V2", i.mod.pack_bf16).add("BF", i.mod.variant == 1).raw(comparison(i)).str();
}
std::string half_comparison(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t;
  t.add("BF16_V2", m.pack_bf16).add(name_of(m.compare)).add("FTZ", m.ftz);
  return t.add("H_AND", m.variant == 1).add(name_of(m.bool_op)).str();
}
std::string half_minimum(const Instruction& i) { return Text().add("BF16_V2", i.mod.pack_bf16).raw(minimum(i)).str(); }

std::string half_matrix(const Instruction& i) {
  return shape(i.mma).add(i.mma.c == NumberFormat::f32 ? "F32" : "F16").raw(format_suffix(i.mma.a)).str();
}
std::string integer_matrix(const Instruction& i) {
  return shape(i.mma).raw(integer_format(i.mma.a)).raw(integer_format(i.mma.b)).add("SAT", i.mma.saturate).str();
}
std::string bit_matrix(const Instruction& i) {
  return shape(i.mma).add(i.mma.exclusive_or ? "XOR" : "AND").add("POPC").str();
}
std::string double_matrix(const Instruction& i) {
  if (i.mma.m == 16) return fmt::format(".16x8x{}", i.mma.k);
  return architecture_of(i.sm).spelling.double_matrix;
}

}  // namespace stc::isa::modifiers
