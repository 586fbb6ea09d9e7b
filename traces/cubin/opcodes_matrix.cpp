// SPDX-License-Identifier: Apache-2.0
// Matrix instructions: formats, shape and sparsity of HMMA, IMMA, BMMA and DMMA.
#include <string>

#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::MmaOp;
using isa::NumberFormat;
using isa::Opcode;

namespace {

void mma_registers(Encoded& e, Instruction& i) {
  i.dest = e.bits.get<std::uint8_t>(16, 8);
  i.a = register_at(e.bits, 24);
  i.b = register_at(e.bits, 32);
  i.c = register_at(e.bits, 64);
}

/// The uniform predicate field: 0 is UPT here (it is encoded reversed).
void no_uniform_predicate(Encoded& e) { e.bits.require(87, 4, 0, "the uniform predicate of a matrix instruction"); }

void metadata(Encoded& e, Instruction& i) {
  i.metadata_register = e.bits.get<std::uint8_t>(40, 8);
  i.selector = e.bits.get<std::uint8_t>(48, 2);
  // Reuse of the metadata register: ptxas sets bit 50 for sm_80 (printed as .reuse) and bit 125 for sm_90 (not
  // printed).
  i.mod.variant = e.bits.flag(50) ? 1 : 0;
  const bool fourth_slot = e.bits.flag(125);
  if (i.mod.variant == 1 || fourth_slot) i.control.reuse = static_cast<std::uint8_t>(i.control.reuse | 8);
  e.bits.require(81, 1, 0, "the sparse format (only TID, ordered metadata, is known)");
}

[[noreturn]] void unknown_shape(const char* what, std::uint64_t size) {
  throw UndecodableBits(std::string("unknown ") + what + " size code " + std::to_string(size));
}

sparsity::Pattern pattern_2_of_4(int elements_per_index) {
  sparsity::Pattern p;
  p.n = 2;
  p.m = 4;
  p.elements_per_index = elements_per_index;
  return p;
}

void hmma(Encoded& e, Instruction& i) {
  mma_registers(e, i);
  no_uniform_predicate(e);
  MmaOp& op = i.mma;
  op.sparse = e.bits.flag(73);
  op.c = e.bits.flag(76) ? NumberFormat::f32 : NumberFormat::f16;
  const auto type = e.bits.take(82, 2);
  if (type == 3) throw UndecodableBits("HMMA source format 3");
  static constexpr NumberFormat kFormats[] = {NumberFormat::f16, NumberFormat::bf16, NumberFormat::tf32};
  op.a = op.b = kFormats[type];
  const bool tf32 = type == 2;
  if (type != 0 && op.c != NumberFormat::f32) throw UndecodableBits("HMMA with bf16 or tf32 inputs and f16 output");
  const auto size = (e.bits.take(78, 1) << 1) | e.bits.take(75, 1);
  if (!op.sparse) {
    if (size == 0)
      op.k = 8;
    else if (size == 1 && !tf32)
      op.k = 16;
    else if (size == 2 && tf32)
      op.k = 4;
    else
      unknown_shape("HMMA", size);
  } else {
    if (size == 0 && tf32)
      op.k = 8;
    else if (size == 1)
      op.k = 16;
    else if (size == 3 && !tf32)
      op.k = 32;
    else
      unknown_shape("HMMA.SP", size);
    op.pattern = pattern_2_of_4(1);
    if (tf32) {
      op.pattern.n = 1;
      op.pattern.m = 2;
    }
    metadata(e, i);
  }
  // Sign modifiers of A (72) and B (63) exist in the encoding; PTX has no way to ask for them.
  e.bits.require(72, 1, 0, "negation of a matrix operand");
}

NumberFormat integer_format(bool four_bits, bool is_signed) {
  if (four_bits) return is_signed ? NumberFormat::s4 : NumberFormat::u4;
  return is_signed ? NumberFormat::s8 : NumberFormat::u8;
}

void imma(Encoded& e, Instruction& i) {
  mma_registers(e, i);
  no_uniform_predicate(e);
  MmaOp& op = i.mma;
  op.sparse = e.bits.flag(72);
  e.bits.require(73, 2, 2, "row and column order of IMMA");
  op.c = NumberFormat::s32;
  const bool a_signed = e.bits.flag(76);
  const bool b_signed = e.bits.flag(78);
  e.bits.require(77, 1, 0, "IMMA format");
  e.bits.require(79, 1, 0, "IMMA format");
  const auto four_bits = e.bits.take(83, 2);  // of A, of B
  if (four_bits == 1 || four_bits == 2) throw UndecodableBits("IMMA with operands of 8 and 4 bits");
  const bool a_four = four_bits == 3;
  op.a = integer_format(a_four, a_signed);
  op.b = integer_format(a_four, b_signed);
  op.saturate = e.bits.flag(82);
  const auto size = (e.bits.take(85, 2) << 1) | e.bits.take(75, 1);
  if (!op.sparse) {
    switch (size) {
      case 0:
        op.m = 8;
        op.k = 16;
        break;
      case 2:
        op.m = 8;
        op.k = 32;
        break;
      case 4: op.k = 16; break;
      case 5: op.k = 32; break;
      case 6: op.k = 64; break;
      default: unknown_shape("IMMA", size);
    }
    const bool exists = a_four ? op.k != 16 : op.k != 64 && size != 2;
    if (!exists) unknown_shape("IMMA", size);
  } else {
    switch (size) {
      case 5: op.k = 32; break;
      case 6: op.k = 64; break;
      case 7: op.k = 128; break;
      default: unknown_shape("IMMA.SP", size);
    }
    if ((a_four && op.k == 32) || (!a_four && op.k == 128)) unknown_shape("IMMA.SP", size);
    op.pattern = pattern_2_of_4(a_four ? 2 : 1);
    metadata(e, i);
  }
}

void bmma(Encoded& e, Instruction& i) {
  mma_registers(e, i);
  no_uniform_predicate(e);
  e.bits.require(73, 2, 2, "row and column order of BMMA");
  e.bits.require(79, 2, 2, "BMMA format (only POPC is known)");
  MmaOp& op = i.mma;
  op.a = op.b = NumberFormat::b1;
  op.c = NumberFormat::s32;
  op.exclusive_or = !e.bits.flag(78);
  const auto size = e.bits.take(75, 2);
  if (size == 3) unknown_shape("BMMA", size);
  op.m = size == 0 ? 8 : 16;
  op.k = size == 2 ? 256 : 128;
}

void dmma(Encoded& e, Instruction& i) {
  fields<rd, src_a<Sign::kNegateAbsolute>, src_bc<Sign::kNegateAbsolute, Sign::kNegateAbsolute>>(e, i);
  // MmaOp has no double format: the opcode says it.
  const auto size = static_cast<int>(e.bits.take(76, 2));
  if (size != 0 && e.architecture.family != CodeFamily::kHopper) unknown_shape("DMMA", e.bits.take(76, 2));
  i.mma.m = size == 0 ? 8 : 16;
  i.mma.n = 8;
  i.mma.k = static_cast<std::uint16_t>(size == 0 ? 4 : 2 << size);
}

constexpr OpcodeRow kRows[] = {
    {0x03c, kReg, Opcode::kHmma, hmma},
    {0x037, kReg, Opcode::kImma, imma},
    {0x03d, kReg, Opcode::kBmma, bmma},
    {0x03f, kReg, Opcode::kDmma, dmma},
    {0x03a, kReg, Opcode::kMovm, fields<rd, src_a<Sign::kNone>>},
};
static_assert(decodes(kRows, isa::DecoderTable::matrix), "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows matrix_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
