// SPDX-License-Identifier: Apache-2.0
// Loads, stores, asynchronous copies, atomics, fences.
#include "traces/cubin/operand_fields.h"

namespace stc::cubin {

using isa::AtomicOp;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::ScalarType;

namespace {

// ---- pieces ----

/// Sizes 75:73: U8 S8 U16 S16 32 64 128, and U.128.
void access_size(Encoded& e, Instruction& i) {
  const auto size = e.bits.take(73, 3);
  static constexpr std::uint8_t kBytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  if (kBytes[size] == 0) throw UndecodableBits("memory access size 7");
  i.mem.bytes = kBytes[size];
  i.mem.sign_extend = size == 1 || size == 3;
}
void address(Encoded& e, Instruction& i) {
  i.mem.address_register = e.bits.get<std::uint8_t>(24, 8);
  i.mem.offset = static_cast<std::int32_t>(e.bits.take_signed(40, 24));
}
void data_39_32(Encoded& e, Instruction& i) { i.mem.data_register = e.bits.get<std::uint8_t>(32, 8); }
void wide_address(Encoded& e, Instruction& i) { i.mem.address_64bit = e.bits.flag(72); }
void cache_operation(Encoded& e, Instruction& i) {
  i.mem.cache_op = e.bits.get<std::uint8_t>(84, 3);
  if (i.mem.cache_op > 5) throw UndecodableBits("unknown cache operation");
}
/// Scopes 80:77: 0 weak, 4 constant (loads), 5, 7, 10 strong at SM, GPU, system.
void scope_and_cache(Encoded& e, Instruction& i) {
  i.mem.scope = e.bits.get<std::uint8_t>(77, 4);
  const auto scope = i.mem.scope;
  const bool load = i.opcode == Opcode::kLdg || i.opcode == Opcode::kLd;
  if (scope == 12) throw UndecodableBits("memory scope 12", "accesses to memory-mapped I/O (.mmio)");
  if (scope != 0 && scope != 5 && scope != 7 && scope != 10 && !(scope == 4 && load)) {
    throw UndecodableBits("unknown memory scope " + std::to_string(scope));
  }
  cache_operation(e, i);
}
void prefetch_69_68(Encoded& e, Instruction& i) {
  const auto hint = e.bits.get<std::uint8_t>(68, 2);
  i.mem.prefetch_bytes_log2 = static_cast<std::uint8_t>(hint == 0 ? 0 : 5 + hint);
}
/// The uniform register of a global access: a descriptor (kept apart) or a part of the address.
void global_uniform(Encoded& e, Instruction& i, int lsb, int descriptor_bit, int wide_bit) {
  const bool descriptor = e.bits.flag(descriptor_bit);
  const bool wide = e.bits.flag(wide_bit);
  const bool shown = e.bits.flag(101);
  if (!e.extended) {
    if (descriptor) throw UndecodableBits("a memory descriptor without a uniform register");
    return;
  }
  const auto index = e.bits.get<std::uint8_t>(lsb, 6);
  if (!i.mem.address_64bit) throw UndecodableBits("a uniform register with a 32-bit global address");
  if (descriptor) {
    if (!wide) throw UndecodableBits("a memory descriptor with a 32-bit address register");
    i.mem.descriptor = index;
    i.mem.descriptor_shown = shown || e.has().descriptors_always_shown;
  } else {
    i.mem.uniform_register = index;
  }
  // Code of sm_90 has RZ of 32 bits beside a pointer in a uniform pair, as in QSPC.
  const bool narrow_zero = e.has().narrow_zero_register && i.mem.address_register == isa::kRegisterZero;
  i.mem.uniform_is_64bit = wide || narrow_zero;
}
template <int kLsb>
void plain_uniform(Encoded& e, Instruction& i) {
  if (e.extended) i.mem.uniform_register = e.bits.get<std::uint8_t>(kLsb, 6);
}
void shared_stride(Encoded& e, Instruction& i) {
  static constexpr std::uint8_t kScale[] = {1, 4, 8, 16};
  i.mem.index_scale = kScale[e.bits.take(78, 2)];
}

// ---- loads and stores ----

void load_global(Encoded& e, Instruction& i) {
  fields<rd, address, wide_address, access_size, scope_and_cache, prefetch_69_68>(e, i);
  if (i.opcode == Opcode::kLdg) {
    pu(e, i);
  } else {
    e.bits.require(81, 3, 0, "a field of LD");
  }
  global_uniform(e, i, 32, 76, 90);
}
void store_global(Encoded& e, Instruction& i) {
  fields<data_39_32, address, wide_address, access_size, scope_and_cache>(e, i);
  global_uniform(e, i, 64, 76, 90);
}
/// LD and ST without a uniform register have 32 bits for the offset, where others have the data register, too.
void long_address(Encoded& e, Instruction& i) {
  i.mem.address_register = e.bits.get<std::uint8_t>(24, 8);
  i.mem.offset = static_cast<std::int32_t>(e.bits.take_signed(32, 32));
}
void load_generic(Encoded& e, Instruction& i) {
  fields<rd, long_address, wide_address, access_size, scope_and_cache, prefetch_69_68>(e, i);
  e.bits.require(81, 3, 0, "a field of LD");
}
void store_generic(Encoded& e, Instruction& i) {
  fields<long_address, wide_address, access_size, scope_and_cache>(e, i);
  i.mem.data_register = e.bits.get<std::uint8_t>(64, 8);
}
void load_shared(Encoded& e, Instruction& i) {
  fields<rd, address, access_size, shared_stride, plain_uniform<32>>(e, i);
}
void store_shared(Encoded& e, Instruction& i) {
  fields<data_39_32, address, access_size, shared_stride, plain_uniform<64>>(e, i);
}
void load_local(Encoded& e, Instruction& i) {
  fields<rd, address, access_size, cache_operation, plain_uniform<32>>(e, i);
}
void store_local(Encoded& e, Instruction& i) {
  fields<data_39_32, address, access_size, cache_operation, plain_uniform<64>>(e, i);
}

void constant_size(Encoded& e, Instruction& i) {
  access_size(e, i);
  if (i.mem.bytes > 8) throw UndecodableBits("a constant load of 16 bytes");
}
/// Behind a register the offset is signed: a jump table is read with its first case's number taken off.
Operand constant_operand(Encoded& e, bool indexed) {
  Operand o;
  o.kind = Operand::Kind::kConstant;
  o.bank = e.bits.get<std::uint8_t>(54, 5);
  o.value = indexed ? static_cast<std::uint32_t>(e.bits.take_signed(38, 16)) : e.bits.get<std::uint32_t>(38, 16);
  return o;
}
void load_constant(Encoded& e, Instruction& i) {
  fields<rd, constant_size>(e, i);
  i.mem.address_register = e.bits.get<std::uint8_t>(24, 8);
  i.b = constant_operand(e, i.mem.address_register != isa::kRegisterZero);
  i.mod.variant = e.bits.get<std::uint16_t>(78, 2);
}
void load_uniform_constant(Encoded& e, Instruction& i) {
  fields<urd, constant_size>(e, i);
  if (e.extended) {  // bindless: the bank's address is in a uniform register pair
    i.b.kind = Operand::Kind::kConstantUniformBase;
    i.b.index = e.bits.get<std::uint8_t>(32, 6);
    i.b.value = e.bits.get<std::uint32_t>(38, 16);
  } else {
    i.b = constant_operand(e, false);
  }
}
void load_uniform_constant_indexed(Encoded& e, Instruction& i) {
  fields<urd, constant_size>(e, i);
  i.mem.uniform_register = e.bits.get<std::uint8_t>(24, 6);
  i.b = constant_operand(e, i.mem.uniform_register != isa::kUniformZero);
}

// ---- matrix loads and asynchronous copies ----

void matrix_access(Encoded& e, Instruction& i) {
  const auto count = e.bits.take(72, 2);
  if (count == 3) throw UndecodableBits("matrix count code 3");
  i.mem.matrices = static_cast<std::uint8_t>(1 << count);
  i.mem.bytes = static_cast<std::uint8_t>(4 * i.mem.matrices);
  e.bits.require(75, 3, 0, "the element size of a matrix access");
  const auto mode = e.bits.take(78, 2);
  if (mode > 1) throw UndecodableBits("a matrix access other than M88 and MT88");
  i.mem.transposed = mode == 1;
}
void load_matrix(Encoded& e, Instruction& i) { fields<rd, address, matrix_access, plain_uniform<32>>(e, i); }
void store_matrix(Encoded& e, Instruction& i) { fields<data_39_32, address, matrix_access, plain_uniform<64>>(e, i); }

void copy_async(Encoded& e, Instruction& i) {
  i.mem.shared_register = e.bits.get<std::uint8_t>(16, 8);
  i.mem.address_register = e.bits.get<std::uint8_t>(24, 8);
  i.mem.offset = static_cast<std::int32_t>(e.bits.take_signed(32, 12));
  i.mem.shared_offset = static_cast<std::int32_t>(e.bits.take_signed(44, 20));
  e.bits.require(70, 1, 1, "the width of LDGSTS's global address");
  i.mem.address_64bit = true;
  const auto hint = e.bits.get<std::uint8_t>(71, 2);
  i.mem.prefetch_bytes_log2 = static_cast<std::uint8_t>(hint == 0 ? 0 : 5 + hint);
  access_size(e, i);
  if (i.mem.bytes < 4) throw UndecodableBits("LDGSTS of less than 4 bytes");
  scope_and_cache(e, i);
  i.mem.bypass_l1 = !e.bits.flag(81);
  i.mem.partial_source = e.bits.flag(82);
  pp(e, i);
  const bool descriptor = e.bits.flag(76);
  const bool shown = e.bits.flag(101);
  const bool shared_side = ((i.encoding >> 9) & 7) == 6;  // opcodes dae and 1dae
  if (!e.extended) {
    if (descriptor || shared_side) {
      if (descriptor) throw UndecodableBits("a memory descriptor without a uniform register");
    }
    if (!shared_side) return;
  }
  const auto index = e.bits.get<std::uint8_t>(64, 6);
  i.mem.uniform_on_shared_side = shared_side;
  if (shared_side) i.mem.uniform_register = index;
  if (descriptor) {
    i.mem.descriptor = static_cast<std::uint8_t>(shared_side ? index + 1 : index);
    i.mem.descriptor_shown = shown || e.has().descriptors_always_shown;
  } else if (!shared_side) {
    i.mem.uniform_register = index;
    i.mem.uniform_is_64bit = true;
  }
}

void depbar(Encoded& e, Instruction& i) {
  if (e.bits.flag(47)) {
    i.mod.depbar_scoreboard = e.bits.get<std::uint8_t>(44, 3);
    i.mod.depbar_count = e.bits.get<std::uint8_t>(38, 6);
  } else {
    i.mod.depbar_scoreboard = isa::kNoScoreboard;
  }
  i.mod.depbar_wait_zero = e.bits.get<std::uint8_t>(32, 6);
  if (i.mod.depbar_scoreboard == isa::kNoScoreboard && i.mod.depbar_wait_zero == 0) {
    throw UndecodableBits("DEPBAR that waits for nothing");
  }
}

// ---- atomics ----

AtomicOp atomic_op(std::uint64_t code) {
  static constexpr AtomicOp kOps[] = {AtomicOp::kAdd, AtomicOp::kMin, AtomicOp::kMax, AtomicOp::kInc, AtomicOp::kDec,
                                      AtomicOp::kAnd, AtomicOp::kOr,  AtomicOp::kXor, AtomicOp::kExch};
  if (code > 8) throw UndecodableBits("unknown atomic operation");
  return kOps[code];
}

void atomic_type(Instruction& i, ScalarType type) {
  i.mod.source_type = type;
  const bool wide = type == ScalarType::kU64 || type == ScalarType::kS64 || type == ScalarType::kF64;
  i.mem.bytes = wide ? 8 : 4;
}
/// 128 bits: as four words, which is all the same to an exchange and to a compare-and-swap.
void whole_quad(Instruction& i) {
  if (i.opcode == Opcode::kAtom) throw UndecodableBits("128 bits", "128-bit atomics on generic addresses");
  atomic_type(i, ScalarType::kU32);
  i.mem.bytes = 16;
}
void require_exchange_of_quads(Encoded&, Instruction& i) {
  if (i.mem.bytes == 16 && i.mem.atomic != AtomicOp::kExch) throw UndecodableBits("128-bit arithmetic");
}
/// Types 75:73; where the floating-point ones have opcodes of their own, they are missing here.
void integer_atomic_type(Encoded& e, Instruction& i) {
  const auto code = e.bits.take(73, 3);
  static constexpr ScalarType kAll[] = {ScalarType::kU32,   ScalarType::kS32, ScalarType::kU64, ScalarType::kF32,
                                        ScalarType::kF16x2, ScalarType::kS64, ScalarType::kF64};
  static constexpr ScalarType kIntegers[] = {ScalarType::kU32, ScalarType::kS32, ScalarType::kU64, ScalarType::kS64};
  const bool integers = e.has().separate_float_atomics;
  if (integers && code == 4) return whole_quad(i);
  if (code >= (integers ? 4u : 7u)) throw UndecodableBits("unknown type of an atomic operation");
  atomic_type(i, integers ? kIntegers[code] : kAll[code]);
  i.mod.ftz = i.mod.source_type == ScalarType::kF32;
}
void float_atomic_type(Encoded& e, Instruction& i) {
  const auto vector = [&](ScalarType type, std::uint8_t bytes) {
    const bool answers = i.opcode == Opcode::kAtom && i.dest_predicate0 != isa::kPredicateTrue;
    if (answers) throw UndecodableBits("a vector whose predicate is used", "vector atomics on shared memory");
    atomic_type(i, type);
    i.mem.bytes = bytes;
  };
  const auto code = e.bits.take(73, 4);
  i.mod.ftz = code >= 9 && code <= 11;
  switch (code) {
    case 0: return atomic_type(i, ScalarType::kF16x2);
    case 1: return vector(ScalarType::kF16x2, 8);
    case 2: return vector(ScalarType::kF16x2, 16);
    case 3: return atomic_type(i, ScalarType::kBf16x2);
    case 4: return vector(ScalarType::kBf16x2, 8);
    case 5: return vector(ScalarType::kBf16x2, 16);
    case 9: return atomic_type(i, ScalarType::kF32);
    case 10: return vector(ScalarType::kF32, 8);
    case 11: return vector(ScalarType::kF32, 16);
    case 12: return atomic_type(i, ScalarType::kF32);
    case 15: return atomic_type(i, ScalarType::kF64);
    default: throw UndecodableBits("unknown type of a floating-point atomic operation");
  }
}
void op_90_87(Encoded& e, Instruction& i) { i.mem.atomic = atomic_op(e.bits.take(87, 4)); }
void only_add(Encoded& e, Instruction& i) {
  const auto operation = e.bits.take(87, 3);
  if (operation == 2 || operation == 4) {
    throw UndecodableBits("a minimum or maximum", "atomic minimum and maximum of 16-bit floats");
  }
  if (operation != 0) throw UndecodableBits("the operation of a floating-point atomic");
  i.mem.atomic = AtomicOp::kAdd;
}
void only_add_90(Encoded& e, Instruction& i) {
  only_add(e, i);
  e.bits.require(90, 1, 0, "the operation of a floating-point atomic");
}
void op_89_87(Encoded& e, Instruction& i) { i.mem.atomic = atomic_op(e.bits.take(87, 3)); }

constexpr Rule integer_operation = fields<op_90_87, require_exchange_of_quads>;
constexpr Rule integer_reduction = fields<op_89_87, require_exchange_of_quads>;

template <Rule kType, Rule kOperation>
void atomic_global(Encoded& e, Instruction& i) {
  fields<rd, data_39_32, address, wide_address, scope_and_cache, pu, kType, kOperation>(e, i);
  global_uniform(e, i, 64, 71, 70);
}
template <Rule kType, Rule kOperation>
void reduce_global(Encoded& e, Instruction& i) {
  fields<data_39_32, address, wide_address, scope_and_cache, kType, kOperation>(e, i);
  global_uniform(e, i, 64, 71, 90);
  e.bits.require(81, 3, 0, "a field of RED");
}
/// Compare and swap: 39:32 is compared, 71:64 is stored.
void swap_registers(Encoded& e, Instruction& i) {
  i.mem.compare_register = e.bits.get<std::uint8_t>(32, 8);
  i.mem.data_register = e.bits.get<std::uint8_t>(64, 8);
  i.mem.atomic = AtomicOp::kCas;
}
void cas_type(Encoded& e, Instruction& i) {
  const auto code = e.bits.take(73, 3);
  if (e.has().separate_float_atomics && code == 4) return whole_quad(i);
  if (code != 0 && code != 2) throw UndecodableBits("unknown type of a compare-and-swap");
  atomic_type(i, code == 0 ? ScalarType::kU32 : ScalarType::kU64);
}
void cas_global(Encoded& e, Instruction& i) {
  fields<rd, swap_registers, address, wide_address, scope_and_cache, pu, cas_type>(e, i);
}
/// Compare and swap by 87: 0 CAS, 3 CAST.SPIN, whose result says whether the swap took place.
void cas_mode(Encoded& e, Instruction& i) {
  const auto mode = e.bits.take(87, 4);
  if (mode != 0 && mode != 3) throw UndecodableBits("unknown mode of a compare-and-swap");
  i.mod.variant = mode == 3 ? 1 : 0;
}
void cas_generic(Encoded& e, Instruction& i) {
  cas_global(e, i);
  if (e.has().modes_of_compare_and_swap) cas_mode(e, i);
}
void shared_atomic_type(Encoded& e, Instruction& i) {
  const auto code = e.bits.take(73, 3);
  static constexpr ScalarType kTypes[] = {ScalarType::kU32, ScalarType::kS32, ScalarType::kU64};
  if (e.has().separate_float_atomics && code == 4) return whole_quad(i);
  if (code > 2) throw UndecodableBits("unknown type of ATOMS");
  atomic_type(i, kTypes[code]);
}
void atomic_shared(Encoded& e, Instruction& i) {
  fields<rd, data_39_32, address, shared_atomic_type, shared_stride, op_90_87, require_exchange_of_quads,
         plain_uniform<64>>(e, i);
}
/// ATOMS.POPC.INC: every lane adds one to its word; ATOMS.ARRIVE: it arrives at an mbarrier. There is no data register.
void count_lanes_shared(Encoded& e, Instruction& i) {
  fields<rd, address, plain_uniform<64>>(e, i);
  e.bits.require(32, 8, 0, "the data register of ATOMS without data");
  const auto operation = e.bits.take(87, 4);
  if (e.has().arrives_by_atoms && operation == 9) {
    e.bits.require(73, 3, 2, "the type of ATOMS.ARRIVE");
    i.mod.variant = 3;
    return atomic_type(i, ScalarType::kU64);
  }
  if (operation != e.has().count_lanes_operation) throw UndecodableBits("unknown operation of ATOMS without data");
  e.bits.require(73, 3, 0, "the type of ATOMS.POPC.INC");
  shared_stride(e, i);
  i.mem.atomic = AtomicOp::kAdd;
  i.mod.variant = 2;
  atomic_type(i, ScalarType::kU32);
}
void cas_shared(Encoded& e, Instruction& i) {
  fields<rd, swap_registers, address, cas_type, shared_stride, cas_mode>(e, i);
}

void address_space_query(Encoded& e, Instruction& i) {
  fields<rd, address, wide_address, pu>(e, i);
  const auto space = e.bits.take(73, 2);  // G, L, S, D
  if (space == 3 && !e.architecture.has_clusters) throw UndecodableBits("unknown address space of QSPC");
  i.mod.variant = static_cast<std::uint16_t>(space == 3 ? 3 : 2 - space);
}
/// The same with the pointer in a pair of uniform registers.
void address_space_query_uniform(Encoded& e, Instruction& i) {
  address_space_query(e, i);
  if (i.mem.address_register != isa::kRegisterZero || !i.mem.address_64bit) {
    throw UndecodableBits("a register beside the uniform pointer of QSPC");
  }
  e.bits.require(90, 1, e.has().narrow_zero_register ? 0 : 1, "the width of QSPC's address register");
  i.mem.uniform_register = e.bits.get<std::uint8_t>(32, 6);
  i.mem.uniform_is_64bit = true;
}

// ---- fences and cache control ----

void membar(Encoded& e, Instruction& i) {
  const auto scope = e.bits.take(76, 3);
  const auto semantics = e.bits.take(79, 2);
  if (scope == 4 || scope > 5 || semantics > 1) throw UndecodableBits("unknown scope or semantics of MEMBAR");
  i.mod.variant = static_cast<std::uint16_t>(scope | (semantics << 4));
}
void cache_control(Encoded& e, Instruction& i) {
  wide_address(e, i);
  i.mem.address_register = e.bits.get<std::uint8_t>(24, 8);
  i.mem.offset = static_cast<std::int32_t>(e.bits.take_signed(32, 32));
  i.mod.variant = e.bits.get<std::uint16_t>(87, 4);
  static constexpr unsigned kKnown = 0b1110'0011'1111;  // by operation
  if ((kKnown >> i.mod.variant & 1) == 0) throw UndecodableBits("unknown operation of CCTL");
  const bool everything = i.mod.variant == 4;
  if (everything && (i.mem.address_register != isa::kRegisterZero || i.mem.address_64bit)) {
    throw UndecodableBits("CCTL.IVALL with an address");
  }
}

constexpr OpcodeRow kRows[] = {
    {0x181, only(0x381) | only(0x981) | only(0x1981), Opcode::kLdg, load_global},
    {0x180, only(0x380) | only(0x1980), Opcode::kLd, load_global},
    {0x180, only(0x980), Opcode::kLd, load_generic},
    {0x186, only(0x386) | only(0x986) | only(0x1986), Opcode::kStg, store_global},
    {0x185, only(0x385), Opcode::kSt, store_generic},
    {0x185, only(0x985) | only(0x1985), Opcode::kSt, store_global},
    {0x184, only(0x984) | only(0x1984), Opcode::kLds, load_shared},
    {0x188, only(0x388) | only(0x1988), Opcode::kSts, store_shared},
    {0x183, only(0x983) | only(0x1983), Opcode::kLdl, load_local},
    {0x187, only(0x387) | only(0x1987), Opcode::kStl, store_local},
    {0x182, only(0xb82), Opcode::kLdc, load_constant},
    {0x0b9, only(0xab9) | only(0x1ab9), Opcode::kUldc, load_uniform_constant},
    {0x0bb, only(0x1abb), Opcode::kUldc, load_uniform_constant_indexed},
    {0x03b, only(0x83b) | only(0x183b), Opcode::kLdsm, load_matrix},
    {0x044, only(0x844) | only(0x1844), Opcode::kStsm, store_matrix, kHopper},
    {0x1ae, only(0xfae) | only(0x1fae) | only(0xdae) | only(0x1dae), Opcode::kLdgsts, copy_async},
    {0x1af, only(0x9af), Opcode::kLdgdepbar, fields<>},
    {0x11a, only(0x91a), Opcode::kDepbar, depbar},
    {0x1a8, only(0x3a8) | only(0x9a8) | only(0x19a8), Opcode::kAtomg,
     atomic_global<integer_atomic_type, integer_operation>},
    {0x1a2, only(0x3a2) | only(0x9a2) | only(0x19a2), Opcode::kAtom, atomic_global<float_atomic_type, only_add_90>,
     kHopper},
    {0x1a3, only(0x3a3) | only(0x9a3) | only(0x19a3), Opcode::kAtomg, atomic_global<float_atomic_type, only_add_90>,
     kHopper},
    {0x18a, only(0x38a) | only(0x98a) | only(0x198a), Opcode::kAtom,
     atomic_global<integer_atomic_type, integer_operation>},
    {0x1a9, only(0x3a9), Opcode::kAtomg, cas_global},
    {0x18b, only(0x38b), Opcode::kAtom, cas_generic},
    {0x18e, only(0x38e) | only(0x98e) | only(0x198e), Opcode::kRed,
     reduce_global<integer_atomic_type, integer_reduction>},
    {0x1a6, only(0x3a6) | only(0x9a6) | only(0x19a6), Opcode::kRed, reduce_global<float_atomic_type, only_add>,
     kHopper},
    {0x18c, only(0x38c) | only(0x198c), Opcode::kAtoms, atomic_shared},
    {0x18c, only(0x1f8c), Opcode::kAtoms, count_lanes_shared},
    {0x18d, only(0x38d), Opcode::kAtoms, cas_shared},
    {0x1aa, only(0x3aa), Opcode::kQspc, address_space_query},
    {0x1aa, only(0x19aa), Opcode::kQspc, address_space_query_uniform},
    {0x192, only(0x992), Opcode::kMembar, membar},
    {0x1ab, only(0x9ab), Opcode::kErrbar, fields<>},
    {0x1ab, only(0x5ab), Opcode::kCgaerrbar, fields<>},
    {0x18f, only(0x98f), Opcode::kCctl, cache_control},
};
static_assert(decodes(kRows, isa::DecoderTable::memory), "models/isa/opcodes.def sends other operations to this file");

}  // namespace

OpcodeRows memory_opcodes() { return rows_of(kRows); }

}  // namespace stc::cubin
