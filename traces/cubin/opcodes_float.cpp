// SPDX-License-Identifier: Apache-2.0
// Single, double and half precision arithmetic.
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::Modifiers;
using isa::Opcode;
using isa::ScalarType;

namespace {

constexpr Sign kAbs = Sign::kNegateAbsolute;

void compare_79_76(Encoded& e, Instruction& i) { i.mod.compare = static_cast<isa::Compare>(e.bits.take(76, 4)); }
template <int kLsb>
void bool_op(Encoded& e, Instruction& i) {
  const auto code = e.bits.take(kLsb, 2);
  if (code == 3) throw UndecodableBits("boolean operation 3");
  i.mod.bool_op = static_cast<isa::BoolOp>(code);
}

/// DADD keeps its second source in the C slot.
void dadd_b(Encoded& e, Instruction& i) { i.b = e.form == 1 ? read_high(e, kAbs) : read_middle(e, kAbs); }

bool middle_is_immediate(const Encoded& e) { return e.form == 2 || e.form == 4; }

/// EX2 and TANH of a 16-bit float: 1 and 2 in 73:72 are f16 and bf16, where there is bf16; swizzle 1 in 61:60 is .H1.
void mufu_half(Encoded& e, Instruction& i, std::uint64_t format) {
  const bool only_f16 = !e.has().bf16_arithmetic;
  const bool known = i.mod.mufu == isa::MufuFunction::kEx2 || i.mod.mufu == isa::MufuFunction::kTanh;
  if (!known || format == 3 || (only_f16 && format != 2)) throw UndecodableBits("a format of MUFU");
  i.mod.source_type = format == 2 && !only_f16 ? ScalarType::kBf16 : ScalarType::kF16;
  if (!middle_is_immediate(e)) {
    i.mod.swizzle_b = e.bits.get<std::uint8_t>(60, 1);
  } else if (i.b.value >> 16 != 0) {
    throw UndecodableBits("an immediate of more than 16 bits");
  }
}

void mufu_function(Encoded& e, Instruction& i) {
  const auto format = e.bits.take(72, 2);
  const auto code = e.bits.take(74, 4);
  if (code > static_cast<unsigned>(isa::MufuFunction::kTanh)) throw UndecodableBits("unknown MUFU function");
  i.mod.mufu = static_cast<isa::MufuFunction>(code);
  if (format != 0) mufu_half(e, i, format);
}

// ---- half precision: packed pairs with a swizzle per source ----

/// Swizzles: 0 both halves as they are, 2 the low half twice, 3 the high half twice.
std::uint8_t swizzle_at(Encoded& e, int lsb) {
  const auto code = e.bits.get<std::uint8_t>(lsb, 2);
  if (code == 1) throw UndecodableBits("swizzle 1");
  return code;
}

void half_a(Encoded& e, Instruction& i) {
  read_a(e, i, kAbs);
  i.mod.swizzle_a = swizzle_at(e, 74);
}

std::uint8_t middle_swizzle(Encoded& e) { return middle_is_immediate(e) ? std::uint8_t{0} : swizzle_at(e, 60); }

void half_b(Encoded& e, Instruction& i) {
  i.b = read_middle(e, kAbs);
  i.mod.swizzle_b = middle_swizzle(e);
}

/// HFMA2: the register in the high field has its modifiers at 84 (negate), 83 (absolute), 82:81 (swizzle).
void half_bc(Encoded& e, Instruction& i) {
  isa::Operand middle = read_middle(e, kAbs);
  const std::uint8_t middle_swizzle_code = middle_swizzle(e);
  isa::Operand high = register_at(e.bits, 64);
  high.negate = e.bits.flag(84);
  high.absolute = e.bits.flag(83);
  const std::uint8_t high_swizzle_code = swizzle_at(e, 81);
  if (swapped(e)) {
    i.c = middle;
    i.mod.swizzle_c = middle_swizzle_code;
    i.b = high;
    i.mod.swizzle_b = high_swizzle_code;
  } else {
    i.b = middle;
    i.mod.swizzle_b = middle_swizzle_code;
    i.c = high;
    i.mod.swizzle_c = high_swizzle_code;
  }
}

/// HFMA2: b may be (-high half, low half), as multiplications of complex numbers need it.
void crossed_b(Encoded& e, Instruction& i) {
  if (!e.has().crossed_halves || !e.bits.flag(86)) return;
  if (i.mod.swizzle_b != 0 || i.b.kind == isa::Operand::Kind::kImmediate) throw UndecodableBits("a swizzle beside NH1");
  i.mod.swizzle_b = 4;
}

template <int kBit>
void half_type(Encoded& e, Instruction& i) {
  i.mod.pack_bf16 = e.bits.flag(kBit);
  const bool early = i.opcode == Opcode::kHfma2 || i.opcode == Opcode::kHmnmx2 || i.opcode == Opcode::kVhmnmx;
  if (i.mod.pack_bf16 && !e.has().bf16_arithmetic && !early)
    throw UndecodableBits("an operation on bf16 that this architecture lacks");
  i.mod.dest_type = i.mod.pack_bf16 ? ScalarType::kBf16x2 : ScalarType::kF16x2;
}
void hadd2_type(Encoded& e, Instruction& i) {
  half_type<85>(e, i);
  if (!e.bits.flag(78)) return;
  if (i.mod.pack_bf16 || middle_is_immediate(e)) throw UndecodableBits("HADD2.F32 with bf16 or an immediate");
  i.mod.dest_type = ScalarType::kF32;
}
void no_out_of_bounds(Encoded& e, Instruction&) {
  if (e.bits.flag(76)) throw UndecodableBits("OOB", "fma.oob");
}
/// HFMA2 and HMUL2: when RELU is set the (otherwise empty) predicate field reads PT.
void half_relu(Encoded& e, Instruction& i) {
  i.mod.relu = e.bits.flag(79);
  e.bits.require(87, 4, i.mod.relu ? 7 : 0, "the predicate field of RELU");
  if (i.mod.relu && i.mod.saturate) throw UndecodableBits("both RELU and SAT");
}
/// Minimum and maximum: variant is 1 for NAN, plus 2 for XORSIGN.
void minimum_modes(Encoded& e, Instruction& i) {
  i.mod.variant = e.bits.get<std::uint16_t>(81, 1);
  if (e.has().xorsign_minimum && e.bits.flag(82)) i.mod.variant |= 2;
}
void hmnmx2_tail(Encoded& e, Instruction& i) {
  half_type<85>(e, i);
  minimum_modes(e, i);
}

/// The minimum or maximum of three whole pairs.
void vhmnmx_tail(Encoded& e, Instruction& i) {
  half_type<85>(e, i);
  i.mod.variant = e.bits.get<std::uint16_t>(81, 1);
}

/// HFMA2.MMA works on whole pairs.
void no_swizzles(Encoded&, Instruction& i) {
  if ((i.mod.swizzle_a | i.mod.swizzle_b | i.mod.swizzle_c) != 0) throw UndecodableBits("a swizzle in HFMA2.MMA");
}

constexpr Rule kFtz = flag<80, &Modifiers::ftz>;
constexpr Rule kSaturate = flag<77, &Modifiers::saturate>;
constexpr Rule kFsetp = fields<src_a<kAbs>, src_b<kAbs>, bool_op<74>, compare_79_76, kFtz, pu, pv, pp>;
constexpr Rule kHalfMath = fields<rd, half_a, half_bc, kSaturate, kFtz, half_type<85>, half_relu>;

constexpr OpcodeRow kRows[] = {
    {0x008, kAllB, Opcode::kFsel, fields<rd, src_a<kAbs>, src_b<kAbs>, kFtz, pp>},
    {0x009, kAllB, Opcode::kFmnmx, fields<rd, src_a<kAbs>, src_b<kAbs>, kFtz, minimum_modes, pp>},
    {0x00a, kAllB, Opcode::kFset,
     fields<rd, src_a<kAbs>, src_b<kAbs>, bool_op<74>, compare_79_76, kFtz, variant<1>, pp>},
    {0x00b, kAllB, Opcode::kFsetp, kFsetp},
    {0x020, kAllB, Opcode::kFmul,
     fields<rd, src_a<kAbs>, src_b<kAbs>, kSaturate, rounding_79_78, kFtz, fixed<84, 3, 4>>},
    {0x021, kAllC, Opcode::kFadd, fields<rd, src_a<kAbs>, src_b<kAbs>, kSaturate, rounding_79_78, kFtz>},
    {0x023, kAllBC, Opcode::kFfma, fields<rd, src_a<kAbs>, src_bc<kAbs, kAbs>, kSaturate, rounding_79_78, kFtz>},
    {0x102, kAllB, Opcode::kFchk, fields<src_a<kAbs>, src_b<kAbs>, pu, fixed<16, 8, 0>>},
    {0x108, kAllB, Opcode::kMufu, fields<rd, src_b<kAbs>, mufu_function>},
    {0x028, kAllB, Opcode::kDmul, fields<rd, src_a<kAbs>, src_b<kAbs>, rounding_79_78>},
    {0x029, kAllC, Opcode::kDadd, fields<rd, src_a<kAbs>, dadd_b, rounding_79_78>},
    {0x02a, kAllC, Opcode::kDsetp, fields<src_a<kAbs>, src_b<kAbs>, bool_op<74>, compare_79_76, pu, pv, pp>},
    {0x02b, kAllBC, Opcode::kDfma, fields<rd, src_a<kAbs>, src_bc<kAbs, kAbs>, rounding_79_78>},
    {0x030, kAllC, Opcode::kHadd2, fields<rd, half_a, half_b, kSaturate, kFtz, hadd2_type>},
    {0x031, kAllBC, Opcode::kHfma2, fields<no_out_of_bounds, kHalfMath, crossed_b>},
    {0x032, kAllB, Opcode::kHmul2, fields<rd, half_a, half_b, kSaturate, kFtz, half_type<85>, half_relu>},
    {0x033, kAllC, Opcode::kHset2,
     fields<rd, half_a, half_b, bool_op<69>, compare_79_76, kFtz, half_type<65>, variant_flag<71>, pp>},
    {0x034, kAllC, Opcode::kHsetp2,
     fields<half_a, half_b, bool_op<69>, compare_79_76, kFtz, half_type<65>, variant_flag<71>, pu, pv, pp>},
    {0x035, kAllBC, Opcode::kHfma2Mma, fields<kHalfMath, no_swizzles>},
    {0x040, kAllB, Opcode::kHmnmx2, fields<rd, half_a, half_b, kFtz, hmnmx2_tail, pp>},
    {0x047, kReg, Opcode::kVhmnmx, fields<rd, src_a<Sign::kNone>, src_bc<Sign::kNone, Sign::kNone>, vhmnmx_tail, pp>,
     kHopper},
};
static_assert(decodes(kRows, isa::DecoderTable::floating),
              "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows float_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
