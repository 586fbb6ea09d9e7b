// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of warpgroups (HGMMA, QGMMA, IGMMA, BGMMA of sm_90a), what orders them, and the pool of
// registers.
#include <string>

#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::MmaOp;
using isa::NumberFormat;
using isa::Opcode;

namespace {

constexpr int kTransposesA = 1, kTransposesB = 2;  // of mod.variant

/// Columns of the size codes of IGMMA and BGMMA: those of s8 and b1 in PTX, and 240 and 256.
int integer_columns(std::uint64_t index) {
  constexpr int kFirst[] = {8, 16, 24, 32, 48};
  const int n = index < 5 ? kFirst[index] : 16 * static_cast<int>(index) - 16;
  if (n > 256) throw UndecodableBits("unknown size code of a warpgroup matrix instruction");
  return n;
}

/// A in registers or in shared memory, B in shared memory: the four uniform registers of both descriptors.
void operands(Encoded& e, Instruction& i) {
  i.dest = e.bits.get<std::uint8_t>(16, 8);
  i.c = register_at(e.bits, 64);
  const bool from_registers = e.form == 6;
  if (from_registers) i.a = register_at(e.bits, 24);
  i.b = uniform_at(e.bits, from_registers ? 32 : 24);
  if (i.b.index != isa::kUniformZero && i.b.index % 4 != 0) throw UndecodableBits("descriptors that are not aligned");
  // The predicate that keeps C is encoded reversed: 0 is UPT.
  i.source_predicate0.index = static_cast<std::uint8_t>(isa::kPredicateTrue - e.bits.take(87, 3));
  i.source_predicate0.negate = e.bits.flag(90);
  i.source_predicate0.uniform = true;
  i.mod.barrier = e.bits.get<std::uint8_t>(84, 3);
  if (i.mod.barrier != 0 && i.mod.barrier != 7) throw UndecodableBits("a group of warpgroup matrix instructions but 0");
  MmaOp& op = i.mma;
  op.m = 64;
  op.warpgroup = true;
  op.sparse = e.bits.flag(73);
}

void metadata(Encoded& e, Instruction& i, int kept, int of, bool selects) {
  if (!i.mma.sparse) return;
  i.mma.pattern.n = kept;
  i.mma.pattern.m = of;
  i.metadata_register = e.bits.get<std::uint8_t>(40, 8);
  if (selects) i.selector = e.bits.get<std::uint8_t>(48, 2);
  e.bits.require(50, 1, 0, "reuse of the metadata of a warpgroup matrix instruction");
  e.bits.require(74, 1, 0, "the sparse format (only TID, ordered metadata, is known)");
}

void signs(Encoded& e, Instruction& i) {
  i.a.negate = e.bits.flag(72);
  i.b.negate = e.bits.flag(63);
}

/// `per_k`: the products of a dense instruction, in elements.
void shape(MmaOp& op, int columns, int per_k) {
  op.n = static_cast<std::uint16_t>(columns);
  op.k = static_cast<std::uint16_t>(op.sparse ? 2 * per_k : per_k);
}

void hgmma(Encoded& e, Instruction& i) {
  operands(e, i);
  signs(e, i);
  MmaOp& op = i.mma;
  op.c = e.bits.flag(75) ? NumberFormat::f32 : NumberFormat::f16;
  const auto type = e.bits.take(76, 2);
  if (type == 3) throw UndecodableBits("HGMMA source format 3");
  static constexpr NumberFormat kFormats[] = {NumberFormat::f16, NumberFormat::bf16, NumberFormat::tf32};
  op.a = op.b = kFormats[type];
  if (type != 0 && op.c != NumberFormat::f32) throw UndecodableBits("HGMMA with bf16 or tf32 inputs and f16 output");
  const bool tf32 = type == 2;
  const auto code = e.bits.take(53, 7);
  const std::uint64_t group = tf32 ? (op.sparse ? 0u : 1u) : (op.sparse ? 2u : 0u);
  if (code / 32 != group) throw UndecodableBits("unknown HGMMA size code " + std::to_string(code));
  shape(op, 8 * (static_cast<int>(code % 32) + 1), tf32 ? 8 : 16);
  metadata(e, i, tf32 ? 1 : 2, tf32 ? 2 : 4, true);
  const bool transposes_a = e.bits.flag(61), transposes_b = e.bits.flag(62);
  if (tf32 && (transposes_a || transposes_b)) throw UndecodableBits("HGMMA that transposes tf32");
  if (transposes_a && i.a.kind == isa::Operand::Kind::kRegister)
    throw UndecodableBits("HGMMA that transposes registers");
  i.mod.variant = static_cast<std::uint16_t>((transposes_a ? kTransposesA : 0) | (transposes_b ? kTransposesB : 0));
}

void qgmma(Encoded& e, Instruction& i) {
  operands(e, i);
  signs(e, i);
  MmaOp& op = i.mma;
  op.c = e.bits.flag(75) ? NumberFormat::f32 : NumberFormat::f16;
  op.a = e.bits.flag(76) ? NumberFormat::e5m2 : NumberFormat::e4m3;
  op.b = e.bits.flag(77) ? NumberFormat::e5m2 : NumberFormat::e4m3;
  const auto code = e.bits.take(53, 6);
  if ((code >= 32) != op.sparse) throw UndecodableBits("unknown QGMMA size code " + std::to_string(code));
  shape(op, 8 * (static_cast<int>(code % 32) + 1), 32);
  metadata(e, i, 2, 4, false);
}

void igmma(Encoded& e, Instruction& i) {
  operands(e, i);
  MmaOp& op = i.mma;
  op.c = NumberFormat::s32;
  op.saturate = e.bits.flag(75);
  const auto a = e.bits.take(76, 2), b = e.bits.take(82, 2);
  if (a > 1 || b > 1) throw UndecodableBits("IGMMA source format 2 or 3");
  op.a = a == 1 ? NumberFormat::s8 : NumberFormat::u8;
  op.b = b == 1 ? NumberFormat::s8 : NumberFormat::u8;
  const auto code = e.bits.take(53, 6);
  if (code % 3 != (op.sparse ? 1u : 0u)) throw UndecodableBits("unknown IGMMA size code " + std::to_string(code));
  shape(op, integer_columns(code / 3), 32);
  metadata(e, i, 2, 4, false);
}

void bgmma(Encoded& e, Instruction& i) {
  operands(e, i);
  MmaOp& op = i.mma;
  if (op.sparse) throw UndecodableBits("a sparse BGMMA");
  op.a = op.b = NumberFormat::b1;
  op.c = NumberFormat::s32;
  e.bits.require(77, 2, 2, "the operation of BGMMA (only AND is known)");
  e.bits.require(80, 1, 1, "the reduction of BGMMA (only POPC is known)");
  shape(op, integer_columns(e.bits.take(53, 6)), 256);
}

/// ARRIVE, or a wait until so many groups at most are under way.
void warpgroup(Encoded& e, Instruction& i) {
  if (!e.bits.flag(80)) return;
  i.mod.variant = 1;
  e.bits.require(47, 1, 1, "the comparison of WARPGROUP.DEPBAR (only LE is known)");
  e.bits.require(84, 3, 0, "the group of WARPGROUP.DEPBAR");
  i.mod.depbar_count = e.bits.get<std::uint8_t>(72, 3);
}

/// Gives registers back, or asks for some: the uniform predicate says whether there were enough.
void register_pool(Encoded& e, Instruction& i) {
  const auto mode = e.bits.take(72, 2);
  if (mode != 1 && mode != 2) throw UndecodableBits("unknown mode of USETMAXREG");
  e.bits.require(74, 1, 1, "the pool of USETMAXREG (only CTAPOOL is known)");
  i.mod.variant = static_cast<std::uint16_t>(mode);
  i.dest_predicate0 = e.bits.get<std::uint8_t>(81, 3);
  if (mode == 1 && i.dest_predicate0 != isa::kPredicateTrue) throw UndecodableBits("a result of USETMAXREG.DEALLOC");
  i.b.kind = isa::Operand::Kind::kImmediate;
  i.b.value = e.bits.get<std::uint32_t>(32, 10);
}

constexpr Forms kBothSources = only(0x19f0) | only(0x1df0);

constexpr OpcodeRow kRows[] = {
    {0x1f0, kBothSources, Opcode::kHgmma, hgmma, kHopper},
    {0x1f1, kBothSources, Opcode::kIgmma, igmma, kHopper},
    {0x1f2, kBothSources, Opcode::kBgmma, bgmma, kHopper},
    {0x1f3, kBothSources, Opcode::kQgmma, qgmma, kHopper},
    {0x1c5, only(0x9c5), Opcode::kWarpgroup, warpgroup, kHopper},
    {0x1c8, only(0x19c8) | only(0x9c8), Opcode::kUsetmaxreg, register_pool, kHopper},
};
static_assert(decodes(kRows, isa::DecoderTable::warpgroup),
              "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows warpgroup_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
