// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/instructions.h"

#include "models/core/architecture.h"

namespace stc::gemm {
namespace {

using isa::Opcode;

std::uint8_t number(int value) { return static_cast<std::uint8_t>(value); }

Instruction make(Opcode opcode, int d = kRz) {
  Instruction i;
  i.opcode = opcode;
  i.dest = number(d);
  return i;
}

Instruction make(Opcode opcode, int d, const Operand& a, const Operand& b, const Operand& c) {
  Instruction i = make(opcode, d);
  i.a = a;
  i.b = b;
  i.c = c;
  // Carry-ins that are not there read as false.
  i.source_predicate0.negate = true;
  return i;
}

/// Of the uniform datapath: guarded by uniform predicates.
Instruction of_warp(Instruction i) {
  i.guard.uniform = true;
  return i;
}

constexpr int kQuadBytes = 16;
constexpr int kNormalEviction = 1;  // encoding of no .EF, .EL ... suffix

}  // namespace

Operand reg(int number_of) {
  Operand o;
  o.kind = Operand::Kind::kRegister;
  o.index = number(number_of);
  return o;
}

Operand negated(int number_of) {
  Operand o = reg(number_of);
  o.negate = true;
  return o;
}

Operand immediate(std::int64_t value) {
  Operand o;
  o.kind = Operand::Kind::kImmediate;
  o.value = static_cast<std::uint32_t>(value);
  return o;
}

Operand constant(std::uint32_t offset) {
  Operand o;
  o.kind = Operand::Kind::kConstant;
  o.value = offset;
  return o;
}

Operand uniform(int number_of) {
  Operand o;
  o.kind = Operand::Kind::kUniform;
  o.index = number(number_of);
  return o;
}

Instruction mov(int d, const Operand& b) {
  Instruction i = make(Opcode::kMov, d);
  i.b = b;
  return i;
}

Instruction zero_pair(int d) {
  Instruction i = make(Opcode::kCs2r, d);
  i.mod.is_64bit = true;
  i.mod.special_register = 0xff;
  return i;
}

Instruction read_special(int d, int special_register) {
  Instruction i = make(Opcode::kS2r, d);
  i.mod.special_register = number(special_register);
  return i;
}

Instruction iadd3(int d, const Operand& a, const Operand& b, const Operand& c) {
  const bool exchanged = a.kind != Operand::Kind::kRegister;  // the first one is always a register
  Instruction i = make(Opcode::kIadd3, d, exchanged ? b : a, exchanged ? a : b, c);
  i.source_predicate1.negate = true;
  return i;
}

Instruction sum(int sm_version, int d, const Operand& a, const Operand& b) {
  if (!architecture_of(sm_version).has_viadd) return iadd3(d, a, b);
  Instruction i = make(Opcode::kViadd, d);
  i.a = a;
  i.b = b;
  return i;
}

Instruction iadd3_carry_out(int d, int carry, const Operand& a, const Operand& b) {
  Instruction i = iadd3(d, a, b);
  i.dest_predicate0 = number(carry);
  return i;
}

Instruction iadd3_carry_in(int d, int carry, const Operand& a, const Operand& b) {
  Instruction i = iadd3(d, a, b);
  i.mod.extended = true;
  i.source_predicate0 = {number(carry), false, false};
  return i;
}

Instruction imad_carry_in(int d, int carry, const Operand& a, const Operand& c) {
  Instruction i = make(Opcode::kImad, d, a, a.kind == Operand::Kind::kRegister && a.index == kRz ? a : immediate(1), c);
  i.mod.is_signed = true;
  i.mod.extended = true;
  i.source_predicate0 = {number(carry), false, false};
  return i;
}

Instruction imad(int d, const Operand& a, const Operand& b, const Operand& c) {
  return make(Opcode::kImad, d, a, b, c);
}

Instruction imad_wide(int d, const Operand& a, const Operand& b, const Operand& c) {
  return make(Opcode::kImadWide, d, a, b, c);
}

Instruction imad_high(int d, const Operand& a, const Operand& b, const Operand& c) {
  return make(Opcode::kImadHi, d, a, b, c);
}

Instruction lop3(int d, const Operand& a, const Operand& b, const Operand& c, int lut) {
  Instruction i = make(Opcode::kLop3, d, a, b, c);
  i.mod.lut = number(lut);
  return i;
}

Instruction shift_left(int d, int a, int bits) {
  Instruction i = make(Opcode::kShf, d, reg(a), immediate(bits), reg(kRz));
  i.source_predicate0.negate = false;
  return i;
}

Instruction shift_right(int d, int a, int bits) {
  Instruction i = make(Opcode::kShf, d, reg(kRz), immediate(bits), reg(a));
  i.source_predicate0.negate = false;
  i.mod.right = true;
  i.mod.high = true;
  return i;
}

Instruction minimum(int d, const Operand& a, const Operand& b) {
  Instruction i = make(Opcode::kImnmx, d);
  i.a = a;
  i.b = b;
  return i;
}

Instruction isetp(int p, isa::Compare compare, const Operand& a, const Operand& b, int also) {
  Instruction i = make(Opcode::kIsetp);
  i.a = a;
  i.b = b;
  i.dest_predicate0 = number(p);
  i.source_predicate0 = {number(also), false, false};
  i.mod.compare = compare;
  return i;
}

Instruction uniform_add(int d, const Operand& a, const Operand& b) {
  Instruction i = of_warp(make(Opcode::kUiadd3, d, a, b, uniform(isa::kUniformZero)));
  i.source_predicate0.uniform = i.source_predicate1.uniform = true;
  i.source_predicate1.negate = true;
  return i;
}

Instruction uniform_not_equal(int p, const Operand& a, const Operand& b) {
  Instruction i = of_warp(isetp(p, isa::Compare::kNe, a, b));
  i.opcode = Opcode::kUisetp;
  i.source_predicate0.uniform = i.source_predicate2.uniform = true;
  return i;
}

Instruction uniform_select(int d, const Operand& if_true, const Operand& if_false, int p) {
  Instruction i = of_warp(select(d, if_true, if_false, p));
  i.opcode = Opcode::kUsel;
  i.source_predicate0.uniform = true;
  return i;
}

Instruction uniform_mov(int d, const Operand& b) {
  Instruction i = of_warp(mov(d, b));
  i.opcode = Opcode::kUmov;
  return i;
}

Instruction uniform_load_pair(int d, std::uint32_t offset) {
  Instruction i = of_warp(make(Opcode::kUldc, d));
  i.b = constant(offset);
  i.mem.bytes = 8;
  return i;
}

Instruction select(int d, const Operand& if_true, const Operand& if_false, int p) {
  Instruction i = make(Opcode::kSel, d);
  i.a = if_true;
  i.b = if_false;
  i.source_predicate0 = {number(p), false, false};
  return i;
}

Instruction to_float_up(int d, int b) {
  Instruction i = make(Opcode::kI2f, d);
  i.b = reg(b);
  i.mod.source_type = isa::ScalarType::kU32;
  i.mod.dest_type = isa::ScalarType::kF32;
  i.mod.rounding = isa::Rounding::kUp;
  return i;
}

Instruction reciprocal(int d, int b) {
  Instruction i = make(Opcode::kMufu, d);
  i.b = reg(b);
  i.mod.mufu = isa::MufuFunction::kRcp;
  return i;
}

Instruction to_unsigned(int d, int b) {
  Instruction i = make(Opcode::kF2i, d);
  i.b = reg(b);
  i.mod.source_type = isa::ScalarType::kF32;
  i.mod.dest_type = isa::ScalarType::kU32;
  i.mod.rounding = isa::Rounding::kZero;
  i.mod.ftz = true;
  i.mod.variant = 1;
  return i;
}

Instruction exchange_neighbours(int d, int a) {
  Instruction i = make(Opcode::kShfl, d);
  i.a = reg(a);
  i.b = immediate(1);
  i.c = immediate(0x1f);
  i.mod.shuffle = isa::ShuffleMode::kBfly;
  return i;
}

Instruction load_matrices(int d, int address, int offset, int matrices, int uniform_base) {
  Instruction i = make(Opcode::kLdsm, d);
  i.mem.address_register = number(address);
  i.mem.uniform_register = number(uniform_base);
  i.mem.offset = offset;
  i.mem.matrices = number(matrices);
  i.mem.bytes = number(4 * matrices);
  return i;
}

Instruction idle_shared_load() {
  Instruction i = make(Opcode::kLds);
  i.mem.address_register = number(kRz);
  i.mem.bytes = 4;
  return when(i, isa::kPredicateTrue, true);
}

Instruction copy_async(int shared, int shared_offset, int global, int global_offset, bool whole_line) {
  Instruction i = make(Opcode::kLdgsts);
  i.mem.shared_register = number(shared);
  i.mem.shared_offset = shared_offset;
  i.mem.address_register = number(global);
  i.mem.offset = global_offset;
  i.mem.address_64bit = true;
  i.mem.descriptor = kUniformDescriptor;
  i.mem.bytes = kQuadBytes;
  i.mem.cache_op = kNormalEviction;
  i.mem.bypass_l1 = true;
  i.mem.prefetch_bytes_log2 = whole_line ? 7 : 0;
  return i;
}

Instruction commit_copies() { return writes(make(Opcode::kLdgdepbar), kScoreboardCopies); }

Instruction wait_copies(int pending) {
  Instruction i = make(Opcode::kDepbar);
  i.mod.depbar_scoreboard = kScoreboardCopies;
  i.mod.depbar_count = number(pending);
  return i;
}

Instruction barrier() {
  Instruction i = make(Opcode::kBar);
  i.a = immediate(0);
  i.mod.variant = 16;
  return i;
}

Instruction store_quad(int address, int offset, int data) {
  Instruction i = make(Opcode::kStg);
  i.mem.address_register = number(address);
  i.mem.offset = offset;
  i.mem.address_64bit = true;
  i.mem.descriptor = kUniformDescriptor;
  i.mem.uniform_is_64bit = true;
  i.mem.data_register = number(data);
  i.mem.bytes = kQuadBytes;
  i.mem.cache_op = kNormalEviction;
  return i;
}

Instruction mma(const isa::MmaOp& op, int d, int a, int b, int metadata, int selector) {
  Instruction i = make(isa::is_integer(op.a) ? Opcode::kImma : Opcode::kHmma, d);
  i.mma = op;
  i.a = reg(a);
  i.b = reg(b);
  i.c = reg(d);
  if (op.sparse) {
    i.metadata_register = number(metadata);
    i.selector = number(selector);
  }
  return i;
}

Instruction branch(int block) {
  Instruction i = make(Opcode::kBra);
  i.target = static_cast<std::uint32_t>(block);
  return i;
}

Instruction exit_program() { return make(Opcode::kExit); }
Instruction nop() { return make(Opcode::kNop); }

Instruction when(Instruction instruction, int p, bool negate) {
  instruction.guard = {number(p), negate, false};
  return instruction;
}

Instruction writes(Instruction instruction, int scoreboard) {
  instruction.control.write_scoreboard = number(scoreboard);
  return instruction;
}

Instruction reads(Instruction instruction, int scoreboard) {
  instruction.control.read_scoreboard = number(scoreboard);
  return instruction;
}

}  // namespace stc::gemm
