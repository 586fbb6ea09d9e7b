// SPDX-License-Identifier: Apache-2.0
// Conversions between number formats.
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::Modifiers;
using isa::Opcode;
using isa::ScalarType;

namespace {

constexpr Sign kPlain = Sign::kNone;
constexpr Sign kAbs = Sign::kNegateAbsolute;

ScalarType float_type(std::uint64_t code) {
  switch (code) {
    case 1: return ScalarType::kF16;
    case 2: return ScalarType::kF32;
    case 3: return ScalarType::kF64;
    case 4: return ScalarType::kBf16;
    default: throw UndecodableBits("unknown floating-point format in a conversion");
  }
}

ScalarType integer_type(std::uint64_t log2_bytes, bool is_signed) {
  static constexpr ScalarType kUnsigned[] = {ScalarType::kU8, ScalarType::kU16, ScalarType::kU32, ScalarType::kU64};
  static constexpr ScalarType kSigned[] = {ScalarType::kS8, ScalarType::kS16, ScalarType::kS32, ScalarType::kS64};
  return is_signed ? kSigned[log2_bytes] : kUnsigned[log2_bytes];
}

/// 86:84 is the source's format, 77:75 the destination's.
void float_source(Encoded& e, Instruction& i) { i.mod.source_type = float_type(e.bits.take(84, 3)); }
void float_dest(Encoded& e, Instruction& i) { i.mod.dest_type = float_type(e.bits.take(75, 3)); }
void integer_dest(Encoded& e, Instruction& i) {
  const auto size = e.bits.take(75, 2);
  i.mod.dest_type = integer_type(size, e.bits.flag(72));
}
/// Integer sources: size 85:84, signed 74; an 8-bit source is byte 61:60 of the register, a 16-bit source half 60.
void integer_source(Encoded& e, Instruction& i) {
  const auto size = e.bits.take(84, 2);
  i.mod.source_type = integer_type(size, e.bits.flag(74));
  if (e.form == 4 && size < 2) throw UndecodableBits("an immediate of 8 or 16 bits in I2F");
  if (e.form == 1 && size < 2) i.mod.byte_select = e.bits.get<std::uint8_t>(60, size == 0 ? 2 : 1);
}
/// A half-precision source lies in the low or (bit 60) high half of the register.
void half_select(Encoded& e, Instruction& i) {
  if (e.form == 1 && (i.mod.source_type == ScalarType::kF16 || i.mod.source_type == ScalarType::kBf16)) {
    i.mod.byte_select = static_cast<std::uint8_t>(e.bits.flag(60) ? 2 : 0);
  }
}
void small_integer_dest(Encoded& e, Instruction& i) {
  static constexpr ScalarType kTypes[] = {ScalarType::kU8, ScalarType::kS8, ScalarType::kU16, ScalarType::kS16};
  i.mod.source_type = ScalarType::kS32;
  i.mod.dest_type = kTypes[e.bits.take(76, 2)];
  i.mod.saturate = true;
}

void signed_source(Encoded& e, Instruction&) {
  e.bits.require(74, 1, e.has().signed_integer_pack ? 1 : 0, "the sign of the source");
}

/// I2IP: {78:76} is the format of the results, {73:72} says what of the third source stays; of 8 bits, which half.
void integer_pack(Encoded& e, Instruction& i) {
  fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, signed_source>(e, i);
  static constexpr ScalarType kTypes[] = {ScalarType::kU8, ScalarType::kS8, ScalarType::kU16, ScalarType::kS16,
                                          ScalarType::kU2, ScalarType::kS2, ScalarType::kU4,  ScalarType::kS4};
  static constexpr unsigned kKept[] = {0, 0, 0, 0, 3, 3, 2, 2};
  const auto format = e.bits.take(76, 3);
  if (format < 2) i.mod.byte_select = static_cast<std::uint8_t>(e.bits.flag(72) ? 2 : 0);
  if (i.mod.byte_select == 0) e.bits.require(72, 2, kKept[format], "the part of the third source of I2IP");
  i.mod.source_type = ScalarType::kS32;
  i.mod.dest_type = kTypes[format];
  i.mod.saturate = true;
}

/// F2IP: {77:76} is the format of the results; only the form in which a NaN becomes zero (74) is known.
void float_pack(Encoded& e, Instruction& i) {
  fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, rounding_79_78>(e, i);
  const auto format = e.bits.take(76, 2);
  if (format > 1) throw UndecodableBits("unknown format of F2IP");
  if (i.mod.rounding == isa::Rounding::kDown || i.mod.rounding == isa::Rounding::kUp) {
    throw UndecodableBits("F2IP rounding other than nearest even and zero");
  }
  e.bits.require(72, 1, 0, "the part of the third source of F2IP");
  e.bits.require(74, 2, 1, "NTZ of F2IP");
  i.mod.source_type = ScalarType::kF32;
  i.mod.dest_type = format == 1 ? ScalarType::kS8 : ScalarType::kU8;
  i.mod.saturate = true;
}

/// F2FP.TF32.F32.PACK_B: one source, rounded to 10 fraction bits.
void f2fp_tf32(Encoded& e, Instruction& i) {
  i.opcode = Opcode::kF2fpTf32;
  fields<rd, src_b<kPlain>, flag<75, &Modifiers::relu>>(e, i);
  e.bits.require(24, 8, isa::kRegisterZero, "the first source of F2FP.PACK_B");
  e.bits.require(64, 8, isa::kRegisterZero, "the third source of F2FP.PACK_B");
  e.bits.require(72, 3, 0, "the source format of F2FP.TF32");
  e.bits.require(76, 3, 5, "the format of F2FP.TF32");
  const auto rounding = e.bits.take(79, 3);
  if (rounding != 0 && rounding != 3) throw UndecodableBits("F2FP rounding other than nearest even and zero");
  i.mod.rounding = static_cast<isa::Rounding>(rounding);
  e.bits.require(86, 5, 8 + 1, "PACK_B of F2FP.TF32");
}

/// F2FP.MERGE_C: one f32, beside half of c; only zeros are known there.
void f2fp_merge(Encoded& e, Instruction& i) {
  e.bits.require(24, 8, isa::kRegisterZero, "the first source of F2FP.MERGE_C");
  i.c = i.a;
  i.mod.variant = 1;
}

/// Two f32 of a and b, or the two halves of b, become one byte each, beside half of c.
void f2fp_pack_fp8(Encoded& e, Instruction& i, bool of_halves) {
  i.opcode = Opcode::kF2fpPackFp8;
  i.mod.source_type = of_halves ? ScalarType::kF16x2 : ScalarType::kF32;
  i.c = register_at(e.bits, 64);
  i.mod.saturate = e.bits.flag(77);
  i.mod.byte_select = static_cast<std::uint8_t>(e.bits.flag(72) ? 2 : 0);
  if (of_halves) {
    e.bits.require(24, 8, isa::kRegisterZero, "the first source of F2FP.UNPACK_B_MERGE_C");
  } else {
    e.bits.require(78, 1, 1, "PACK_AB_MERGE_C");
  }
  e.bits.require(90, 1, 1, "MERGE_C");
}

/// F2FP: 73 says that the source is e4m3 (74: an 8-bit float), {87, 76} is the destination's format.
void f2fp(Encoded& e, Instruction& i) {
  if (e.has().packs_tf32_and_fp8 && e.bits.flag(86)) return f2fp_tf32(e, i);
  fields<rd, src_a<kPlain>, src_b<kPlain>>(e, i);
  const auto source = e.bits.take(73, 2);
  const auto dest = e.bits.take(87, 1) << 1 | e.bits.take(76, 1);
  i.mod.relu = e.bits.flag(75);
  static constexpr ScalarType kDest[] = {ScalarType::kF16x2, ScalarType::kBf16x2, ScalarType::kE5m2, ScalarType::kE4m3};
  i.mod.dest_type = kDest[dest];
  i.mod.pack_bf16 = dest == 1;
  if (source == 0 && dest < 2) {
    i.mod.source_type = ScalarType::kF32;
    const auto rounding = e.bits.take(79, 2);
    if (rounding != 0 && rounding != 3) throw UndecodableBits("F2FP rounding other than nearest even and zero");
    i.mod.rounding = static_cast<isa::Rounding>(rounding);
    e.bits.require(64, 8, isa::kRegisterZero, "the third source of F2FP");
    i.mod.saturate = e.bits.flag(77);
    if (e.bits.flag(78)) f2fp_merge(e, i);
  } else if (!e.has().packs_tf32_and_fp8) {
    throw UndecodableBits("an 8-bit format in F2FP");
  } else if (source < 2 && dest >= 2) {
    f2fp_pack_fp8(e, i, source == 1);
  } else if (source >= 2 && dest < 2) {  // two bytes of one half of b become a pair
    i.opcode = Opcode::kF2fpUnpackFp8;
    i.mod.source_type = source == 3 ? ScalarType::kE4m3 : ScalarType::kE5m2;
    i.mod.byte_select = static_cast<std::uint8_t>(e.bits.flag(88) ? 2 : 0);
    e.bits.require(89, 1, 1, "UNPACK_B");
    e.bits.require(24, 8, isa::kRegisterZero, "the first source of F2FP.UNPACK_B");
    e.bits.require(64, 8, isa::kRegisterZero, "the third source of F2FP.UNPACK_B");
  } else {
    throw UndecodableBits("an unknown pair of formats in F2FP");
  }
}

void i2fp_tail(Encoded& e, Instruction& i) {
  i.mod.source_type = e.bits.flag(74) ? ScalarType::kS32 : ScalarType::kU32;
  e.bits.require(75, 3, 2, "I2FP's destination format");
  e.bits.require(84, 2, 2, "I2FP's source size");
  i.mod.dest_type = ScalarType::kF32;
}
void i2fp_rounding(Encoded& e, Instruction& i) {
  rounding_79_78(e, i);
  if (i.mod.rounding == isa::Rounding::kDown || i.mod.rounding == isa::Rounding::kUp) {
    throw UndecodableBits("I2FP rounding other than nearest even and zero");
  }
}

bool wide(ScalarType type) { return type == ScalarType::kF64 || type == ScalarType::kU64 || type == ScalarType::kS64; }
/// Conversions from or to 64 bits have opcodes of their own (another pipe).
template <bool kWide>
void width(Encoded&, Instruction& i) {
  const bool same = i.opcode == Opcode::kF2f && i.mod.source_type == i.mod.dest_type;
  if (same || (wide(i.mod.source_type) || wide(i.mod.dest_type)) != kWide) {
    throw UndecodableBits("a format of the wrong width for this conversion's opcode");
  }
}
void same_type(Encoded&, Instruction& i) {
  if (i.mod.source_type != i.mod.dest_type) throw UndecodableBits("FRND between two formats");
}

constexpr Rule kFtz = flag<80, &Modifiers::ftz>;
constexpr Rule kF2i =
    fields<rd, src_b<kAbs>, float_source, half_select, integer_dest, rounding_79_78, kFtz, variant_flag<77>>;
constexpr Rule kI2f = fields<rd, src_b<kPlain>, integer_source, float_dest, rounding_79_78>;
constexpr Rule kF2f = fields<rd, src_b<kAbs>, float_source, half_select, float_dest, rounding_79_78, kFtz>;

constexpr OpcodeRow kRows[] = {
    {0x03e,
     kAllB,
     Opcode::kF2fp,
     f2fp,
     kBothFamilies,
     {Opcode::kF2fpTf32, Opcode::kF2fpPackFp8, Opcode::kF2fpUnpackFp8}},
    {0x038, kAllB, Opcode::kI2i, fields<rd, src_b<kPlain>, small_integer_dest>},
    {0x039, kAllBC, Opcode::kI2ip, integer_pack},
    {0x043, kAllBC, Opcode::kF2ip, float_pack, kHopper},
    {0x045, kAllB, Opcode::kI2fp, fields<rd, src_b<kPlain>, i2fp_tail, i2fp_rounding>, kHopper},
    {0x104, kAllB, Opcode::kF2f, fields<kF2f, width<false>>},
    {0x105, kAllB, Opcode::kF2i, fields<kF2i, width<false>>},
    {0x106, kAllB, Opcode::kI2f, fields<kI2f, width<false>>},
    {0x107, kAllB, Opcode::kFrnd, fields<kF2f, same_type, width<false>>},
    // The same with a 64-bit operand: another pipe.
    {0x110, kAllB, Opcode::kF2f, fields<kF2f, width<true>>},
    {0x111, kAllB, Opcode::kF2i, fields<kF2i, width<true>>},
    {0x112, kAllB, Opcode::kI2f, fields<kI2f, width<true>>},
    {0x113, kAllB, Opcode::kFrnd, fields<kF2f, same_type, width<true>>},
};
static_assert(decodes(kRows, isa::DecoderTable::conversion),
              "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows conversion_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
