// SPDX-License-Identifier: Apache-2.0
// Copies and reductions of blocks (UBLK*) and of tensors by their map (UTMA*), asynchronous stores to shared memory.
#include "models/isa/bulk_form.h"
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::AtomicOp;
using isa::BulkForm;
using isa::Instruction;
using isa::Opcode;
using isa::ScalarType;

namespace {

/// [URb], [URa] and the policy of the L2.
void places(Encoded& e, Instruction& i) {
  i.a = uniform_at(e.bits, 24);
  i.b = uniform_at(e.bits, 32);
}
void policy(Encoded& e, Instruction& i) {
  i.mem.descriptor_shown = e.bits.flag(76);
  if (i.mem.descriptor_shown) i.mem.descriptor = e.bits.get<std::uint8_t>(40, 6);
}
void size(Encoded& e, Instruction& i) { i.c = uniform_at(e.bits, 64); }

void block_spaces(Encoded& e, BulkForm& form) {
  form.to_shared = e.bits.flag(73);
  form.from_shared = e.bits.flag(74);
  if (!form.to_shared && !form.from_shared) throw UndecodableBits("a copy from global to global memory");
}

void block_copy(Encoded& e, Instruction& i) {
  fields<places, policy, size>(e, i);
  BulkForm form;
  block_spaces(e, form);
  form.multicast = e.bits.flag(75);
  e.bits.require(81, 3, 0, "the L2 hint of UBLKCP");
  i.mod.variant = form.bits();
}

AtomicOp operation(Encoded& e) {
  static constexpr AtomicOp kOperations[] = {AtomicOp::kAdd, AtomicOp::kMin, AtomicOp::kMax, AtomicOp::kInc,
                                             AtomicOp::kDec, AtomicOp::kAnd, AtomicOp::kOr,  AtomicOp::kXor};
  return kOperations[e.bits.take(87, 3)];
}

void block_reduction(Encoded& e, Instruction& i) {
  fields<places, policy, size>(e, i);
  BulkForm form;
  block_spaces(e, form);
  if (!form.from_shared) throw UndecodableBits("a reduction of what lies in global memory");
  i.mod.variant = form.bits();
  i.mem.atomic = operation(e);
  const auto type = e.bits.take(81, 4);
  switch (type) {
    case 0: i.mod.source_type = ScalarType::kU32; break;
    case 1: i.mod.source_type = ScalarType::kS32; break;
    case 2: i.mod.source_type = ScalarType::kU64; break;
    case 3: i.mod.source_type = ScalarType::kS64; break;
    case 4: i.mod.source_type = ScalarType::kF16; break;
    case 5: i.mod.source_type = ScalarType::kF32; break;
    case 7: i.mod.source_type = ScalarType::kF64; break;
    case 8: i.mod.source_type = ScalarType::kBf16; break;
    default: throw UndecodableBits("unknown type of UBLKRED");
  }
}

void block_prefetch(Encoded& e, Instruction& i) {
  i.a = uniform_at(e.bits, 24);
  fields<policy, size>(e, i);
}

BulkForm tensor_form(Encoded& e) {
  BulkForm form;
  form.dimensions = static_cast<int>(e.bits.take(79, 3)) + 1;
  if (form.dimensions > 5) throw UndecodableBits("a tensor of more than five dimensions");
  form.by_columns = e.bits.flag(82);
  return form;
}

void tensor_load(Encoded& e, Instruction& i) {
  fields<places, policy>(e, i);
  BulkForm form = tensor_form(e);
  const bool has_third = e.form == 1;  // of a multicast, and the offsets of im2col
  form.multicast = e.bits.flag(75);
  if (has_third != (form.multicast || form.by_columns)) throw UndecodableBits("a form of UTMALDG");
  if (has_third) size(e, i);
  i.mod.variant = form.bits();
}

void tensor_store(Encoded& e, Instruction& i) {
  fields<places, policy>(e, i);
  i.mod.variant = tensor_form(e).bits();
}

void tensor_prefetch(Encoded& e, Instruction& i) {
  tensor_store(e, i);
  if (BulkForm::of(i.mod.variant).by_columns) throw UndecodableBits("bit 82 of UTMAPF");
}

void tensor_reduction(Encoded& e, Instruction& i) {
  tensor_store(e, i);
  i.mem.atomic = operation(e);
}

/// Prefetches a tensor map (`variant` 1) or forgets it.
void map_cache(Encoded& e, Instruction& i) {
  i.a = uniform_at(e.bits, 24);
  i.mod.variant = e.bits.flag(82) ? 1 : 0;
}

/// A pair of addresses: of the data and of the mbarrier that counts them.
void shared_place(Encoded& e, Instruction& i) {
  i.mem.address_register = e.bits.get<std::uint8_t>(24, 8);
  i.mem.data_register = e.bits.get<std::uint8_t>(32, 8);
  i.mem.address_64bit = true;
  e.bits.require(64, 6, isa::kUniformZero, "the uniform register of STAS");
}

void async_store(Encoded& e, Instruction& i) {
  shared_place(e, i);
  e.bits.require(90, 1, 1, "the mode of STAS");
  const auto width = e.bits.take(73, 3);
  if (width < 4 || width > 6) throw UndecodableBits("the width of STAS");
  i.mem.bytes = static_cast<std::uint8_t>(4 << (width - 4));
}

void async_reduction(Encoded& e, Instruction& i) {
  shared_place(e, i);
  i.mem.atomic = operation(e);
  e.bits.require(72, 1, 1, "the mode of REDAS");
  const auto type = e.bits.take(73, 3);
  if (type > 2) throw UndecodableBits("the type of REDAS");
  static constexpr ScalarType kTypes[] = {ScalarType::kU32, ScalarType::kS32, ScalarType::kU64};
  i.mod.source_type = kTypes[type];
  i.mem.bytes = type < 2 ? 4 : 8;
}

constexpr OpcodeRow kRows[] = {
    {0x1ba, only(0x13ba), Opcode::kUblkcp, block_copy, kHopper},
    {0x1bb, only(0x13bb), Opcode::kUblkred, block_reduction, kHopper},
    {0x1bc, only(0x13bc), Opcode::kUblkpf, block_prefetch, kHopper},
    {0x1b4, only(0x15b4) | only(0x13b4), Opcode::kUtmaldg, tensor_load, kHopper},
    {0x1b5, only(0x13b5), Opcode::kUtmastg, tensor_store, kHopper},
    {0x1b6, only(0x13b6), Opcode::kUtmaredg, tensor_reduction, kHopper},
    {0x1b8, only(0x15b8), Opcode::kUtmapf, tensor_prefetch, kHopper},
    {0x1b9, only(0x19b9), Opcode::kUtmacctl, map_cache, kHopper},
    {0x1b7, only(0x9b7), Opcode::kUtmacmdflush, fields<>, kHopper},
    {0x1bd, only(0x1dbd), Opcode::kStas, async_store, kHopper},
    {0x1be, only(0x1dbe), Opcode::kRedas, async_reduction, kHopper},
};
static_assert(decodes(kRows, isa::DecoderTable::bulk), "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows bulk_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
