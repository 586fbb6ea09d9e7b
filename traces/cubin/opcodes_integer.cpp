// SPDX-License-Identifier: Apache-2.0
// Integer, logic and data-movement operations and their uniform-datapath twins.
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::Modifiers;
using isa::Opcode;

namespace {

constexpr Sign kPlain = Sign::kNone;
constexpr Sign kNeg = Sign::kNegate;

void lane_mask(Encoded& e, Instruction&) { e.bits.require(72, 4, 15, "the lane mask"); }

void lut_79_72(Encoded& e, Instruction& i) { i.mod.lut = e.bits.get<std::uint8_t>(72, 8); }
/// PLOP3: the first table is split around the third source predicate, the second sits in the place of Rd.
void plop3_tables(Encoded& e, Instruction& i) {
  i.mod.lut = static_cast<std::uint8_t>((e.bits.take(72, 5) << 3) | e.bits.take(64, 3));
  i.mod.lut1 = e.bits.get<std::uint8_t>(16, 8);
}
void second_table(Encoded& e, Instruction& i) { i.mod.lut1 = e.bits.get<std::uint8_t>(16, 8); }
void plop3_third_source(Encoded& e, Instruction& i) {
  pr(e, i);
  i.source_predicate2.uniform = e.bits.flag(67);
}

void shf_type(Encoded& e, Instruction& i) {
  const auto type = e.bits.take(73, 2);  // S64, U64, S32, U32
  i.mod.is_64bit = type < 2;
  i.mod.is_signed = type % 2 == 0;
}

void compare_78_76(Encoded& e, Instruction& i) {
  const auto code = e.bits.take(76, 3);
  i.mod.compare = code == 7 ? isa::Compare::kTrue : static_cast<isa::Compare>(code);
}
void bool_op_75_74(Encoded& e, Instruction& i) {
  const auto code = e.bits.take(74, 2);
  if (code == 3) throw UndecodableBits("boolean operation 3");
  i.mod.bool_op = static_cast<isa::BoolOp>(code);
}

void lea_operands(Encoded& e, Instruction& i) {
  i.mod.shift = e.bits.get<std::uint8_t>(75, 5);
  i.mod.high = e.bits.flag(80);
  i.mod.sx32 = e.bits.flag(73);
  if (i.mod.sx32 && !i.mod.high) throw UndecodableBits("LEA.SX32 without HI");
  // The shift amount takes the place of the sign modifiers of the high field.
  if (swapped(e)) {
    i.c = read_middle(e, kPlain);
    i.b = register_at(e.bits, 64);
  } else {
    i.b = read_middle(e, kNeg);
    i.c = e.extended && e.form < 5 ? uniform_at(e.bits, 64) : register_at(e.bits, 64);
  }
}

void byte_select_77_76(Encoded& e, Instruction& i) { i.mod.byte_select = e.bits.get<std::uint8_t>(76, 2); }
void prmt_mode(Encoded& e, Instruction& i) { i.mod.prmt_mode = e.bits.get<std::uint8_t>(72, 3); }

/// Formats 73:72 of the packed minimum/maximum family: 0 U32, 1 S32, 2 U16x2, 3 S16x2.
void packed_type(Encoded& e, Instruction& i) {
  const auto type = e.bits.take(72, 2);
  i.mod.is_signed = type % 2 == 1;
  i.mod.variant = type >= 2 ? 1 : 0;
}

/// Which source each half of a pair is from; what they say of words is not known.
void comparison_results(Encoded& e, Instruction& i) {
  if (i.mod.variant != 1) return e.bits.require(81, 6, 63, "the predicates of VIMNMX");
  pu(e, i);
  pv(e, i);
}

void idp_types(Encoded& e, Instruction& i) {
  const bool a_signed = e.bits.flag(73);
  const bool b_signed = e.bits.flag(74);
  const bool two = e.bits.flag(76);
  const bool high = e.bits.flag(77);
  if (high && !two) throw UndecodableBits("IDP.4A.HI");
  i.mod.variant = static_cast<std::uint16_t>(!two ? 0 : high ? 2 : 1);
  i.mod.source_type = two ? (a_signed ? isa::ScalarType::kS16 : isa::ScalarType::kU16)
                          : (a_signed ? isa::ScalarType::kS8 : isa::ScalarType::kU8);
  i.mod.dest_type = b_signed ? isa::ScalarType::kS8 : isa::ScalarType::kU8;
}

void absolute_difference_bytes(Encoded& e, Instruction& i) {
  i.mod.is_signed = e.bits.flag(73);
  i.mod.variant = e.bits.get<std::uint16_t>(75, 1);
  pu(e, i);
}

constexpr Rule kExtended = flag<74, &Modifiers::extended>;
constexpr Rule kSigned = flag<73, &Modifiers::is_signed>;

constexpr Rule kIadd3 = fields<rd, src_a<kNeg>, src_bc<kNeg, kNeg>, kExtended, pu, pv, pp, pq>;
constexpr Rule kNoCarryOut = fixed<81, 3, 7>;
constexpr Rule kImad = fields<rd, src_a<kPlain>, src_bc<kPlain, kNeg>, kSigned, kExtended, kNoCarryOut, pp>;
constexpr Rule kImadWide = fields<rd, src_a<kPlain>, src_bc<kPlain, kNeg>, kSigned, kExtended, pu, pp>;
constexpr Rule kLea = fields<rd, src_a<kNeg>, lea_operands, kExtended, pu, pp>;
constexpr Rule kLop3 =
    fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, lut_79_72, flag<80, &Modifiers::predicate_and>, pu, pp>;
constexpr Rule kShf = fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, shf_type, flag<75, &Modifiers::wrap>,
                             flag<76, &Modifiers::right>, flag<80, &Modifiers::high>>;
constexpr Rule kIsetp = fields<src_a<kPlain>, src_b<kPlain>, flag<72, &Modifiers::extended>, kSigned, bool_op_75_74,
                               compare_78_76, pu, pv, pp, pr>;
constexpr Rule kPacked =
    fields<rd, src_a<kPlain>, src_b<kPlain>, packed_type, flag<76, &Modifiers::relu>, comparison_results, pp>;
constexpr Rule kUnary = fields<rd, src_b<kPlain>>;
constexpr Rule kFlo = fields<rd, src_b<kNeg>, kSigned, variant_flag<74>, pu>;
constexpr Rule kSgxt = fields<rd, src_a<kPlain>, src_b<kPlain>, kSigned, flag<75, &Modifiers::wrap>>;
constexpr Rule kBmsk = fields<rd, src_a<kPlain>, src_b<kPlain>, flag<75, &Modifiers::wrap>>;
constexpr Rule kUniformUnary = fields<urd, src_b<kPlain>>;

void add_pair(Encoded& e, Instruction& i) { fields<rd, src_a<kPlain>, src_b<kNeg>, variant_flag<73>>(e, i); }

/// UIADD3.64: pairs of uniform registers; carries go nowhere.
void wide_uniform_sum(Encoded& e, Instruction& i) {
  fields<urd, src_a<Sign::kNone>, src_bc<Sign::kNone, Sign::kNone>>(e, i);
  i.mod.is_64bit = true;
  for (const int lsb : {77, 81, 84, 87}) e.bits.require(lsb, 3, isa::kPredicateTrue, "a carry of UIADD3.64");
  e.bits.require(80, 1, 1, "a carry of UIADD3.64");
  e.bits.require(90, 1, 1, "a carry of UIADD3.64");
  for (const isa::Operand* o : {&i.b, &i.c}) {
    if (o->kind == isa::Operand::Kind::kImmediate && o->value >> 31 != 0) {
      throw UndecodableBits("UIADD3.64 with a constant of 32 bits");
    }
  }
}

constexpr OpcodeRow kRows[] = {
    {0x002, kAllB, Opcode::kMov, fields<rd, src_b<kPlain>, lane_mask>},
    {0x003, kReg | kImmB | kConstB, Opcode::kP2r, fields<rd, src_a<kPlain>, src_b<kPlain>, byte_select_77_76>},
    {0x004, kReg | kImmB | kConstB, Opcode::kR2p, fields<src_a<kPlain>, src_b<kPlain>, byte_select_77_76>},
    {0x005, only(0x805), Opcode::kCs2r, fields<rd, special_register, flag<80, &Modifiers::is_64bit>>},
    {0x119, only(0x919), Opcode::kS2r, fields<rd, special_register>},
    {0x1c3, only(0x9c3), Opcode::kS2ur, fields<urd, special_register>},
    {0x1c2, only(0x3c2), Opcode::kR2ur, fields<urd, src_a<kPlain>, pu>, kAmpere},
    {0x0ca, only(0x2ca), Opcode::kR2ur, fields<urd, src_a<kPlain>, pu, variant_flag<84>>, kHopper},
    {0x007, kAllB, Opcode::kSel, fields<rd, src_a<kPlain>, src_b<kPlain>, pp>},
    {0x010, kAllB, Opcode::kIadd3, kIadd3},
    {0x011, kAllBC, Opcode::kLea, kLea},
    {0x012, kAllBC, Opcode::kLop3, kLop3},
    {0x013, kAllB, Opcode::kIabs, kUnary},
    {0x014, kAllBC, Opcode::kVabsdiff, fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, kSigned, pu>},
    {0x015, kAllBC, Opcode::kVabsdiff4, fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, absolute_difference_bytes>},
    {0x016, kAllBC, Opcode::kPrmt, fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, prmt_mode>},
    {0x017, kAllB, Opcode::kImnmx, fields<rd, src_a<kPlain>, src_b<kPlain>, kSigned, pp>},
    {0x019, kAllBC, Opcode::kShf, kShf},
    {0x01a, kAllB, Opcode::kSgxt, kSgxt},
    {0x01b, kAllB, Opcode::kBmsk, kBmsk},
    {0x00c, kAllB, Opcode::kIsetp, kIsetp},
    {0x00f, kAllBC, Opcode::kVimnmx3,
     fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, packed_type, flag<76, &Modifiers::relu>, pp>, kHopper},
    {0x01c, only(0x81c), Opcode::kPlop3, fields<pu, pv, pp, pq, plop3_third_source, plop3_tables>},
    {0x01f, kReg, Opcode::kPlop3Signs, fields<pu, pv, src_a<kPlain>, src_bc<kPlain, kPlain>, lut_79_72, second_table>},
    {0x024, kAllBC, Opcode::kImad, kImad},
    {0x025, kAllBC, Opcode::kImadWide, kImadWide},
    {0x027, kAllBC, Opcode::kImadHi, kImadWide},
    {0x026, kAllBC, Opcode::kIdp, fields<rd, src_a<kPlain>, src_bc<kPlain, kPlain>, idp_types>},
    {0x036, kAllB, Opcode::kViadd, add_pair, kHopper},
    {0x046, kAllBC, Opcode::kViaddmnmx,
     fields<rd, src_a<kPlain>, src_bc<kNeg, kPlain>, packed_type, flag<76, &Modifiers::relu>, pp>, kHopper},
    {0x048, kAllB, Opcode::kVimnmx, kPacked, kHopper},
    {0x100, kAllB, Opcode::kFlo, kFlo},
    {0x101, kAllB, Opcode::kBrev, kUnary},
    {0x109, kAllB, Opcode::kPopc, fields<rd, src_b<kNeg>>},
    // Uniform datapath.
    {0x082, kUniformReg | only(0x882) | kUniB, Opcode::kUmov, kUniformUnary},
    {0x083, kUniformImmB, Opcode::kUp2ur, fields<urd, src_a<kPlain>, src_b<kPlain>, byte_select_77_76>},
    {0x084, kUniformImmB, Opcode::kUr2up, fields<src_a<kPlain>, src_b<kPlain>, byte_select_77_76>},
    {0x087, kUniformAll, Opcode::kUsel, fields<urd, src_a<kPlain>, src_b<kPlain>, upp>},
    {0x08c, kUniformAll, Opcode::kUisetp,
     fields<src_a<kPlain>, src_b<kPlain>, flag<72, &Modifiers::extended>, kSigned, bool_op_75_74, compare_78_76, pu, pv,
            upp, upr>},
    {0x097, kUniformReg | kUniformImmB, Opcode::kUiadd3, wide_uniform_sum, kHopper},
    {0x090, kUniformAll, Opcode::kUiadd3, fields<urd, src_a<kNeg>, src_bc<kNeg, kNeg>, kExtended, pu, pv, upp, upq>},
    {0x091, kUniformAll, Opcode::kUlea, fields<urd, src_a<kNeg>, lea_operands, kExtended, pu, upp>},
    {0x092, kUniformAll, Opcode::kUlop3,
     fields<urd, src_a<kPlain>, src_bc<kPlain, kPlain>, lut_79_72, flag<80, &Modifiers::predicate_and>, pu, upp>},
    {0x096, kUniformAll, Opcode::kUprmt, fields<urd, src_a<kPlain>, src_bc<kPlain, kPlain>, prmt_mode>},
    {0x099, kUniformAll, Opcode::kUshf,
     fields<urd, src_a<kPlain>, src_bc<kPlain, kPlain>, shf_type, flag<75, &Modifiers::wrap>,
            flag<76, &Modifiers::right>, flag<80, &Modifiers::high>>},
    {0x09a, kUniformAll, Opcode::kUsgxt,
     fields<urd, src_a<kPlain>, src_b<kPlain>, kSigned, flag<75, &Modifiers::wrap>>},
    {0x09b, kUniformAll, Opcode::kUbmsk, fields<urd, src_a<kPlain>, src_b<kPlain>, flag<75, &Modifiers::wrap>>},
    {0x09c, only(0x89c) | only(0x189c), Opcode::kUplop3, fields<pu, pv, upp, upq, upr, plop3_tables>},
    {0x0a4, kUniformAll, Opcode::kUimad,
     fields<urd, src_a<kPlain>, src_bc<kPlain, kNeg>, kSigned, kExtended, kNoCarryOut, upp>},
    {0x0a5, kUniformAll, Opcode::kUimadWide,
     fields<urd, src_a<kPlain>, src_bc<kPlain, kNeg>, kSigned, kExtended, pu, upp>},
    {0x0bd, kUniformReg | kUniformImmB, Opcode::kUflo, fields<urd, src_b<kNeg>, kSigned, variant_flag<74>, pu>},
    {0x0be, kUniformReg | kUniformImmB, Opcode::kUbrev, kUniformUnary},
    {0x0bf, kUniformReg | kUniformImmB, Opcode::kUpopc, fields<urd, src_b<kNeg>>},
};
static_assert(decodes(kRows, isa::DecoderTable::integer), "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows integer_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
