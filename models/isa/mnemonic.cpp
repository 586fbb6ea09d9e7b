// SPDX-License-Identifier: Apache-2.0
// Mnemonics with all modifiers, spelt as NVIDIA's disassembler spells them. A table of operations: one case each.
#include <fmt/format.h>

#include <string>

#include "models/isa/execute.h"

namespace stc::isa {
namespace {

const char* name_of(Compare compare) {
  static constexpr const char* kNames[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                           "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
  return kNames[static_cast<int>(compare)];
}
const char* name_of(BoolOp op) {
  static constexpr const char* kNames[] = {"AND", "OR", "XOR"};
  return kNames[static_cast<int>(op)];
}
const char* name_of(ScalarType type) {
  static constexpr const char* kNames[] = {"U8",   "S8",   "U16",  "S16", "U32", "S32",   "U64",
                                           "S64",  "F16",  "BF16", "F32", "F64", "F16x2", "BF16_V2",
                                           "E4M3", "E5M2", "U4",   "S4",  "U2",  "S2"};
  return kNames[static_cast<int>(type)];
}
const char* name_of(AtomicOp op) {
  static constexpr const char* kNames[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "CAS"};
  return kNames[static_cast<int>(op)];
}
/// Rounding of arithmetic (RN is not printed) and of conversions to integers.
const char* arithmetic_rounding(Rounding rounding) {
  static constexpr const char* kNames[] = {"", ".RM", ".RP", ".RZ"};
  return kNames[static_cast<int>(rounding)];
}
const char* integer_rounding(Rounding rounding) {
  static constexpr const char* kNames[] = {"", ".FLOOR", ".CEIL", ".TRUNC"};
  return kNames[static_cast<int>(rounding)];
}

/// Appends modifiers: `add("X", condition)`.
class Text {
 public:
  explicit Text(const char* base) : text_(base) {}
  Text& add(const char* modifier, bool condition = true) {
    if (condition) text_ += std::string(".") + modifier;
    return *this;
  }
  Text& raw(const std::string& text) {
    text_ += text;
    return *this;
  }
  std::string str() const { return text_; }

 private:
  std::string text_;
};

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

std::string imad(const Instruction& i) {
  Text t("IMAD");
  if (i.opcode == Opcode::kImad) {
    if (const char* alias = imad_alias(i)) t.add(alias);
  }
  t.add("WIDE", i.opcode == Opcode::kImadWide).add("HI", i.opcode == Opcode::kImadHi);
  return t.add("U32", !i.mod.is_signed).add("X", i.mod.extended).str();
}

std::string shift(const char* base, const Instruction& i) {
  const Modifiers& m = i.mod;
  const char* type = m.is_64bit ? (m.is_signed ? "S64" : "U64") : (m.is_signed ? "S32" : "U32");
  return Text(base).add(m.right ? "R" : "L").add("W", m.wrap).add(type).add("HI", m.high).str();
}

std::string packed(const char* base, const Instruction& i, bool relu_allowed = true) {
  const Modifiers& m = i.mod;
  const char* type = m.variant == 1 ? (m.is_signed ? "S16x2" : "U16x2") : (m.is_signed ? nullptr : "U32");
  Text t(base);
  if (type != nullptr) t.add(type);
  return t.add("RELU", m.relu && relu_allowed).str();
}

std::string set_predicate(const char* base, const Instruction& i) {
  return Text(base).add(name_of(i.mod.compare)).add("FTZ", i.mod.ftz).add(name_of(i.mod.bool_op)).str();
}

std::string half_set(const char* base, const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t(base);
  t.add("BF16_V2", m.pack_bf16);
  if (i.opcode == Opcode::kHset2) t.add("BF", m.variant == 1);
  t.add(name_of(m.compare)).add("FTZ", m.ftz);
  return t.add("H_AND", i.opcode == Opcode::kHsetp2 && m.variant == 1).add(name_of(m.bool_op)).str();
}

std::string half_math(const char* base, const Instruction& i) {
  const Modifiers& m = i.mod;
  return Text(base)
      .add("F32", m.dest_type == ScalarType::kF32)
      .add("BF16_V2", m.pack_bf16)
      .add("FTZ", m.ftz)
      .add("RELU", m.relu)
      .add("SAT", m.saturate)
      .str();
}

std::string float_math(const char* base, const Instruction& i) {
  return Text(base).add("FTZ", i.mod.ftz).raw(arithmetic_rounding(i.mod.rounding)).add("SAT", i.mod.saturate).str();
}

// ---- conversions ----

std::string f2f(const Instruction& i) {
  return Text("F2F")
      .add("FTZ", i.mod.ftz)
      .add(name_of(i.mod.dest_type))
      .add(name_of(i.mod.source_type))
      .raw(arithmetic_rounding(i.mod.rounding))
      .str();
}
std::string f2i(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t("F2I");
  t.add("FTZ", m.ftz);
  if (m.dest_type != ScalarType::kS32) t.add(name_of(m.dest_type));
  if (m.source_type != ScalarType::kF32) t.add(name_of(m.source_type));
  return t.raw(integer_rounding(m.rounding)).add("NTZ", m.variant == 1).str();
}
std::string i2f(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t("I2F");
  if (m.dest_type != ScalarType::kF32) t.add(name_of(m.dest_type));
  if (m.source_type != ScalarType::kS32) t.add(name_of(m.source_type));
  return t.raw(arithmetic_rounding(m.rounding)).str();
}
std::string frnd(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t("FRND");
  t.add("FTZ", m.ftz);
  if (m.dest_type != ScalarType::kF32) t.add(name_of(m.dest_type));
  if (m.source_type != m.dest_type) t.add(name_of(m.source_type));
  return t.raw(integer_rounding(m.rounding)).str();
}
std::string f2fp_fp8(const Instruction& i) {
  const Modifiers& m = i.mod;
  const bool pack = i.opcode == Opcode::kF2fpPackFp8;
  Text t("F2FP");
  t.add("SATFINITE", pack && m.saturate).add("RELU", m.relu);
  t.add(pack ? name_of(m.dest_type) : m.pack_bf16 ? "BF16" : "F16");
  return t.add(name_of(m.source_type)).add(pack ? "PACK_AB_MERGE_C" : "UNPACK_B").str();
}
std::string f2fp_tf32(const Instruction& i) {
  return Text("F2FP").add("RELU", i.mod.relu).add("TF32.F32.PACK_B").raw(arithmetic_rounding(i.mod.rounding)).str();
}
std::string f2ip(const Instruction& i) {
  return Text("F2IP").add(name_of(i.mod.dest_type)).add("F32").raw(integer_rounding(i.mod.rounding)).add("NTZ").str();
}
std::string f2fp(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t("F2FP");
  t.add("RELU", m.relu);
  if (i.sm >= 90)
    t.add(m.pack_bf16 ? "BF16" : "F16").add("F32");
  else
    t.add("BF16", m.pack_bf16);
  return t.add("PACK_AB").raw(arithmetic_rounding(m.rounding)).str();
}

// ---- matrix ----

std::string format_suffix(NumberFormat format) {
  switch (format) {
    case NumberFormat::bf16: return ".BF16";
    case NumberFormat::tf32: return ".TF32";
    default: return "";
  }
}
std::string integer_format(NumberFormat format) {
  switch (format) {
    case NumberFormat::s8: return ".S8";
    case NumberFormat::u8: return ".U8";
    case NumberFormat::s4: return ".S4";
    default: return ".U4";
  }
}
std::string matrix(const Instruction& i) {
  const MmaOp& op = i.mma;
  if (i.opcode == Opcode::kDmma) return i.sm >= 90 ? "DMMA.8x8x4" : "DMMA.884";
  Text t(i.opcode == Opcode::kHmma ? "HMMA" : "IMMA");
  t.add("SP", op.sparse).raw(fmt::format(".{}{}{}", op.m, op.n, op.k));
  if (i.opcode == Opcode::kHmma) {
    return t.add(op.c == NumberFormat::f32 ? "F32" : "F16").raw(format_suffix(op.a)).str();
  }
  return t.raw(integer_format(op.a)).raw(integer_format(op.b)).add("SAT", op.saturate).str();
}

// ---- memory ----

std::string size_suffix(const MemoryFields& m) {
  switch (m.bytes) {
    case 1: return m.sign_extend ? ".S8" : ".U8";
    case 2: return m.sign_extend ? ".S16" : ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
  }
}
std::string scope_suffix(std::uint8_t scope) {
  switch (scope) {
    case 0: return "";
    case 4: return ".CONSTANT";
    case 5: return ".STRONG.SM";
    case 7: return ".STRONG.GPU";
    case 10: return ".STRONG.SYS";
    default: return fmt::format(".SCOPE{}", scope);
  }
}
std::string cache_suffix(std::uint8_t cache_op) {
  static constexpr const char* kNames[] = {".EF", "", ".EL", ".LU", ".EU", ".NA", ".CACHE6", ".CACHE7"};
  return kNames[cache_op & 7];
}
std::string prefetch_suffix(const MemoryFields& m) {
  return m.prefetch_bytes_log2 == 0 ? "" : fmt::format(".LTC{}B", 1 << m.prefetch_bytes_log2);
}

std::string global_access(const char* base, const Instruction& i) {
  const MemoryFields& m = i.mem;
  return Text(base)
      .add("E", m.address_64bit)
      .raw(cache_suffix(m.cache_op))
      .raw(prefetch_suffix(m))
      .raw(size_suffix(m))
      .raw(scope_suffix(m.scope))
      .str();
}
std::string copy_async(const Instruction& i) {
  const MemoryFields& m = i.mem;
  return Text("LDGSTS")
      .add("E", m.address_64bit)
      .add("BYPASS", m.bypass_l1)
      .raw(cache_suffix(m.cache_op))
      .raw(prefetch_suffix(m))
      .raw(size_suffix(m))
      .raw(scope_suffix(m.scope))
      .add("ZFILL", m.partial_source)
      .str();
}
std::string matrix_access(const char* base, const Instruction& i) {
  Text t(base);
  t.add("16").add(i.mem.transposed ? "MT88" : "M88");
  if (i.mem.matrices > 1) t.raw(fmt::format(".{}", i.mem.matrices));
  return t.str();
}
std::string atomic_type(ScalarType type, bool ftz = true) {
  switch (type) {
    case ScalarType::kU32: return "";
    case ScalarType::kU64: return ".64";
    case ScalarType::kF32: return ftz ? ".F32.FTZ.RN" : ".F32.RN";
    case ScalarType::kF64: return ".F64.RN";
    case ScalarType::kF16x2: return ".F16x2.RN";
    case ScalarType::kBf16x2: return ".BF16x2.RN";
    default: return std::string(".") + name_of(type);
  }
}
std::string atomic(const char* base, const Instruction& i) {
  const MemoryFields& m = i.mem;
  return Text(base)
      .add("E", m.address_64bit)
      .add(name_of(m.atomic))
      .raw(cache_suffix(m.cache_op))
      .raw(atomic_type(i.mod.source_type, i.mod.ftz))
      .raw(scope_suffix(m.scope))
      .str();
}
std::string atomic_shared(const Instruction& i) {
  Text t("ATOMS");
  if (i.mod.variant == 2) return t.add("POPC.INC.32").str();
  if (i.mod.variant == 3) return t.add("ARRIVE.64").str();
  if (i.mem.atomic == AtomicOp::kCas)
    t.add(i.mod.variant == 1 ? "CAST.SPIN" : "CAS");
  else
    t.add(name_of(i.mem.atomic));
  return t.raw(atomic_type(i.mod.source_type)).str();
}
std::string mbarrier_arrive(const Instruction& i) {
  static constexpr const char* kNames[] = {"", ".A1T0", ".A0T1", ".A0TR", ".A0TX", ".ART0"};
  const Modifiers& m = i.mod;
  return Text("SYNCS.ARRIVE.TRANS64")
      .add("RED", m.variant == 1)
      .add("OPTOUT", m.mbarrier_leaves)
      .raw(kNames[static_cast<int>(m.mbarrier)])
      .str();
}
std::string copies_arrive(const Instruction& i) {
  Text t("ARRIVES.LDGSTSBAR.64");
  if (i.sm >= 90) t.add(i.mod.mbarrier == MbarrierArrival::kComplete ? "TRANSCNT" : "ARVCNT");
  return t.str();
}
std::string fence(const Instruction& i) {
  static constexpr const char* kScopes[] = {"CTA", "SM", "GPU", "SYS", "SCOPE4", "VC", "SCOPE6", "SCOPE7"};
  static constexpr const char* kSemantics[] = {"SC", "ALL", "SEM2", "SEM3"};
  return Text("MEMBAR").add(kSemantics[i.mod.variant >> 4 & 3]).add(kScopes[i.mod.variant & 7]).str();
}
std::string cache_control(const Instruction& i) {
  static constexpr const char* kOps[] = {"PF1", "PF2",  "WB",   "IV",   "IVALL", "RS",   "RSLB", "WBALL",
                                         "OP8", "PML2", "DML2", "RML2", "OP12",  "OP13", "OP14", "OP15"};
  return Text("CCTL").add("E", i.mem.address_64bit).add(kOps[i.mod.variant & 15]).str();
}

// ---- control and communication ----

std::string barrier(const Instruction& i) {
  const Modifiers& m = i.mod;
  Text t("BAR");
  switch (m.bar) {
    case BarMode::kSync: t.add("SYNC"); break;
    case BarMode::kArrive: t.add("ARV"); break;
    case BarMode::kReduce: {
      static constexpr const char* kOps[] = {"POPC", "AND", "OR", "OP3"};
      t.add("RED").add(kOps[m.variant & 3]);
      break;
    }
    case BarMode::kScan: t.add("SCAN"); break;
  }
  return t.add("DEFER_BLOCKING", (m.variant & 16) != 0).str();
}
std::string branch(const Instruction& i) {
  static constexpr const char* kNames[] = {"BRA", "BRA.U", "BRA.DIV", "BRA.CONV", "BRA.U.ANY"};
  return kNames[i.mod.variant];
}
std::string vote(const char* base, const Instruction& i) {
  static constexpr const char* kNames[] = {"ALL", "ANY", "EQ"};
  return Text(base).add(kNames[static_cast<int>(i.mod.vote)]).str();
}
std::string reduce_lanes(const Instruction& i) {
  Text t("REDUX");
  if (i.mem.atomic == AtomicOp::kAdd)
    t.add("SUM");
  else if (i.mem.atomic != AtomicOp::kAnd)
    t.add(name_of(i.mem.atomic));
  return t.add("S32", i.mod.is_signed).str();
}
std::string idp(const Instruction& i) {
  static constexpr const char* kNames[] = {"4A", "2A.LO", "2A.HI"};
  return Text("IDP").add(kNames[i.mod.variant]).add(name_of(i.mod.source_type)).add(name_of(i.mod.dest_type)).str();
}
std::string warpsync(const Instruction& i) {
  static constexpr const char* kNames[] = {"WARPSYNC", "WARPSYNC.ALL", "WARPSYNC.COLLECTIVE", "WARPSYNC.EXCLUSIVE"};
  const bool all = i.mod.variant == 2 && i.b.kind != Operand::Kind::kRegister;
  return Text(kNames[i.mod.variant & 3]).add("ALL", all).str();
}
std::string lea(const char* base, const Instruction& i) {
  return Text(base).add("HI", i.mod.high).add("X", i.mod.extended).add("SX32", i.mod.sx32).str();
}
std::string permute(const char* base, const Instruction& i) {
  static constexpr const char* kModes[] = {"", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16", ".MODE7"};
  return std::string(base) + kModes[i.mod.prmt_mode & 7];
}
std::string byte_suffix(const char* base, const Instruction& i) {
  return i.mod.byte_select == 0 ? base : fmt::format("{}.B{}", base, i.mod.byte_select);
}
std::string mufu(const Instruction& i) {
  static constexpr const char* kNames[] = {"COS", "SIN",    "EX2",    "LG2",  "RCP",
                                           "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"};
  return Text("MUFU").add(kNames[static_cast<int>(i.mod.mufu)]).str();
}
std::string double_set(const Instruction& i) {
  // In DSETP the two constant comparisons are minimum and maximum instead.
  if (i.mod.compare == Compare::kFalse) return Text("DSETP.MIN").add(name_of(i.mod.bool_op)).str();
  if (i.mod.compare == Compare::kTrue) return Text("DSETP.MAX").add(name_of(i.mod.bool_op)).str();
  return set_predicate("DSETP", i);
}
std::string integer_set(const char* base, const Instruction& i) {
  const Modifiers& m = i.mod;
  return Text(base)
      .add(name_of(m.compare))
      .add("U32", !m.is_signed)
      .add(name_of(m.bool_op))
      .add("EX", m.extended)
      .str();
}

}  // namespace

std::string mnemonic(const Instruction& i) {
  const Modifiers& m = i.mod;
  switch (i.opcode) {
    case Opcode::kInvalid:
    case Opcode::kOpcodeCount: return "INVALID";
    case Opcode::kMov: return "MOV";
    case Opcode::kCs2r: return Text("CS2R").add("32", !m.is_64bit).str();
    case Opcode::kS2r: return "S2R";
    case Opcode::kS2ur: return "S2UR";
    case Opcode::kR2ur: return Text("R2UR").add("OR", m.variant == 1).str();
    case Opcode::kSel: return "SEL";
    case Opcode::kPrmt: return permute("PRMT", i);
    case Opcode::kP2r: return byte_suffix("P2R", i);
    case Opcode::kR2p: return "R2P";
    case Opcode::kF2fp: return f2fp(i);
    case Opcode::kF2fpUnpackFp8:
    case Opcode::kF2fpPackFp8: return f2fp_fp8(i);
    case Opcode::kF2fpTf32: return f2fp_tf32(i);
    case Opcode::kF2f: return f2f(i);
    case Opcode::kF2i: return f2i(i);
    case Opcode::kI2f: return i2f(i);
    case Opcode::kFrnd: return frnd(i);
    case Opcode::kI2fp:
      return Text("I2FP").add("F32").add(name_of(m.source_type)).raw(arithmetic_rounding(m.rounding)).str();
    case Opcode::kF2ip: return f2ip(i);
    case Opcode::kMovm: return "MOVM.16.MT88";
    case Opcode::kI2i: return Text("I2I").add(name_of(m.dest_type)).add("S32.SAT").str();
    case Opcode::kI2ip: return Text("I2IP").add(name_of(m.dest_type)).add("S32.SAT").str();
    case Opcode::kB2r: return Text("B2R").add("RESULT", m.variant == 1).str();
    case Opcode::kR2b: return "R2B";
    case Opcode::kIadd3: return Text("IADD3").add("X", m.extended).str();
    case Opcode::kViadd: return Text("VIADD").add("16x2", m.variant == 1).str();
    case Opcode::kImad:
    case Opcode::kImadWide:
    case Opcode::kImadHi: return imad(i);
    case Opcode::kLea: return lea("LEA", i);
    case Opcode::kLop3: return Text("LOP3.LUT").add("PAND", m.predicate_and).str();
    case Opcode::kShf: return shift("SHF", i);
    case Opcode::kIsetp: return integer_set("ISETP", i);
    case Opcode::kPlop3:
    case Opcode::kPlop3Signs: return "PLOP3.LUT";
    case Opcode::kImnmx: return Text("IMNMX").add("U32", !m.is_signed).str();
    case Opcode::kIabs: return "IABS";
    case Opcode::kFlo: return Text("FLO").add("U32", !m.is_signed).add("SH", m.variant == 1).str();
    case Opcode::kPopc: return "POPC";
    case Opcode::kBrev: return "BREV";
    case Opcode::kSgxt: return Text("SGXT").add("W", m.wrap).add("U32", !m.is_signed).str();
    case Opcode::kBmsk: return Text("BMSK").add("W", m.wrap).str();
    case Opcode::kIdp: return idp(i);
    case Opcode::kVimnmx: return packed("VIMNMX", i);
    case Opcode::kLepc: return "LEPC";
    case Opcode::kVabsdiff: return Text("VABSDIFF").add("U32", !m.is_signed).str();
    case Opcode::kVabsdiff4: return Text("VABSDIFF4").add("U8", !m.is_signed).add("ACC", m.variant == 1).str();
    case Opcode::kViaddmnmx: return packed("VIADDMNMX", i);
    case Opcode::kVimnmx3: return packed("VIMNMX3", i);
    case Opcode::kFadd: return float_math("FADD", i);
    case Opcode::kFmul: return float_math("FMUL", i);
    case Opcode::kFfma: return float_math("FFMA", i);
    case Opcode::kFsetp: return set_predicate("FSETP", i);
    case Opcode::kFset: return set_predicate("FSET.BF", i);
    case Opcode::kFsel: return Text("FSEL").add("FTZ", m.ftz).str();
    case Opcode::kFmnmx: return Text("FMNMX").add("FTZ", m.ftz).add("NAN", m.variant == 1).str();
    case Opcode::kFchk: return "FCHK";
    case Opcode::kMufu: return mufu(i);
    case Opcode::kHadd2: return half_math("HADD2", i);
    case Opcode::kHmul2: return half_math("HMUL2", i);
    case Opcode::kHfma2: return half_math("HFMA2", i);
    case Opcode::kHfma2Mma: return half_math("HFMA2.MMA", i);
    case Opcode::kHset2: return half_set("HSET2", i);
    case Opcode::kHsetp2: return half_set("HSETP2", i);
    case Opcode::kHmnmx2:
      return Text("HMNMX2").add("BF16_V2", m.pack_bf16).add("FTZ", m.ftz).add("NAN", m.variant == 1).str();
    case Opcode::kDadd: return float_math("DADD", i);
    case Opcode::kDmul: return float_math("DMUL", i);
    case Opcode::kDfma: return float_math("DFMA", i);
    case Opcode::kDsetp: return double_set(i);
    case Opcode::kHmma:
    case Opcode::kImma:
    case Opcode::kDmma: return matrix(i);
    case Opcode::kUmov: return "UMOV";
    case Opcode::kUldc: return Text("ULDC").raw(size_suffix(i.mem)).str();
    case Opcode::kUiadd3: return Text("UIADD3").add("X", m.extended).str();
    case Opcode::kUimad: return Text("UIMAD").add("U32", !m.is_signed).add("X", m.extended).str();
    case Opcode::kUimadWide: return Text("UIMAD.WIDE").add("U32", !m.is_signed).add("X", m.extended).str();
    case Opcode::kUlea: return lea("ULEA", i);
    case Opcode::kUlop3: return Text("ULOP3.LUT").add("PAND", m.predicate_and).str();
    case Opcode::kUshf: return shift("USHF", i);
    case Opcode::kUsel: return "USEL";
    case Opcode::kUprmt: return permute("UPRMT", i);
    case Opcode::kUisetp: return integer_set("UISETP", i);
    case Opcode::kUplop3: return "UPLOP3.LUT";
    case Opcode::kUsgxt: return Text("USGXT").add("W", m.wrap).add("U32", !m.is_signed).str();
    case Opcode::kUbmsk: return Text("UBMSK").add("W", m.wrap).str();
    case Opcode::kUflo: return Text("UFLO").add("U32", !m.is_signed).add("SH", m.variant == 1).str();
    case Opcode::kUpopc: return "UPOPC";
    case Opcode::kUbrev: return "UBREV";
    case Opcode::kUp2ur: return byte_suffix("UP2UR", i);
    case Opcode::kUr2up: return "UR2UP";
    case Opcode::kVoteu: return vote("VOTEU", i);
    case Opcode::kRedux: return reduce_lanes(i);
    case Opcode::kElect: return "ELECT";
    case Opcode::kLdc: {
      static constexpr const char* kModes[] = {"", ".IL", ".IS", ".ISL"};
      return Text("LDC").raw(size_suffix(i.mem)).raw(kModes[m.variant & 3]).str();
    }
    case Opcode::kLdg: return global_access("LDG", i);
    case Opcode::kStg: return global_access("STG", i);
    case Opcode::kLds: return Text("LDS").raw(size_suffix(i.mem)).str();
    case Opcode::kSts: return Text("STS").raw(size_suffix(i.mem)).str();
    case Opcode::kLdsm: return matrix_access("LDSM", i);
    case Opcode::kStsm: return matrix_access("STSM", i);
    case Opcode::kLdl: return Text("LDL").raw(cache_suffix(i.mem.cache_op)).raw(size_suffix(i.mem)).str();
    case Opcode::kStl: return Text("STL").raw(cache_suffix(i.mem.cache_op)).raw(size_suffix(i.mem)).str();
    case Opcode::kLd: return global_access("LD", i);
    case Opcode::kSt: return global_access("ST", i);
    case Opcode::kLdgsts: return copy_async(i);
    case Opcode::kLdgdepbar: return "LDGDEPBAR";
    case Opcode::kDepbar: return "DEPBAR.LE";
    case Opcode::kAtomg: return atomic("ATOMG", i);
    case Opcode::kAtoms: return atomic_shared(i);
    case Opcode::kAtom: return atomic("ATOM", i);
    case Opcode::kRed: return atomic(i.sm >= 90 ? "REDG" : "RED", i);
    case Opcode::kMembar: return fence(i);
    case Opcode::kErrbar: return "ERRBAR";
    case Opcode::kCgaerrbar: return "CGAERRBAR";
    case Opcode::kCctl: return cache_control(i);
    case Opcode::kCctll: return "CCTLL";
    case Opcode::kQspc: {
      static constexpr const char* kSpaces[] = {"S", "L", "G", "C", "SPACE4", "SPACE5", "SPACE6", "SPACE7"};
      return Text("QSPC").add("E", i.mem.address_64bit).add(kSpaces[m.variant & 7]).str();
    }
    case Opcode::kSyncsExchange: return "SYNCS.EXCH.64";
    case Opcode::kSyncsArrive: return mbarrier_arrive(i);
    case Opcode::kSyncsPhase: return Text("SYNCS.PHASECHK.TRANS64").add("TRYWAIT", m.variant == 1).str();
    case Opcode::kSyncsInvalidate: return "SYNCS.CCTL.IV";
    case Opcode::kArrives: return copies_arrive(i);
    case Opcode::kFenceView: return Text("FENCE.VIEW.ASYNC").add(m.variant == 1 ? "G" : "S").str();
    case Opcode::kShfl: {
      static constexpr const char* kModes[] = {"IDX", "UP", "DOWN", "BFLY"};
      return Text("SHFL").add(kModes[static_cast<int>(m.shuffle)]).str();
    }
    case Opcode::kVote: return vote("VOTE", i);
    case Opcode::kMatch: return Text(m.vote == VoteMode::kAll ? "MATCH.ALL" : "MATCH.ANY").add("U64", m.is_64bit).str();
    case Opcode::kBar: return barrier(i);
    case Opcode::kBra: return branch(i);
    case Opcode::kBrx: return "BRX";
    case Opcode::kJmp: return "JMP";
    case Opcode::kCall: return Text("CALL").add(m.variant == 1 ? "ABS" : "REL").add("NOINC").str();
    case Opcode::kRet: return Text("RET").add(m.variant == 1 ? "ABS" : "REL").add("NODEC").str();
    case Opcode::kExit: return "EXIT";
    case Opcode::kBssy: return "BSSY";
    case Opcode::kBsync: return "BSYNC";
    case Opcode::kBreak: return "BREAK";
    case Opcode::kBmov: return Text("BMOV.32").add("CLEAR", m.variant == 1).str();
    case Opcode::kWarpsync: return warpsync(i);
    case Opcode::kYield: return "YIELD";
    case Opcode::kNanosleep: return Text("NANOSLEEP").add("SYNCS", m.variant == 1).str();
    case Opcode::kNop: return "NOP";
    case Opcode::kBpt: {
      static constexpr const char* kModes[] = {"DRAIN", "CAL", "PAUSE", "TRAP", "INT", "MODE5", "MODE6", "MODE7"};
      return Text("BPT").add(kModes[m.variant & 7]).str();
    }
    case Opcode::kKill: return "KILL";
    case Opcode::kPmtrig: return "PMTRIG";
    case Opcode::kAcqbulk: return "ACQBULK";
    case Opcode::kPreexit: return "PREEXIT";
    case Opcode::kEndcollective: return "ENDCOLLECTIVE";
  }
  return "INVALID";
}

}  // namespace stc::isa
