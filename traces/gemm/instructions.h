// SPDX-License-Identifier: Apache-2.0
// Instructions as a program writes them: one function an instruction, operands in the order of the listing. Control
// codes other than scoreboards are left to assign_control().
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace stc::gemm {

using isa::Instruction;
using isa::Operand;

constexpr int kRz = isa::kRegisterZero;

Operand reg(int number);
Operand negated(int number);
Operand immediate(std::int64_t value);
Operand constant(std::uint32_t offset);  ///< c[0][offset]
Operand uniform(int number);

Instruction mov(int d, const Operand& b);
Instruction zero_pair(int d);  ///< CS2R Rd, SRZ: two registers
Instruction read_special(int d, int special_register);
Instruction iadd3(int d, const Operand& a, const Operand& b, const Operand& c = reg(kRz));
/// a + b: from sm_90 on VIADD, which leaves the pipe of additions to those with carry.
Instruction sum(int sm_version, int d, const Operand& a, const Operand& b);
Instruction iadd3_carry_out(int d, int carry, const Operand& a, const Operand& b);
Instruction iadd3_carry_in(int d, int carry, const Operand& a, const Operand& b);
Instruction imad_carry_in(int d, int carry, const Operand& a, const Operand& c);  ///< IMAD.X d, a, 1, c: a + c
Instruction imad(int d, const Operand& a, const Operand& b, const Operand& c = reg(kRz));
Instruction imad_wide(int d, const Operand& a, const Operand& b, const Operand& c);  ///< unsigned; d and c are pairs
Instruction imad_high(int d, const Operand& a, const Operand& b, const Operand& c);  ///< unsigned; c is a pair
Instruction lop3(int d, const Operand& a, const Operand& b, const Operand& c, int lut);
Instruction shift_left(int d, int a, int bits);
Instruction shift_right(int d, int a, int bits);
Instruction minimum(int d, const Operand& a, const Operand& b);
/// Predicate p = (a compare b) and `also`; unsigned.
Instruction isetp(int p, isa::Compare compare, const Operand& a, const Operand& b, int also = isa::kPredicateTrue);
/// Uniform datapath: register, predicate and result are those of the whole warp.
Instruction uniform_add(int d, const Operand& a, const Operand& b);
Instruction uniform_not_equal(int p, const Operand& a, const Operand& b);
Instruction uniform_select(int d, const Operand& if_true, const Operand& if_false, int p);
Instruction uniform_mov(int d, const Operand& b);
Instruction select(int d, const Operand& if_true, const Operand& if_false, int p);
Instruction to_float_up(int d, int b);          ///< I2F.U32.RP
Instruction reciprocal(int d, int b);           ///< MUFU.RCP
Instruction to_unsigned(int d, int b);          ///< F2I.FTZ.U32.TRUNC.NTZ
Instruction exchange_neighbours(int d, int a);  ///< SHFL.BFLY with lane mask 1
/// ULDC.64 URd, c[0][offset]: two uniform registers.
Instruction uniform_load_pair(int d, std::uint32_t offset);
/// `uniform_base` is added to the address.
Instruction load_matrices(int d, int address, int offset, int matrices, int uniform_base = isa::kUniformZero);
Instruction copy_async(int shared, int shared_offset, int global, int global_offset, bool whole_line);
/// @!PT LDS RZ, [RZ]: does nothing but pass through the memory queue.
Instruction idle_shared_load();
Instruction commit_copies();
Instruction wait_copies(int pending);  ///< DEPBAR.LE SB0, pending
Instruction barrier();
Instruction store_quad(int address, int offset, int data);
Instruction mma(const isa::MmaOp& op, int d, int a, int b, int metadata, int selector);
/// `block` is resolved to an address by assemble().
Instruction branch(int block);
Instruction exit_program();
Instruction nop();

Instruction when(Instruction instruction, int p, bool negate = false);
Instruction writes(Instruction instruction, int scoreboard);
Instruction reads(Instruction instruction, int scoreboard);

/// Logic tables of lop3, from a = 0xf0, b = 0xcc, c = 0xaa.
constexpr int kAnd = 0xc0;     ///< a & b
constexpr int kXor = 0x3c;     ///< a ^ b
constexpr int kAndXor = 0x6a;  ///< (a & b) ^ c
constexpr int kAndOr = 0xea;   ///< (a & b) | c

constexpr int kUniformDescriptor = 10;  ///< pair: what copies and stores reach global memory by
constexpr int kScoreboardCopies = 0;    ///< groups of asynchronous copies

}  // namespace stc::gemm
