// SPDX-License-Identifier: Apache-2.0
// Branches, convergence barriers, CTA barriers and communication between lanes.
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::Instruction;
using isa::Modifiers;
using isa::Opcode;
using isa::Operand;

namespace {

constexpr Sign kPlain = Sign::kNone;

Operand immediate(std::uint64_t value) {
  Operand o;
  o.kind = Operand::Kind::kImmediate;
  o.value = static_cast<std::uint32_t>(value);
  return o;
}

// ---- branch targets: signed counts of 4 bytes from the next instruction ----

std::int64_t branch_offset(Encoded& e) {
  BitField offset{34, 48};
  if (e.has().split_branch_offset) offset.low_lsb = 16, offset.low_width = 8;
  return e.bits.take_signed(offset) * 4;
}
void set_target(Instruction& i, std::int64_t offset) {
  const std::int64_t target = std::int64_t{i.address} + isa::kInstructionBytes + offset;
  if (target < 0 || target >= std::int64_t{1} << 31 || target % isa::kInstructionBytes != 0) {
    throw UndecodableBits("a branch to outside the kernel");
  }
  i.target = static_cast<std::uint32_t>(target);
}
void relative_target(Encoded& e, Instruction& i) { set_target(i, branch_offset(e)); }

void branch(Encoded& e, Instruction& i) {
  pp(e, i);
  relative_target(e, i);
  const auto mode = e.bits.take(32, 2);
  if (mode > 1) throw UndecodableBits("a mode of BRA that needs a uniform register");
  const bool any = e.has().branch_on_any && e.bits.flag(84);
  if (any && mode != 1) throw UndecodableBits("BRA.ANY without .U");
  i.mod.variant = static_cast<std::uint16_t>(any ? 4 : mode);
}
void branch_on_mask(Encoded& e, Instruction& i) {
  pp(e, i);
  relative_target(e, i);
  i.b = uniform_at(e.bits, 24);
  i.b.negate = e.bits.flag(30);  // the complement of the mask
  const auto mode = e.bits.take(32, 2);
  if (mode < 2) throw UndecodableBits("unknown mode of BRA with a uniform register");
  i.mod.variant = static_cast<std::uint16_t>(mode);
}
void branch_indirect(Encoded& e, Instruction& i) {
  pp(e, i);
  i.a = register_at(e.bits, 24);
  relative_target(e, i);
}
/// CALL.REL and RET.REL: the target counts from the next instruction; ABS forms are byte addresses.
void call_direct(Encoded& e, Instruction& i) {
  pp(e, i);
  relative_target(e, i);
  e.bits.require(84, 3, 4, "the mode of CALL (only NOINC is known)");
}
void call_indirect(Encoded& e, Instruction& i) {
  i.a = register_at(e.bits, 24);
  call_direct(e, i);
}
constexpr std::uint16_t kAbsolute = 1;

void require_no_offset(Encoded& e) {
  if (branch_offset(e) != 0) throw UndecodableBits("an offset from an absolute address in a register");
}
void call_absolute(Encoded& e, Instruction& i) {
  pp(e, i);
  const std::int64_t target = branch_offset(e);
  if (target < 0 || target >= std::int64_t{1} << 32) throw UndecodableBits("a call to outside the kernel");
  i.target = static_cast<std::uint32_t>(target);
  i.mod.variant = kAbsolute;
  e.bits.require(84, 3, 4, "the mode of CALL (only NOINC is known)");
}
void call_absolute_indirect(Encoded& e, Instruction& i) {
  i.a = register_at(e.bits, 24);
  pp(e, i);
  require_no_offset(e);
  i.mod.variant = kAbsolute;
  e.bits.require(84, 3, 4, "the mode of CALL (only NOINC is known)");
}
void return_to(Encoded& e, Instruction& i) {
  i.a = register_at(e.bits, 24);
  pp(e, i);
  if (e.bits.flag(85)) {
    require_no_offset(e);
    i.mod.variant = kAbsolute;
  } else {
    relative_target(e, i);
  }
  e.bits.require(84, 1, 0, "the mode of RET (only NODEC is known)");
  e.bits.require(86, 1, 1, "the mode of RET (only NODEC is known)");
}
/// The address of a place in the code: of the instruction itself or, on sm_90, counted from the next one.
void code_address(Encoded& e, Instruction& i) {
  rd(e, i);
  if (e.form != 4) return;
  set_target(i, e.bits.take_signed(24, 58));
  i.mod.variant = 1;
}

void convergence_barrier(Encoded& e, Instruction& i) { i.mod.barrier = e.bits.get<std::uint8_t>(16, 4); }
void set_convergence(Encoded& e, Instruction& i) {
  fields<convergence_barrier, pp>(e, i);
  set_target(i, e.bits.take_signed(34, 30) * 4);
}
void move_from_barrier(Encoded& e, Instruction& i) {
  rd(e, i);
  i.mod.barrier = e.bits.get<std::uint8_t>(24, 4);
  i.mod.variant = e.bits.flag(84) ? 1 : 0;
}
void move_to_barrier(Encoded& e, Instruction& i) {
  i.b = register_at(e.bits, 32);
  i.mod.barrier = e.bits.get<std::uint8_t>(24, 4);
  i.mod.variant = 2;
}

/// Modes of WARPSYNC: 86:85 is 0 with a mask, 1 exclusive, 2 collective; in code of sm_80 bit 86 is exclusive.
void warpsync_immediate(Encoded& e, Instruction& i) {
  pp(e, i);
  if (!e.has().modes_of_warpsync) {
    i.b = immediate(e.bits.take(32, 32));
    return;
  }
  i.b = immediate(0xffffffff);
  const auto mode = e.bits.take(85, 2);
  if (mode == 0) {
    e.bits.require(32, 32, 0, "the mask of WARPSYNC.ALL");
    i.mod.variant = 1;
  } else if (mode == 2) {
    relative_target(e, i);
    i.mod.variant = 2;
  } else {
    throw UndecodableBits("unknown mode of WARPSYNC");
  }
}
void warpsync_register(Encoded& e, Instruction& i) {
  pp(e, i);
  if (!e.has().modes_of_warpsync) {
    i.b = register_at(e.bits, 32);
    i.mod.variant = e.bits.flag(86) ? 3 : 0;
    return;
  }
  static constexpr std::uint16_t kVariants[] = {0, 3, 2};
  const auto mode = e.bits.take(85, 2);
  if (mode == 3) throw UndecodableBits("unknown mode of WARPSYNC");
  i.b = register_at(e.bits, 24);
  i.mod.variant = kVariants[mode];
  if (mode == 2) relative_target(e, i);
}

// ---- CTA barriers ----

void barrier_mode(Encoded& e, Instruction& i) {
  const auto mode = e.bits.take(77, 3);
  if (mode > 2) throw UndecodableBits("BAR.SCAN");
  i.mod.bar = static_cast<isa::BarMode>(mode);
  const bool reduce = i.mod.bar == isa::BarMode::kReduce;
  const auto operation = e.bits.take(74, 2);
  if (operation == 3 || (!reduce && operation != 0)) throw UndecodableBits("unknown reduction of BAR.RED");
  i.mod.variant = static_cast<std::uint16_t>(operation | (e.bits.flag(80) ? 16 : 0));
  if (i.mod.bar == isa::BarMode::kArrive && i.mod.variant != 0) throw UndecodableBits("BAR.ARV that blocks");
  if (reduce) {
    pp(e, i);
  } else {
    e.bits.require(87, 4, 0, "the predicate of BAR");
  }
}
void barrier_id_immediate(Encoded& e, Instruction& i) {
  i.mod.barrier = e.bits.get<std::uint8_t>(54, 4);
  i.a = immediate(i.mod.barrier);
}
void barrier_count_immediate(Encoded& e, Instruction& i) {
  const auto count = e.bits.take(42, 12);
  if (count != 0) i.b = immediate(count);
}
void barrier_immediate(Encoded& e, Instruction& i) {
  fields<barrier_mode, barrier_id_immediate, barrier_count_immediate>(e, i);
}
void barrier_register_id(Encoded& e, Instruction& i) {
  barrier_mode(e, i);
  i.a = register_at(e.bits, 32);
  barrier_count_immediate(e, i);
}
/// One register names both: barrier and thread count are its halves.
void barrier_registers(Encoded& e, Instruction& i) {
  barrier_mode(e, i);
  i.a = register_at(e.bits, 32);
  i.b = i.a;
}
void barrier_register_count(Encoded& e, Instruction& i) {
  barrier_mode(e, i);
  barrier_id_immediate(e, i);
  i.b = register_at(e.bits, 32);
}
void barrier_result(Encoded& e, Instruction& i) {
  fields<rd, pu>(e, i);
  e.bits.require(77, 2, 2, "the mode of B2R (only RESULT is known)");
  i.mod.variant = 1;
}

// ---- lanes ----

void vote_mode(Encoded& e, Instruction& i) {
  const auto mode = e.bits.take(72, 2);
  if (mode == 3) throw UndecodableBits("vote mode 3");
  i.mod.vote = static_cast<isa::VoteMode>(mode);
}
void shuffle(Encoded& e, Instruction& i) {
  fields<rd, src_a<kPlain>, pu>(e, i);
  i.mod.shuffle = static_cast<isa::ShuffleMode>(e.bits.take(58, 2));
  const bool lane_immediate = e.form == 4 || e.form == 7;
  const bool clamp_immediate = e.form == 2 || e.form == 7;
  i.b = lane_immediate ? immediate(e.bits.take(53, 5)) : register_at(e.bits, 32);
  i.c = clamp_immediate ? immediate(e.bits.take(40, 13)) : register_at(e.bits, 64);
}
void match(Encoded& e, Instruction& i) {
  fields<rd, src_a<kPlain>, pu, flag<73, &Modifiers::is_64bit>>(e, i);
  const auto mode = e.bits.take(79, 1);
  i.mod.vote = mode == 1 ? isa::VoteMode::kAny : isa::VoteMode::kAll;
}
void reduce_lanes(Encoded& e, Instruction& i) {
  fields<urd, src_a<kPlain>, flag<73, &Modifiers::is_signed>>(e, i);
  static constexpr isa::AtomicOp kOps[] = {isa::AtomicOp::kAnd, isa::AtomicOp::kOr,  isa::AtomicOp::kXor,
                                           isa::AtomicOp::kAdd, isa::AtomicOp::kMin, isa::AtomicOp::kMax};
  const auto code = e.bits.take(78, 3);
  if (code > 5) throw UndecodableBits("unknown operation of REDUX");
  i.mem.atomic = kOps[code];
}

void breakpoint(Encoded& e, Instruction& i) {
  i.b = immediate(e.bits.take(34, 3));
  i.mod.variant = e.bits.get<std::uint16_t>(84, 3);
  if (i.mod.variant != 3 && i.mod.variant != 4) throw UndecodableBits("a mode of BPT other than TRAP and INT");
}
/// NANOSLEEP, and NANOSLEEP.SYNCS between two looks at an mbarrier.
void sleep_mode(Encoded& e, Instruction& i) {
  pp(e, i);
  if (e.has().sleep_between_barriers) i.mod.variant = e.bits.flag(84) ? 1 : 0;
}
void sleep_immediate(Encoded& e, Instruction& i) {
  i.b = immediate(e.bits.take(32, 32));
  sleep_mode(e, i);
}
void sleep_register(Encoded& e, Instruction& i) {
  i.b = register_at(e.bits, 32);
  sleep_mode(e, i);
}

constexpr OpcodeRow kRows[] = {
    {0x147, only(0x947), Opcode::kBra, branch},
    {0x147, only(0x1947), Opcode::kBra, branch_on_mask},
    {0x149, only(0x949), Opcode::kBrx, branch_indirect},
    {0x144, only(0x944), Opcode::kCall, call_direct},
    {0x144, only(0x344), Opcode::kCall, call_indirect},
    {0x143, only(0x943), Opcode::kCall, call_absolute},
    {0x143, only(0x343), Opcode::kCall, call_absolute_indirect},
    {0x150, only(0x950), Opcode::kRet, return_to},
    {0x14e, only(0x34e), Opcode::kLepc, code_address},
    {0x14e, only(0x94e), Opcode::kLepc, code_address, kHopper},
    {0x14d, only(0x94d), Opcode::kExit, fields<pp>},
    {0x145, only(0x945), Opcode::kBssy, set_convergence},
    {0x141, only(0x941), Opcode::kBsync, fields<convergence_barrier, pp>},
    {0x142, only(0x942), Opcode::kBreak, fields<convergence_barrier, pp>},
    {0x155, only(0x355), Opcode::kBmov, move_from_barrier},
    {0x156, only(0x356), Opcode::kBmov, move_to_barrier},
    {0x148, only(0x948), Opcode::kWarpsync, warpsync_immediate},
    {0x148, only(0x348), Opcode::kWarpsync, warpsync_register},
    {0x11b, only(0x91b), Opcode::kEndcollective, fields<pp>, kHopper},
    {0x146, only(0x946), Opcode::kYield, fields<pp>},
    {0x118, only(0x918), Opcode::kNop, fields<>},
    {0x02e, only(0x82e), Opcode::kAcqbulk, fields<>, kHopper},
    {0x02d, only(0x82d), Opcode::kPreexit, fields<>, kHopper},
    {0x15c, only(0x95c), Opcode::kBpt, breakpoint},
    {0x15d, only(0x95d), Opcode::kNanosleep, sleep_immediate},
    {0x15d, only(0x35d), Opcode::kNanosleep, sleep_register},
    {0x11d, only(0xb1d), Opcode::kBar, barrier_immediate},
    {0x11d, only(0x51d), Opcode::kBar, barrier_register_id},
    {0x11d, only(0x31d), Opcode::kBar, barrier_registers},
    {0x11d, only(0x91d), Opcode::kBar, barrier_register_count},
    {0x1c7, only(0x19c7), Opcode::kClusterArrive, fields<>, kHopper},
    {0x1c7, only(0x1dc7), Opcode::kClusterWait, fields<>, kHopper},
    {0x11c, only(0x31c), Opcode::kB2r, barrier_result},
    {0x006, only(0x806), Opcode::kVote, fields<rd, vote_mode, pu, pp>},
    {0x086, only(0x886), Opcode::kVoteu, fields<urd, vote_mode, pu, pp>},
    {0x02f, only(0x82f), Opcode::kElect, fields<urd, pu, pp>, kHopper},
    {0x189, only(0x389) | only(0x589) | only(0x989) | only(0xf89), Opcode::kShfl, shuffle},
    {0x1a1, only(0x3a1), Opcode::kMatch, match},
    {0x1c4, only(0x3c4), Opcode::kRedux, reduce_lanes},
};
static_assert(decodes(kRows, isa::DecoderTable::control), "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows control_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
