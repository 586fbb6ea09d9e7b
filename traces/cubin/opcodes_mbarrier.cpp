// SPDX-License-Identifier: Apache-2.0
// Operations on mbarrier objects (SYNCS of sm_90), arrivals of asynchronous copies, the fence between proxies.
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::MbarrierArrival;
using isa::Opcode;

namespace {

void barrier_offset(Encoded& e, Instruction& i) {
  i.mem.offset = static_cast<std::int32_t>(e.bits.take_signed(40, 24));
  i.mem.bytes = 8;
}
/// Ra + UR + offset.
void barrier_address(Encoded& e, Instruction& i) {
  i.mem.address_register = e.bits.get<std::uint8_t>(24, 8);
  i.mem.uniform_register = e.bits.get<std::uint8_t>(64, 6);
  barrier_offset(e, i);
}

void exchange(Encoded& e, Instruction& i) {
  e.bits.require(16, 6, isa::kUniformZero, "the old word of SYNCS.EXCH");
  i.mem.uniform_register = e.bits.get<std::uint8_t>(24, 6);
  barrier_offset(e, i);
  i.b = uniform_at(e.bits, 32);
  e.bits.require(72, 2, 1, "the size of SYNCS.EXCH");
}

void arrive(Encoded& e, Instruction& i) {
  fields<rd, barrier_address>(e, i);
  i.b = register_at(e.bits, 32);
  e.bits.require(70, 2, 0, "the operation of SYNCS");
  if (e.bits.flag(73)) throw UndecodableBits("TMASK of SYNCS.ARRIVE", "mbarrier.arrive.noComplete");
  i.mod.variant = e.bits.flag(74) ? 1 : 0;
  if (i.mod.variant == 1 && i.dest != isa::kRegisterZero) throw UndecodableBits("a result of SYNCS.ARRIVE.RED");
  i.mod.mbarrier_leaves = e.bits.flag(75);
  const auto kind = e.bits.take(84, 3);
  if (kind > 5) throw UndecodableBits("unknown counts of SYNCS.ARRIVE");
  i.mod.mbarrier = static_cast<MbarrierArrival>(kind);
}

void phase_check(Encoded& e, Instruction& i) {
  fields<pu, barrier_address>(e, i);
  i.b = register_at(e.bits, 32);
  e.bits.require(70, 2, 1, "the operation of SYNCS");
  i.mod.variant = e.bits.flag(72) ? 1 : 0;
}

void copies_arrive(Encoded& e, Instruction& i) {
  e.bits.require(24, 8, isa::kRegisterZero, "the address register of ARRIVES");
  i.mem.uniform_register = e.bits.get<std::uint8_t>(64, 6);
  barrier_offset(e, i);
  e.bits.require(72, 4, 10, "the mode of ARRIVES (only LDGSTSBAR.64 is known)");
  const auto count = e.bits.take(70, 2);
  if (e.has().names_copy_arrivals ? count != 1 && count != 2 : count != 0)
    throw UndecodableBits("unknown count of ARRIVES");
  i.mod.mbarrier = count == 2 ? MbarrierArrival::kComplete : MbarrierArrival::kOne;
}

constexpr OpcodeRow kRows[] = {
    {0x1b2, only(0x15b2), Opcode::kSyncsExchange, exchange, kHopper},
    {0x1a7, only(0x19a7), Opcode::kSyncsArrive, arrive, kHopper},
    {0x1a7, only(0x15a7), Opcode::kSyncsPhase, phase_check, kHopper},
    {0x1b1, only(0x19b1), Opcode::kSyncsInvalidate, barrier_address, kHopper},
    {0x1b0, only(0x19b0), Opcode::kArrives, copies_arrive},
    {0x1c6, only(0x3c6), Opcode::kFenceView, variant_flag<72>, kHopper},
};
static_assert(decodes(kRows, isa::DecoderTable::mbarrier),
              "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows mbarrier_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
