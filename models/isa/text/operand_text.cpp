// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/operand_text.h"

#include <fmt/format.h>

#include "models/isa/opcode_traits.h"
#include "models/isa/text/immediate_text.h"

namespace stc::isa::operands {
namespace {

std::string numbered_predicate(std::uint8_t index, bool uniform) {
  const char* prefix = uniform ? "UP" : "P";
  return index == kPredicateTrue ? fmt::format("{}T", prefix) : fmt::format("{}{}", prefix, index);
}

/// Offsets into constant banks are 16 bits, printed signed.
std::string offset_text(std::uint32_t offset) { return signed_hex_text(static_cast<std::int16_t>(offset)); }

std::string immediate(std::uint32_t value, ImmediateStyle style) {
  switch (style) {
    case ImmediateStyle::kHex: return fmt::format("{:#x}", value);
    case ImmediateStyle::kSignedHex: return signed_hex_text(static_cast<std::int32_t>(value));
    case ImmediateStyle::kFloat: return float_text(value);
    case ImmediateStyle::kDouble: return double_text(value);
    case ImmediateStyle::kHalf: return half_text(value);
    case ImmediateStyle::kBrain: return brain_text(value);
    case ImmediateStyle::kHalfPair: return half_text(value >> 16) + ", " + half_text(value & 0xffff);
    case ImmediateStyle::kBrainPair: return brain_text(value >> 16) + ", " + brain_text(value & 0xffff);
  }
  return "";
}

std::string address_text(const Instruction& i, bool names_uniform) {
  const MemoryFields& m = i.mem;
  std::string base;
  if (m.address_register != kRegisterZero || (m.uniform_register == kUniformZero && !names_uniform)) {
    base = register_name(m.address_register);
    if (m.address_register == kRegisterZero && m.offset != 0 && !m.address_64bit) base.clear();
  }
  const bool uniform_form = (i.encoding >> 12) != 0;
  if (!base.empty() && m.address_64bit && uniform_form) base += ".64";
  if (!base.empty() && m.index_scale != 1) base += fmt::format(".X{}", m.index_scale);
  if (m.uniform_register != kUniformZero || names_uniform) {
    base += (base.empty() ? "" : "+") + uniform_name(m.uniform_register);
  }
  const std::string text = "[" + with_offset(base, m.offset) + "]";
  return m.descriptor_shown ? fmt::format("desc[{}]{}", uniform_name(m.descriptor), text) : text;
}

}  // namespace

std::string register_name(std::uint8_t index) { return index == kRegisterZero ? "RZ" : fmt::format("R{}", index); }
std::string uniform_name(std::uint8_t index) { return index == kUniformZero ? "URZ" : fmt::format("UR{}", index); }
std::string predicate_name(const PredicateOperand& p) {
  return (p.negate ? "!" : "") + numbered_predicate(p.index, p.uniform);
}

std::string source_text(const Operand& o, ImmediateStyle style, const char* suffix, bool bitwise) {
  std::string body;
  switch (o.kind) {
    case Operand::Kind::kNone: return "";
    case Operand::Kind::kRegister: body = register_name(o.index); break;
    case Operand::Kind::kUniform: body = uniform_name(o.index); break;
    case Operand::Kind::kImmediate: return immediate(o.value, style);
    case Operand::Kind::kConstant: body = fmt::format("c[{:#x}][{}]", o.bank, offset_text(o.value)); break;
    case Operand::Kind::kConstantUniformBase:
      body = fmt::format("c[{}][{}]", uniform_name(o.index), offset_text(o.value));
      break;
  }
  if (o.absolute) body = "|" + body + "|";
  if (o.reuse) body += ".reuse";
  body += suffix;
  if (o.negate) body = (bitwise ? "~" : "-") + body;
  return body;
}

Operands& Operands::text(const std::string& text) {
  parts_.push_back(text);
  return *this;
}
Operands& Operands::dest() {
  return text(is_uniform_operation(i_.opcode) ? uniform_name(i_.dest) : register_name(i_.dest));
}
Operands& Operands::predicate_dest(std::uint8_t index) {
  return text(numbered_predicate(index, sets_uniform_predicates(i_.opcode)));
}
Operands& Operands::optional_dest(std::uint8_t index) {
  return index == kPredicateTrue ? *this : predicate_dest(index);
}
Operands& Operands::optional_source(const PredicateOperand& p) {
  return p.index == kPredicateTrue && !p.negate ? *this : source(p);
}
Operands& Operands::source(const Operand& o, ImmediateStyle style, const char* suffix, bool bitwise) {
  return text(source_text(o, style, suffix, bitwise));
}
Operands& Operands::hex(std::uint32_t value) { return text(fmt::format("{:#x}", value)); }
std::string Operands::str() const {
  std::string all;
  for (const std::string& part : parts_) all += (all.empty() ? "" : ", ") + part;
  return all;
}

std::string with_offset(const std::string& base, std::int32_t offset) {
  if (offset == 0) return base;
  if (base.empty()) return fmt::format("{:#x}", static_cast<std::uint32_t>(offset) & 0xffffff);
  return base + "+" + signed_hex_text(offset);
}

std::string address(const Instruction& i) { return address_text(i, false); }
std::string address_with_uniform(const Instruction& i) { return address_text(i, true); }

std::string constant_address(const Operand& o, const std::string& index, const char* zero_offset) {
  const std::string bank =
      o.kind == Operand::Kind::kConstantUniformBase ? uniform_name(o.index) : fmt::format("{:#x}", o.bank);
  if (!index.empty()) return fmt::format("c[{}][{}]", bank, with_offset(index, static_cast<std::int32_t>(o.value)));
  return fmt::format("c[{}][{}]", bank, o.value == 0 ? zero_offset : offset_text(o.value));
}

}  // namespace stc::isa::operands
