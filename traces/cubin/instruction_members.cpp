// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/instruction_members.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stc::cubin {
namespace {

// Structured bindings name every member: a new one does not build until it is listed here.

template <typename Visit>
void visit_operand(const std::string_view (&names)[7], const isa::Operand& x, const Visit& visit) {
  const auto& [kind, index, bank, negate, absolute, reuse, value] = x;
  visit(names[0], kind);
  visit(names[1], index);
  visit(names[2], bank);
  visit(names[3], negate);
  visit(names[4], absolute);
  visit(names[5], reuse);
  visit(names[6], value);
}

template <typename Visit>
void visit_predicate(const std::string_view (&names)[3], const isa::PredicateOperand& x, const Visit& visit) {
  const auto& [index, negate, uniform] = x;
  visit(names[0], index);
  visit(names[1], negate);
  visit(names[2], uniform);
}

template <typename Visit>
void visit_control(const isa::Control& x, const Visit& visit) {
  const auto& [stall, yield, write_scoreboard, read_scoreboard, wait_mask, reuse] = x;
  visit("control.stall", stall);
  visit("control.yield", yield);
  visit("control.write_scoreboard", write_scoreboard);
  visit("control.read_scoreboard", read_scoreboard);
  visit("control.wait_mask", wait_mask);
  visit("control.reuse", reuse);
}

template <typename Visit>
void visit_modifiers(const isa::Modifiers& x, const Visit& visit) {
  const auto& [is_signed, extended, high, right, wrap, sx32, is_64bit, shift, lut, lut1, predicate_and, prmt_mode,
               compare, bool_op, byte_select, ftz, saturate, relu, rounding, mufu, pack_bf16, swizzle_a, swizzle_b,
               swizzle_c, source_type, dest_type, variant, special_register, barrier, shuffle, vote, mbarrier,
               mbarrier_leaves, bar, depbar_scoreboard, depbar_count, depbar_wait_zero] = x;
  visit("mod.is_signed", is_signed);
  visit("mod.extended", extended);
  visit("mod.high", high);
  visit("mod.right", right);
  visit("mod.wrap", wrap);
  visit("mod.sx32", sx32);
  visit("mod.is_64bit", is_64bit);
  visit("mod.shift", shift);
  visit("mod.lut", lut);
  visit("mod.lut1", lut1);
  visit("mod.predicate_and", predicate_and);
  visit("mod.prmt_mode", prmt_mode);
  visit("mod.compare", compare);
  visit("mod.bool_op", bool_op);
  visit("mod.byte_select", byte_select);
  visit("mod.ftz", ftz);
  visit("mod.saturate", saturate);
  visit("mod.relu", relu);
  visit("mod.rounding", rounding);
  visit("mod.mufu", mufu);
  visit("mod.pack_bf16", pack_bf16);
  visit("mod.swizzle_a", swizzle_a);
  visit("mod.swizzle_b", swizzle_b);
  visit("mod.swizzle_c", swizzle_c);
  visit("mod.source_type", source_type);
  visit("mod.dest_type", dest_type);
  visit("mod.variant", variant);
  visit("mod.special_register", special_register);
  visit("mod.barrier", barrier);
  visit("mod.shuffle", shuffle);
  visit("mod.vote", vote);
  visit("mod.mbarrier", mbarrier);
  visit("mod.mbarrier_leaves", mbarrier_leaves);
  visit("mod.bar", bar);
  visit("mod.depbar_scoreboard", depbar_scoreboard);
  visit("mod.depbar_count", depbar_count);
  visit("mod.depbar_wait_zero", depbar_wait_zero);
}

template <typename Visit>
void visit_memory(const isa::MemoryFields& x, const Visit& visit) {
  const auto& [address_register, data_register, compare_register, uniform_register, descriptor, descriptor_shown,
               shared_register, offset, shared_offset, bytes, sign_extend, address_64bit, index_scale, matrices,
               transposed, uniform_is_64bit, uniform_on_shared_side, bypass_l1, partial_source, prefetch_bytes_log2,
               cache_op, scope, atomic] = x;
  visit("mem.address_register", address_register);
  visit("mem.data_register", data_register);
  visit("mem.compare_register", compare_register);
  visit("mem.uniform_register", uniform_register);
  visit("mem.descriptor", descriptor);
  visit("mem.descriptor_shown", descriptor_shown);
  visit("mem.shared_register", shared_register);
  visit("mem.offset", offset);
  visit("mem.shared_offset", shared_offset);
  visit("mem.bytes", bytes);
  visit("mem.sign_extend", sign_extend);
  visit("mem.address_64bit", address_64bit);
  visit("mem.index_scale", index_scale);
  visit("mem.matrices", matrices);
  visit("mem.transposed", transposed);
  visit("mem.uniform_is_64bit", uniform_is_64bit);
  visit("mem.uniform_on_shared_side", uniform_on_shared_side);
  visit("mem.bypass_l1", bypass_l1);
  visit("mem.partial_source", partial_source);
  visit("mem.prefetch_bytes_log2", prefetch_bytes_log2);
  visit("mem.cache_op", cache_op);
  visit("mem.scope", scope);
  visit("mem.atomic", atomic);
}

template <typename Visit>
void visit_pattern(const sparsity::Pattern& x, const Visit& visit) {
  const auto& [n, m, elements_per_index, encoding] = x;
  visit("mma.pattern.n", n);
  visit("mma.pattern.m", m);
  visit("mma.pattern.elements_per_index", elements_per_index);
  visit("mma.pattern.encoding", encoding);
}

template <typename Visit>
void visit_mma(const isa::MmaOp& x, const Visit& visit) {
  const auto& [m, n, k, a, b, c, sparse, saturate, warpgroup, exclusive_or, pattern] = x;
  visit("mma.m", m);
  visit("mma.n", n);
  visit("mma.k", k);
  visit("mma.a", a);
  visit("mma.b", b);
  visit("mma.c", c);
  visit("mma.sparse", sparse);
  visit("mma.saturate", saturate);
  visit("mma.warpgroup", warpgroup);
  visit("mma.exclusive_or", exclusive_or);
  visit_pattern(pattern, visit);
}

constexpr std::string_view kA[] = {"a.kind", "a.index", "a.bank", "a.negate", "a.absolute", "a.reuse", "a.value"};
constexpr std::string_view kB[] = {"b.kind", "b.index", "b.bank", "b.negate", "b.absolute", "b.reuse", "b.value"};
constexpr std::string_view kC[] = {"c.kind", "c.index", "c.bank", "c.negate", "c.absolute", "c.reuse", "c.value"};
constexpr std::string_view kGuard[] = {"guard.index", "guard.negate", "guard.uniform"};
constexpr std::string_view kSource0[] = {"source_predicate0.index", "source_predicate0.negate",
                                         "source_predicate0.uniform"};
constexpr std::string_view kSource1[] = {"source_predicate1.index", "source_predicate1.negate",
                                         "source_predicate1.uniform"};
constexpr std::string_view kSource2[] = {"source_predicate2.index", "source_predicate2.negate",
                                         "source_predicate2.uniform"};

template <typename Visit>
void visit_instruction(const isa::Instruction& x, const Visit& visit) {
  const auto& [opcode, sm, encoding, address, low, high, guard, dest, a, b, c, dest_predicate0, dest_predicate1,
               source_predicate0, source_predicate1, source_predicate2, target, control, mod, mem, mma,
               metadata_register, selector] = x;
  static_cast<void>(encoding), static_cast<void>(low), static_cast<void>(high);  // the bits themselves
  visit("opcode", opcode);
  visit("sm", sm);
  visit("address", address);
  visit_predicate(kGuard, guard, visit);
  visit("dest", dest);
  visit_operand(kA, a, visit);
  visit_operand(kB, b, visit);
  visit_operand(kC, c, visit);
  visit("dest_predicate0", dest_predicate0);
  visit("dest_predicate1", dest_predicate1);
  visit_predicate(kSource0, source_predicate0, visit);
  visit_predicate(kSource1, source_predicate1, visit);
  visit_predicate(kSource2, source_predicate2, visit);
  visit("target", target);
  visit_control(control, visit);
  visit_modifiers(mod, visit);
  visit_memory(mem, visit);
  visit_mma(mma, visit);
  visit("metadata_register", metadata_register);
  visit("selector", selector);
}

}  // namespace

MemberValues members_of(const isa::Instruction& instruction) {
  MemberValues values{};
  std::size_t next = 0;
  visit_instruction(instruction,
                    [&](std::string_view, auto value) { values[next++] = static_cast<std::uint32_t>(value); });
  return values;
}

std::string_view member_name(std::size_t index) {
  std::string_view found;
  std::size_t next = 0;
  visit_instruction(isa::Instruction{}, [&](std::string_view name, auto) {
    if (next++ == index) found = name;
  });
  return found;
}

}  // namespace stc::cubin
