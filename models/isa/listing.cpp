// SPDX-License-Identifier: Apache-2.0
#include "models/isa/listing.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "models/isa/execute.h"
#include "models/isa/immediate_text.h"

namespace stc::isa {
namespace {

/// Offsets into constant banks are 16 bits, printed signed.
std::string offset_text(std::uint32_t offset) { return signed_hex_text(static_cast<std::int16_t>(offset)); }
std::string gpr(std::uint8_t index) { return index == kRegisterZero ? "RZ" : fmt::format("R{}", index); }
std::string ugpr(std::uint8_t index) { return index == kUniformZero ? "URZ" : fmt::format("UR{}", index); }
std::string predicate(std::uint8_t index, bool uniform) {
  const char* prefix = uniform ? "UP" : "P";
  return index == kPredicateTrue ? fmt::format("{}T", prefix) : fmt::format("{}{}", prefix, index);
}
std::string predicate(const PredicateOperand& p) { return (p.negate ? "!" : "") + predicate(p.index, p.uniform); }

/// How an immediate is printed: unsigned or signed hexadecimal, or as the number whose bits it holds.
enum class ImmediateStyle { kHex, kSignedHex, kFloat, kDouble, kHalfPair, kBrainPair };

std::string immediate(std::uint32_t value, ImmediateStyle style) {
  switch (style) {
    case ImmediateStyle::kHex: return fmt::format("{:#x}", value);
    case ImmediateStyle::kSignedHex: return signed_hex_text(static_cast<std::int32_t>(value));
    case ImmediateStyle::kFloat: return float_text(value);
    case ImmediateStyle::kDouble: return double_text(value);
    case ImmediateStyle::kHalfPair: return half_text(value >> 16) + ", " + half_text(value & 0xffff);
    case ImmediateStyle::kBrainPair: return brain_text(value >> 16) + ", " + brain_text(value & 0xffff);
  }
  return "";
}

/// Collects operands in printing order.
class Operands {
 public:
  explicit Operands(const Instruction& i) : i_(i) {}
  Operands& text(const std::string& text) {
    parts_.push_back(text);
    return *this;
  }
  Operands& rd() { return text(gpr(i_.dest)); }
  Operands& urd() { return text(ugpr(i_.dest)); }
  Operands& predicate_dest(std::uint8_t index, bool uniform = false) { return text(predicate(index, uniform)); }
  /// Carry and similar destinations are printed only when they go somewhere.
  Operands& optional_dest(std::uint8_t index, bool uniform = false) {
    if (index != kPredicateTrue) predicate_dest(index, uniform);
    return *this;
  }
  Operands& source(const PredicateOperand& p) { return text(predicate(p)); }
  Operands& optional_source(const PredicateOperand& p) {
    if (p.index != kPredicateTrue || p.negate) source(p);
    return *this;
  }
  Operands& source(const Operand& o, ImmediateStyle style = ImmediateStyle::kHex, const char* suffix = "",
                   bool bitwise = false) {
    return text(operand(o, style, suffix, bitwise));
  }
  Operands& hex(std::uint32_t value) { return text(fmt::format("{:#x}", value)); }
  std::string str(const char* separator = ", ") const {
    std::string all;
    for (const std::string& part : parts_) all += (all.empty() ? "" : separator) + part;
    return all;
  }

  static std::string operand(const Operand& o, ImmediateStyle style, const char* suffix, bool bitwise) {
    std::string body;
    switch (o.kind) {
      case Operand::Kind::kNone: return "";
      case Operand::Kind::kRegister: body = gpr(o.index); break;
      case Operand::Kind::kUniform: body = ugpr(o.index); break;
      case Operand::Kind::kImmediate: return immediate(o.value, style);
      case Operand::Kind::kConstant: body = fmt::format("c[{:#x}][{}]", o.bank, offset_text(o.value)); break;
      case Operand::Kind::kConstantUniformBase:
        body = fmt::format("c[{}][{}]", ugpr(o.index), offset_text(o.value));
        break;
    }
    if (o.absolute) body = "|" + body + "|";
    if (o.reuse) body += ".reuse";
    body += suffix;
    if (o.negate) body = (bitwise ? "~" : "-") + body;
    return body;
  }

 private:
  const Instruction& i_;
  std::vector<std::string> parts_;
};

constexpr auto kSignedHex = ImmediateStyle::kSignedHex;
constexpr auto kFloat = ImmediateStyle::kFloat;
constexpr auto kDouble = ImmediateStyle::kDouble;

// ---- addresses ----

std::string with_offset(std::string base, std::int32_t offset) {
  if (offset == 0) return base;
  if (base.empty()) return fmt::format("{:#x}", static_cast<std::uint32_t>(offset) & 0xffffff);
  return base + "+" + signed_hex_text(offset);
}

/// Operations that print their uniform register even where it is URZ.
bool names_uniform_register(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kAtoms: return i.mod.variant == 2 || i.mod.variant == 3;  // POPC.INC, ARRIVE
    case Opcode::kSyncsArrive:
    case Opcode::kSyncsPhase:
    case Opcode::kSyncsInvalidate:
    case Opcode::kSyncsExchange:
    case Opcode::kArrives: return true;
    default: return false;
  }
}

/// "desc[UR4][R2.64+0x80]", "[R2.64+UR4+0x80]", "[R3.X16+UR4]".
std::string address(const Instruction& i) {
  const MemoryFields& m = i.mem;
  std::string base;
  const bool names_uniform = names_uniform_register(i);
  if (m.address_register != kRegisterZero || (m.uniform_register == kUniformZero && !names_uniform)) {
    base = gpr(m.address_register);
    if (m.address_register == kRegisterZero && m.offset != 0 && !m.address_64bit) base.clear();
  }
  const bool global = i.opcode == Opcode::kLdg || i.opcode == Opcode::kStg || i.opcode == Opcode::kLd ||
                      i.opcode == Opcode::kSt || i.opcode == Opcode::kRed || i.opcode == Opcode::kAtomg ||
                      i.opcode == Opcode::kAtom;
  const bool uniform_form = (i.encoding >> 12) != 0;
  if (!base.empty() && m.address_64bit && global && uniform_form) base += ".64";
  if (!base.empty() && m.index_scale != 1) base += fmt::format(".X{}", m.index_scale);
  if (m.uniform_register != kUniformZero || names_uniform) base += (base.empty() ? "" : "+") + ugpr(m.uniform_register);
  std::string text = "[" + with_offset(base, m.offset) + "]";
  if (m.descriptor_shown) text = fmt::format("desc[{}]{}", ugpr(m.descriptor), text);
  return text;
}

std::string copy_shared_side(const MemoryFields& m) {
  std::string base = gpr(m.shared_register);
  if (m.uniform_on_shared_side && m.uniform_register != kUniformZero) base += "+" + ugpr(m.uniform_register);
  return "[" + with_offset(base, m.shared_offset) + "]";
}
std::string copy_global_side(const MemoryFields& m) {
  std::string base = gpr(m.address_register);
  if (m.address_64bit) base += ".64";
  if (!m.uniform_on_shared_side && m.uniform_register != kUniformZero) base += "+" + ugpr(m.uniform_register);
  std::string text = "[" + with_offset(base, m.offset) + "]";
  if (m.descriptor_shown) text = fmt::format("desc[{}]{}", ugpr(m.descriptor), text);
  return text;
}

std::string constant_access(const Instruction& i, const std::string& index) {
  const std::string bank =
      i.b.kind == Operand::Kind::kConstantUniformBase ? ugpr(i.b.index) : fmt::format("{:#x}", i.b.bank);
  if (index.empty()) {
    const bool zero = i.opcode == Opcode::kLdc && i.b.value == 0;
    return fmt::format("c[{}][{}]", bank, zero ? "RZ" : offset_text(i.b.value));
  }
  return fmt::format("c[{}][{}]", bank, with_offset(index, static_cast<std::int16_t>(i.b.value)));
}

// ---- groups of operations ----

const char* swizzle(std::uint8_t code) {
  static constexpr const char* kNames[] = {"", ".F32", ".H0_H0", ".H1_H1"};
  return kNames[code & 3];
}

std::string half(const Instruction& i) {
  const auto style = i.mod.pack_bf16 ? ImmediateStyle::kBrainPair : ImmediateStyle::kHalfPair;
  const auto spaced = [&](const Operand& o, const char* suffix) {
    std::string text = Operands::operand(o, style, suffix, false);
    // HFMA2 prints constants with a space between bank and offset; HFMA2.MMA does not.
    if (o.kind == Operand::Kind::kConstant && i.opcode != Opcode::kHfma2Mma) {
      const auto split = text.find("][");
      if (split != std::string::npos) text.insert(split + 1, " ");
    }
    return text;
  };
  Operands o(i);
  const bool sets_predicates = i.opcode == Opcode::kHsetp2;
  if (sets_predicates)
    o.predicate_dest(i.dest_predicate0).predicate_dest(i.dest_predicate1);
  else
    o.rd();
  o.text(spaced(i.a, swizzle(i.mod.swizzle_a))).text(spaced(i.b, swizzle(i.mod.swizzle_b)));
  if (i.c.kind != Operand::Kind::kNone) o.text(spaced(i.c, swizzle(i.mod.swizzle_c)));
  if (sets_predicates || i.opcode == Opcode::kHset2 || i.opcode == Opcode::kHmnmx2) o.source(i.source_predicate0);
  return o.str();
}

std::string add3(const Instruction& i, bool uniform) {
  const bool x = i.mod.extended;
  Operands o(i);
  uniform ? o.urd() : o.rd();
  o.optional_dest(i.dest_predicate0, uniform).optional_dest(i.dest_predicate1, uniform);
  o.source(i.a, kSignedHex, "", x).source(i.b, kSignedHex, "", x).source(i.c, kSignedHex, "", x);
  if (x) o.source(i.source_predicate0).source(i.source_predicate1);
  return o.str();
}

std::string multiply_add(const Instruction& i, bool uniform) {
  Operands o(i);
  uniform ? o.urd() : o.rd();
  o.optional_dest(i.dest_predicate0, uniform);
  o.source(i.a).source(i.b, kSignedHex).source(i.c, kSignedHex, "", i.mod.extended);
  if (i.mod.extended) o.source(i.source_predicate0);
  return o.str();
}

std::string lea(const Instruction& i, bool uniform) {
  Operands o(i);
  uniform ? o.urd() : o.rd();
  o.optional_dest(i.dest_predicate0, uniform);
  o.source(i.a, ImmediateStyle::kHex, "", i.mod.extended).source(i.b, ImmediateStyle::kHex, "", i.mod.extended);
  if (i.mod.high && !i.mod.sx32) o.source(i.c);
  o.hex(i.mod.shift);
  if (i.mod.extended) o.source(i.source_predicate0);
  return o.str();
}

std::string logic3(const Instruction& i, bool uniform) {
  Operands o(i);
  o.optional_dest(i.dest_predicate0, uniform);
  uniform ? o.urd() : o.rd();
  return o.source(i.a).source(i.b).source(i.c).hex(i.mod.lut).source(i.source_predicate0).str();
}

std::string set_predicate(const Instruction& i, ImmediateStyle style, bool uniform) {
  Operands o(i);
  o.predicate_dest(i.dest_predicate0, uniform).predicate_dest(i.dest_predicate1, uniform);
  o.source(i.a, style).source(i.b, style).source(i.source_predicate0);
  if (i.mod.extended) o.source(i.source_predicate2);
  return o.str();
}

std::string matrix(const Instruction& i) {
  const bool integer = i.opcode == Opcode::kImma;
  Operands o(i);
  o.rd()
      .source(i.a, ImmediateStyle::kHex, integer ? ".ROW" : "")
      .source(i.b, ImmediateStyle::kHex, integer ? ".COL" : "");
  o.source(i.c);
  if (i.mma.sparse) {
    o.text(gpr(i.metadata_register) + (i.mod.variant == 1 ? ".reuse" : ""));
    o.hex(i.selector);
  }
  return o.str();
}

std::string barrier(const Instruction& i) {
  Operands o(i);
  o.source(i.a);
  if (i.b.kind != Operand::Kind::kNone) o.source(i.b);
  if (i.mod.bar == BarMode::kReduce) o.source(i.source_predicate0);
  return o.str();
}

std::string depbar(const Instruction& i) {
  std::string text = fmt::format("SB{}, {:#x}", i.mod.depbar_scoreboard, i.mod.depbar_count);
  if (i.mod.depbar_wait_zero == 0) return text;
  std::string set;
  for (int sb = 5; sb >= 0; --sb) {
    if ((i.mod.depbar_wait_zero >> sb) & 1) set += (set.empty() ? "" : ",") + std::to_string(sb);
  }
  return text + ", {" + set + "}";
}

/// Register branches print the register and the byte offset that is added to it.
std::string branch(const Instruction& i) {
  if (i.a.kind == Operand::Kind::kRegister) {
    Operands o(i);
    o.optional_source(i.source_predicate0);
    const bool bare = i.opcode == Opcode::kCall && i.mod.variant == 1;
    return o.text(bare ? gpr(i.a.index) : fmt::format("{} {:#x}", gpr(i.a.index), i.target)).str();
  }
  Operands o(i);
  o.optional_source(i.source_predicate0);
  if (i.b.kind == Operand::Kind::kUniform) o.source(i.b, ImmediateStyle::kHex, "", true);
  return o.hex(i.target).str();
}

std::string convergence(const Instruction& i, bool with_target) {
  Operands o(i);
  o.optional_source(i.source_predicate0).text(fmt::format("B{}", i.mod.barrier));
  if (with_target) o.hex(i.target);
  return o.str();
}

std::string move_barrier(const Instruction& i) {
  const std::string b = fmt::format("B{}", i.mod.barrier);
  return i.mod.variant == 2 ? b + ", " + gpr(i.b.index) : gpr(i.dest) + ", " + b;
}

std::string warpsync(const Instruction& i) {
  Operands o(i);
  o.optional_source(i.source_predicate0);
  if (i.b.kind == Operand::Kind::kRegister || i.mod.variant == 0) o.source(i.b);
  if (i.mod.variant == 2) o.hex(i.target);
  return o.str();
}

std::string atomic(const Instruction& i, bool global) {
  Operands o(i);
  if (global) o.predicate_dest(i.dest_predicate0);
  o.rd().text(address(i));
  if (names_uniform_register(i)) return o.str();  // no data register
  if (i.mem.atomic == AtomicOp::kCas) o.text(gpr(i.mem.compare_register));
  return o.text(gpr(i.mem.data_register)).str();
}

std::string copy_async(const Instruction& i) {
  Operands o(i);
  o.text(copy_shared_side(i.mem)).text(copy_global_side(i.mem)).optional_source(i.source_predicate0);
  return o.str();
}

std::string two_sources(const Instruction& i, ImmediateStyle style) {
  return Operands(i).rd().source(i.a, style).source(i.b, style).str();
}
std::string three_sources(const Instruction& i, ImmediateStyle style) {
  return Operands(i).rd().source(i.a, style).source(i.b, style).source(i.c, style).str();
}
/// The part of the third source that stays is printed where the format leaves room for more than half of it.
std::string pack_integers(const Instruction& i) {
  const ScalarType to = i.mod.dest_type;
  const bool nibbles = to == ScalarType::kU4 || to == ScalarType::kS4;
  const bool pairs = to == ScalarType::kU2 || to == ScalarType::kS2;
  const char* kept = nibbles ? ".24" : pairs ? ".28" : "";
  return Operands(i).rd().source(i.a).source(i.b, kSignedHex).source(i.c, kSignedHex, kept).str();
}
std::string select(const Instruction& i, ImmediateStyle style) {
  return Operands(i).rd().source(i.a, style).source(i.b, style).source(i.source_predicate0).str();
}
std::string unary(const Instruction& i, ImmediateStyle style) { return Operands(i).rd().source(i.b, style).str(); }

std::string operands_text(const Instruction& i) {
  constexpr auto hex = ImmediateStyle::kHex;
  Operands o(i);
  switch (i.opcode) {
    case Opcode::kMov:
    case Opcode::kIabs:
    case Opcode::kBrev:
    case Opcode::kI2fp:
    case Opcode::kI2i: return unary(i, hex);
    case Opcode::kF2fpTf32: return unary(i, kFloat);
    case Opcode::kI2f: {
      const bool halves = i.mod.source_type == ScalarType::kU16 || i.mod.source_type == ScalarType::kS16;
      const std::string part = fmt::format(".{}{}", halves ? "H" : "B", i.mod.byte_select);
      return o.rd().source(i.b, hex, i.mod.byte_select == 0 ? "" : part.c_str()).str();
    }
    case Opcode::kPopc: return o.rd().source(i.b, hex, "", true).str();
    case Opcode::kMufu: {
      const bool upper_half = i.mod.mufu == MufuFunction::kRcp64h || i.mod.mufu == MufuFunction::kRsq64h;
      return unary(i, upper_half ? kDouble : kFloat);
    }
    case Opcode::kF2f:
    case Opcode::kF2i:
    case Opcode::kFrnd: return o.rd().source(i.b, kFloat, i.mod.byte_select == 2 ? ".H1" : "").str();
    case Opcode::kFlo: return o.rd().optional_dest(i.dest_predicate0).source(i.b, hex, "", true).str();
    case Opcode::kCs2r:
    case Opcode::kS2r: return o.rd().text(special_register_name(i.mod.special_register)).str();
    case Opcode::kS2ur: return o.urd().text(special_register_name(i.mod.special_register)).str();
    case Opcode::kR2ur: return o.optional_dest(i.dest_predicate0).urd().source(i.a).str();
    case Opcode::kSel: return select(i, hex);
    case Opcode::kImnmx: return select(i, kSignedHex);
    case Opcode::kFsel:
    case Opcode::kFmnmx: return select(i, kFloat);
    case Opcode::kFset: return o.rd().source(i.a, kFloat).source(i.b, kFloat).source(i.source_predicate0).str();
    case Opcode::kVimnmx:
      o.rd().optional_dest(i.dest_predicate0).optional_dest(i.dest_predicate1);
      return o.source(i.a).source(i.b, kSignedHex).source(i.source_predicate0).str();
    case Opcode::kViaddmnmx:
    case Opcode::kVimnmx3: return o.rd().source(i.a).source(i.b).source(i.c).source(i.source_predicate0).str();
    case Opcode::kP2r: return o.rd().text("PR").source(i.a).source(i.b, i.sm >= 90 ? hex : kSignedHex).str();
    case Opcode::kR2p:
      return o.text("PR")
          .source(i.a, hex, i.mod.byte_select == 0 ? "" : fmt::format(".B{}", i.mod.byte_select).c_str())
          .source(i.b)
          .str();
    case Opcode::kMovm: return o.rd().source(i.a).str();
    case Opcode::kLepc:
      o.rd();
      if (i.mod.variant == 1) o.hex(i.target);
      return o.str();
    case Opcode::kB2r: return o.rd().optional_dest(i.dest_predicate0).str();
    case Opcode::kIadd3: return add3(i, false);
    case Opcode::kViadd:
    case Opcode::kSgxt:
    case Opcode::kBmsk: return two_sources(i, hex);
    case Opcode::kF2fpUnpackFp8: return o.rd().source(i.b, hex, i.mod.byte_select == 2 ? ".H1" : "").str();
    case Opcode::kF2fpPackFp8:
      return o.rd().source(i.a).source(i.b).source(i.c, hex, i.mod.byte_select == 2 ? ".H1" : "").str();
    case Opcode::kPlop3Signs:
      o.predicate_dest(i.dest_predicate0).predicate_dest(i.dest_predicate1);
      o.source(i.a, hex, ".SIGN").source(i.b, hex, ".SIGN").source(i.c, hex, ".SIGN");
      return o.hex(i.mod.lut).hex(i.mod.lut1).str();
    case Opcode::kF2fp:
    case Opcode::kFadd:
    case Opcode::kFmul: return two_sources(i, kFloat);
    case Opcode::kDadd:
    case Opcode::kDmul: return two_sources(i, kDouble);
    case Opcode::kFfma: return three_sources(i, kFloat);
    case Opcode::kDfma: return three_sources(i, kDouble);
    case Opcode::kI2ip: return pack_integers(i);
    case Opcode::kF2ip: return three_sources(i, kFloat);
    case Opcode::kIdp:
    case Opcode::kShf:
    case Opcode::kPrmt: return three_sources(i, hex);
    case Opcode::kVabsdiff:
    case Opcode::kVabsdiff4: return o.rd().optional_dest(i.dest_predicate0).source(i.a).source(i.b).source(i.c).str();
    case Opcode::kImad:
    case Opcode::kImadWide:
    case Opcode::kImadHi: return multiply_add(i, false);
    case Opcode::kLea: return lea(i, false);
    case Opcode::kLop3: return logic3(i, false);
    case Opcode::kIsetp: return set_predicate(i, kSignedHex, false);
    case Opcode::kFsetp: return set_predicate(i, kFloat, false);
    case Opcode::kDsetp: return set_predicate(i, kDouble, false);
    case Opcode::kPlop3:
    case Opcode::kUplop3: {
      const bool uniform = i.opcode == Opcode::kUplop3;
      o.predicate_dest(i.dest_predicate0, uniform).predicate_dest(i.dest_predicate1, uniform);
      o.source(i.source_predicate0).source(i.source_predicate1).source(i.source_predicate2);
      return o.hex(i.mod.lut).hex(i.mod.lut1).str();
    }
    case Opcode::kFchk: return o.predicate_dest(i.dest_predicate0).source(i.a, kFloat).source(i.b, kFloat).str();
    case Opcode::kHadd2:
    case Opcode::kHmul2:
    case Opcode::kHfma2:
    case Opcode::kHfma2Mma:
    case Opcode::kHset2:
    case Opcode::kHsetp2:
    case Opcode::kHmnmx2: return half(i);
    case Opcode::kHmma:
    case Opcode::kImma:
    case Opcode::kDmma: return matrix(i);
    case Opcode::kUmov:
    case Opcode::kUbrev: return o.urd().source(i.b).str();
    case Opcode::kUpopc: return o.urd().source(i.b, hex, "", true).str();
    case Opcode::kUflo: return o.urd().optional_dest(i.dest_predicate0, true).source(i.b, hex, "", true).str();
    case Opcode::kUiadd3: return add3(i, true);
    case Opcode::kUimad:
    case Opcode::kUimadWide: return multiply_add(i, true);
    case Opcode::kUlea: return lea(i, true);
    case Opcode::kUlop3: return logic3(i, true);
    case Opcode::kUshf:
    case Opcode::kUprmt: return o.urd().source(i.a).source(i.b).source(i.c).str();
    case Opcode::kUsel: return o.urd().source(i.a).source(i.b).source(i.source_predicate0).str();
    case Opcode::kUisetp: return set_predicate(i, kSignedHex, true);
    case Opcode::kUsgxt:
    case Opcode::kUbmsk: return o.urd().source(i.a).source(i.b).str();
    case Opcode::kVote:
      if (i.dest != kRegisterZero) o.rd();
      return o.predicate_dest(i.dest_predicate0).source(i.source_predicate0).str();
    case Opcode::kVoteu:
      if (i.dest != kUniformZero) o.urd();
      return o.predicate_dest(i.dest_predicate0, true).source(i.source_predicate0).str();
    case Opcode::kMatch: {
      if (i.mod.vote == VoteMode::kAll) o.predicate_dest(i.dest_predicate0);
      return o.rd().source(i.a).str();
    }
    case Opcode::kRedux: return o.urd().source(i.a).str();
    case Opcode::kElect: return o.predicate_dest(i.dest_predicate0).urd().source(i.source_predicate0).str();
    case Opcode::kUldc:
      return o.urd()
          .text(constant_access(i, i.mem.uniform_register == kUniformZero ? "" : ugpr(i.mem.uniform_register)))
          .str();
    case Opcode::kLdc:
      return o.rd()
          .text(constant_access(i, i.mem.address_register == kRegisterZero ? "" : gpr(i.mem.address_register)))
          .str();
    case Opcode::kLdg:
    case Opcode::kLd: return o.optional_dest(i.dest_predicate0).rd().text(address(i)).str();
    case Opcode::kLds:
    case Opcode::kLdl:
    case Opcode::kLdsm: return o.rd().text(address(i)).str();
    case Opcode::kStg:
    case Opcode::kSt:
    case Opcode::kSts:
    case Opcode::kStl:
    case Opcode::kStsm:
    case Opcode::kRed: return o.text(address(i)).text(gpr(i.mem.data_register)).str();
    case Opcode::kLdgsts: return copy_async(i);
    case Opcode::kDepbar: return depbar(i);
    case Opcode::kAtomg:
    case Opcode::kAtom: return atomic(i, true);
    case Opcode::kAtoms: return atomic(i, false);
    case Opcode::kQspc: return o.predicate_dest(i.dest_predicate0).rd().text(address(i)).str();
    case Opcode::kSyncsExchange: return o.text("URZ").text(address(i)).source(i.b).str();
    case Opcode::kSyncsArrive: return o.rd().text(address(i)).source(i.b).str();
    case Opcode::kSyncsPhase: return o.predicate_dest(i.dest_predicate0).text(address(i)).source(i.b).str();
    case Opcode::kSyncsInvalidate:
    case Opcode::kArrives: return address(i);
    case Opcode::kCctl: return i.mod.variant == 4 ? "" : address(i);
    case Opcode::kShfl: return o.predicate_dest(i.dest_predicate0).rd().source(i.a).source(i.b).source(i.c).str();
    case Opcode::kBar: return barrier(i);
    case Opcode::kBra:
    case Opcode::kBrx:
    case Opcode::kJmp:
    case Opcode::kCall:
    case Opcode::kRet: return branch(i);
    case Opcode::kBssy: return convergence(i, true);
    case Opcode::kBsync:
    case Opcode::kBreak: return convergence(i, false);
    case Opcode::kBmov: return move_barrier(i);
    case Opcode::kWarpsync: return warpsync(i);
    case Opcode::kExit:
    case Opcode::kKill:
    case Opcode::kEndcollective:
    case Opcode::kYield: return o.optional_source(i.source_predicate0).str();
    case Opcode::kNanosleep: return o.optional_source(i.source_predicate0).source(i.b).str();
    case Opcode::kBpt: return i.b.value == 0 ? "" : o.source(i.b).str();
    default: return "";
  }
}

}  // namespace

std::string listing_text(const Instruction& i) {
  std::string text;
  const bool guarded = i.guard.index != kPredicateTrue || i.guard.negate;
  if (guarded) text = "@" + predicate(i.guard) + " ";
  text += mnemonic(i);
  const std::string operands = operands_text(i);
  return operands.empty() ? text : text + " " + operands;
}

std::string control_text(const Control& c) {
  std::string mask;
  for (int sb = 0; sb < 6; ++sb) mask += (c.wait_mask >> sb) & 1 ? static_cast<char>('0' + sb) : '-';
  const auto scoreboard = [](std::uint8_t sb) { return sb == kNoScoreboard ? std::string("-") : std::to_string(sb); };
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", mask, scoreboard(c.read_scoreboard), scoreboard(c.write_scoreboard),
                     c.yield ? 'Y' : '-', c.stall);
}

std::string special_register_name(std::uint8_t number) {
  // In the order of their numbers; nullptr: no name.
  static constexpr const char* kNames[] = {"SR_LANEID",
                                           "SR_CLOCK",
                                           "SR_VIRTCFG",
                                           "SR_VIRTID",
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           "SR_ORDERING_TICKET",
                                           "SR_PRIM_TYPE",
                                           "SR_INVOCATION_ID",
                                           "SR_Y_DIRECTION",
                                           "SR_THREAD_KILL",
                                           "SM_SHADER_TYPE",
                                           "SR_DIRECTCBEWRITEADDRESSLOW",
                                           "SR_DIRECTCBEWRITEADDRESSHIGH",
                                           "SR_DIRECTCBEWRITEENABLED",
                                           "SR_SW_SCRATCH",
                                           "SR_MACHINE_ID_1",
                                           "SR_MACHINE_ID_2",
                                           "SR_MACHINE_ID_3",
                                           "SR_AFFINITY",
                                           "SR_INVOCATION_INFO",
                                           "SR_WSCALEFACTOR_XY",
                                           "SR_WSCALEFACTOR_Z",
                                           "SR_TID",
                                           "SR_TID.X",
                                           "SR_TID.Y",
                                           "SR_TID.Z",
                                           nullptr,
                                           "SR_CTAID.X",
                                           "SR_CTAID.Y",
                                           "SR_CTAID.Z",
                                           "SR_NTID",
                                           "SR_CirQueueIncrMinusOne",
                                           "SR_NLATC",
                                           nullptr,
                                           "SR_SM_SPA_VERSION",
                                           "SR_MULTIPASSSHADERINFO",
                                           "SR_LWINHI",
                                           "SR_SWINHI",
                                           "SR_SWINLO",
                                           "SR_SWINSZ",
                                           "SR_SMEMSZ",
                                           "SR_SMEMBANKS",
                                           "SR_LWINLO",
                                           "SR_LWINSZ",
                                           "SR_LMEMLOSZ",
                                           "SR_LMEMHIOFF",
                                           "SR_EQMASK",
                                           "SR_LTMASK",
                                           "SR_LEMASK",
                                           "SR_GTMASK",
                                           "SR_GEMASK",
                                           "SR_REGALLOC",
                                           "SR_BARRIERALLOC",
                                           nullptr,
                                           "SR_GLOBALERRORSTATUS",
                                           "SR_CGAERRORSTATUS",
                                           "SR_WARPERRORSTATUS",
                                           "SR_VIRTUALSMID",
                                           "SR_VIRTUALENGINEID",
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           "SR_CLOCKLO",
                                           "SR_CLOCKHI",
                                           "SR_GLOBALTIMERLO",
                                           "SR_GLOBALTIMERHI",
                                           "SR_ESR_PC",
                                           "SR_ESR_PC_HI",
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           "SR_HWTASKID",
                                           "SR_CIRCULARQUEUEENTRYINDEX",
                                           "SR_CIRCULARQUEUEENTRYADDRESSLOW",
                                           "SR_CIRCULARQUEUEENTRYADDRESSHIGH",
                                           "SR_PM0",
                                           "SR_PM_HI0",
                                           "SR_PM1",
                                           "SR_PM_HI1",
                                           "SR_PM2",
                                           "SR_PM_HI2",
                                           "SR_PM3",
                                           "SR_PM_HI3",
                                           "SR_PM4",
                                           "SR_PM_HI4",
                                           "SR_PM5",
                                           "SR_PM_HI5",
                                           "SR_PM6",
                                           "SR_PM_HI6",
                                           "SR_PM7",
                                           "SR_PM_HI7",
                                           "SR_SNAP_PM0",
                                           "SR_SNAP_PM_HI0",
                                           "SR_SNAP_PM1",
                                           "SR_SNAP_PM_HI1",
                                           "SR_SNAP_PM2",
                                           "SR_SNAP_PM_HI2",
                                           "SR_SNAP_PM3",
                                           "SR_SNAP_PM_HI3",
                                           "SR_SNAP_PM4",
                                           "SR_SNAP_PM_HI4",
                                           "SR_SNAP_PM5",
                                           "SR_SNAP_PM_HI5",
                                           "SR_SNAP_PM6",
                                           "SR_SNAP_PM_HI6",
                                           "SR_SNAP_PM7",
                                           "SR_SNAP_PM_HI7",
                                           "SR_VARIABLE_RATE",
                                           "__HIR0X000",
                                           "SR_WARPGROUP_INFO",
                                           "SR_WARPGROUPID",
                                           "SR_CgaCtaId",
                                           "SR_GpcLocalCgaId",
                                           nullptr,
                                           "SR_CTARegPoolSz"};
  if (number == 0xff) return "SRZ";
  if (number < std::size(kNames) && kNames[number] != nullptr) return kNames[number];
  return fmt::format("SR{}", number);
}

}  // namespace stc::isa
