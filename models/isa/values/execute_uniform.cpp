// SPDX-License-Identifier: Apache-2.0
// The uniform datapath: one scalar result per warp.
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"
#include "models/isa/values/special_register.h"

namespace stc::isa {
namespace {

/// A uniform operation reads uniform registers, immediates and constants only.
std::uint32_t value_of(const Execution& x, const Operand& o) { return scalar_operand(x, o); }

std::uint32_t carry(const Execution& x, const PredicateOperand& p) { return uniform_predicate(x.warp, p) ? 1u : 0u; }

std::uint32_t inverted_if(bool negate, std::uint32_t v) { return negate ? ~v : v; }
std::uint32_t negated_if(bool negate, std::uint32_t v) { return negate ? 0u - v : v; }

}  // namespace

void execute_umov(Execution& x) { write_uniform(x, x.instruction.dest, value_of(x, x.instruction.b)); }

void execute_uldc(Execution& x) {
  const Instruction& in = x.instruction;
  if (in.b.kind != Operand::Kind::kConstant) bindless_fault(x);
  std::uint32_t offset = in.b.value + static_cast<std::uint32_t>(in.mem.offset);
  if (in.mem.uniform_register != kUniformZero) offset += x.warp.ur[in.mem.uniform_register & 63u];
  const unsigned bytes = in.mem.bytes;
  const std::uint8_t* p = constant_data(x, in.b.bank, offset, bytes);
  require_launch_word(x, in.b.bank, offset);
  if (bytes >= 4) {
    for (unsigned w = 0; w < bytes / 4; ++w)
      write_uniform(x, in.dest + static_cast<int>(w), load32(p + std::size_t{4} * w));
    return;
  }
  std::uint32_t value = p[0];
  if (bytes == 2) value |= std::uint32_t{p[1]} << 8;
  if (in.mem.sign_extend) value = sign_extend_field(value, 8 * bytes, true, false);
  write_uniform(x, in.dest, value);
}

namespace {

/// Two uniform registers, or a constant.
std::uint64_t pair_of(const Execution& x, const Operand& o) {
  const std::uint64_t low = value_of(x, o);
  const bool registers = o.kind == Operand::Kind::kUniform && o.index != kUniformZero;
  return registers ? low | std::uint64_t{scalar_operand(x, o, 1)} << 32 : low;
}

}  // namespace

void execute_uiadd3(Execution& x) {
  const Instruction& in = x.instruction;
  if (in.mod.is_64bit) {
    const std::uint64_t sum = pair_of(x, in.a) + pair_of(x, in.b) + pair_of(x, in.c);
    write_uniform(x, in.dest, static_cast<std::uint32_t>(sum));
    if (in.dest != kUniformZero) write_uniform(x, in.dest + 1, static_cast<std::uint32_t>(sum >> 32));
    return;
  }
  const std::uint32_t a = value_of(x, in.a), b = value_of(x, in.b), c = value_of(x, in.c);
  const AddInputs n = AddInputs::of(in);
  const std::uint32_t in_carry = in.mod.extended ? carry(x, in.source_predicate0) + carry(x, in.source_predicate1) : 0u;
  const std::uint32_t carries = add3_carries(a, b, c, in_carry, n);
  write_uniform(x, in.dest, add3(a, b, c, in_carry, n));
  write_uniform_predicate(x, in.dest_predicate0, carries >= 1);
  write_uniform_predicate(x, in.dest_predicate1, carries >= 2);
}

void execute_uimad(Execution& x) {
  const Instruction& in = x.instruction;
  const std::uint32_t product = negated_if(in.a.negate != in.b.negate, value_of(x, in.a) * value_of(x, in.b));
  const std::uint32_t c = value_of(x, in.c);
  const std::uint64_t sum = in.mod.extended
                                ? std::uint64_t{product} + inverted_if(in.c.negate, c) + carry(x, in.source_predicate0)
                                : std::uint64_t{product} + negated_if(in.c.negate, c);
  write_uniform(x, in.dest, static_cast<std::uint32_t>(sum));
  write_uniform_predicate(x, in.dest_predicate0, (sum >> 32) != 0);
}

void execute_uimad_wide(Execution& x) {
  const Instruction& in = x.instruction;
  const std::uint32_t a = value_of(x, in.a), b = value_of(x, in.b);
  const std::uint64_t product = in.mod.is_signed
                                    ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} *
                                                                 std::int64_t{static_cast<std::int32_t>(b)})
                                    : std::uint64_t{a} * b;
  std::uint32_t high = scalar_operand(x, in.c, 1);
  const std::uint32_t low = value_of(x, in.c);
  if (in.c.kind == Operand::Kind::kImmediate) high = in.mod.is_signed && (low >> 31) != 0 ? ~0u : 0u;
  std::uint64_t c = (std::uint64_t{high} << 32) | low;
  if (in.c.negate) c = in.mod.extended ? ~c : 0 - c;
  if (in.mod.extended) c += carry(x, in.source_predicate0);
  const std::uint64_t sum = product + c;
  write_uniform(x, in.dest, static_cast<std::uint32_t>(sum));
  if (in.dest != kUniformZero) write_uniform(x, in.dest + 1, static_cast<std::uint32_t>(sum >> 32));
  write_uniform_predicate(x, in.dest_predicate0, sum < product);
}

void execute_ulea(Execution& x) {
  const Instruction& in = x.instruction;
  const unsigned n = in.mod.shift & 31u;
  const std::uint32_t a = value_of(x, in.a);
  std::uint32_t shifted = a << n;
  if (in.mod.high) {
    const std::uint32_t upper =
        in.mod.sx32 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> 31) : value_of(x, in.c);
    shifted = static_cast<std::uint32_t>((((std::uint64_t{upper} << 32) | a) << n) >> 32);
  }
  const std::uint32_t ones =
      in.mod.extended ? carry(x, in.source_predicate0) : (in.a.negate ? 1u : 0u) + (in.b.negate ? 1u : 0u);
  const std::uint64_t sum =
      std::uint64_t{inverted_if(in.a.negate, shifted)} + inverted_if(in.b.negate, value_of(x, in.b)) + ones;
  write_uniform(x, in.dest, static_cast<std::uint32_t>(sum));
  write_uniform_predicate(x, in.dest_predicate0, (sum >> 32) != 0);
}

void execute_ulop3(Execution& x) {
  const Instruction& in = x.instruction;
  const std::uint32_t value =
      LogicTable(in.mod.lut)(inverted_if(in.a.negate, value_of(x, in.a)), inverted_if(in.b.negate, value_of(x, in.b)),
                             inverted_if(in.c.negate, value_of(x, in.c)));
  const bool p = uniform_predicate(x.warp, in.source_predicate0);
  write_uniform_predicate(x, in.dest_predicate0, in.mod.predicate_and ? value != 0 && p : value != 0 || p);
  write_uniform(x, in.dest, value);
}

void execute_ushf(Execution& x) {
  const Instruction& in = x.instruction;
  write_uniform(x, in.dest, funnel_shift(value_of(x, in.a), value_of(x, in.b), value_of(x, in.c), in.mod));
}

void execute_usel(Execution& x) {
  const Instruction& in = x.instruction;
  const bool first = uniform_predicate(x.warp, in.source_predicate0);
  const Operand& o = first ? in.a : in.b;
  write_uniform(x, in.dest, negated_if(o.negate, value_of(x, o)));
}

void execute_uprmt(Execution& x) {
  const Instruction& in = x.instruction;
  write_uniform(x, in.dest, permute(value_of(x, in.a), value_of(x, in.b), value_of(x, in.c), in.mod.prmt_mode));
}

void execute_uisetp(Execution& x) {
  const Instruction& in = x.instruction;
  const std::uint32_t bias = in.mod.is_signed ? 0x80000000u : 0u;
  const std::uint32_t a = negated_if(in.a.negate, value_of(x, in.a));
  const std::uint32_t b = negated_if(in.b.negate, value_of(x, in.b));
  bool t = compare_ordered(in.mod.compare, a ^ bias, b ^ bias);
  if (in.mod.extended && a == b) t = uniform_predicate(x.warp, in.source_predicate2);
  const bool p = uniform_predicate(x.warp, in.source_predicate0);
  const bool first = combine(in.mod.bool_op, t, p);
  const bool second = combine(in.mod.bool_op, !t, p);
  write_uniform_predicate(x, in.dest_predicate0, first);
  write_uniform_predicate(x, in.dest_predicate1, second);
}

void execute_uplop3(Execution& x) {
  const Instruction& in = x.instruction;
  const auto word = [&](const PredicateOperand& p) { return uniform_predicate(x.warp, p) ? ~0u : 0u; };
  const std::uint32_t a = word(in.source_predicate0), b = word(in.source_predicate1), c = word(in.source_predicate2);
  write_uniform_predicate(x, in.dest_predicate0, LogicTable(in.mod.lut)(a, b, c) != 0);
  write_uniform_predicate(x, in.dest_predicate1, LogicTable(in.mod.lut1)(a, b, c) != 0);
}

void execute_up2ur(Execution& x) {
  const Instruction& in = x.instruction;
  const unsigned shift = 8u * in.mod.byte_select;
  std::uint32_t bits = 0;
  for (unsigned p = 0; p < 7; ++p) bits |= (x.warp.up[p] ? 1u : 0u) << p;
  const std::uint32_t mask = (value_of(x, in.b) & 0x7fu) << shift;
  write_uniform(x, in.dest, (value_of(x, in.a) & ~mask) | ((bits << shift) & mask));
}

void execute_ur2up(Execution& x) {
  const Instruction& in = x.instruction;
  const std::uint32_t bits = value_of(x, in.a) >> (8u * in.mod.byte_select), mask = value_of(x, in.b);
  for (unsigned p = 0; p < 7; ++p) {
    if (((mask >> p) & 1u) != 0) x.warp.up[p] = ((bits >> p) & 1u) != 0;
  }
}

void execute_usgxt(Execution& x) {
  const Instruction& in = x.instruction;
  write_uniform(x, in.dest, sign_extend_field(value_of(x, in.a), value_of(x, in.b), in.mod.is_signed, in.mod.wrap));
}

void execute_ubmsk(Execution& x) {
  const Instruction& in = x.instruction;
  write_uniform(x, in.dest, bit_mask(value_of(x, in.a), value_of(x, in.b), in.mod.wrap));
}

void execute_uflo(Execution& x) {
  const Instruction& in = x.instruction;
  const std::uint32_t value =
      find_leading_one(inverted_if(in.b.negate, value_of(x, in.b)), in.mod.is_signed, (in.mod.variant & 1u) != 0);
  write_uniform(x, in.dest, value);
  write_uniform_predicate(x, in.dest_predicate0, value != ~0u);
}

void execute_upopc(Execution& x) {
  const Instruction& in = x.instruction;
  const std::uint32_t value = inverted_if(in.b.negate, value_of(x, in.b));
  write_uniform(x, in.dest, static_cast<std::uint32_t>(__builtin_popcount(value)));
}

void execute_ubrev(Execution& x) {
  const Instruction& in = x.instruction;
  write_uniform(x, in.dest, reverse_bits(inverted_if(in.b.negate, value_of(x, in.b))));
}

void execute_s2ur(Execution& x) {
  Vector value;
  read_special_register(x, x.instruction.mod.special_register, value);
  write_uniform(x, x.instruction.dest, value[static_cast<std::size_t>(__builtin_ctz(x.lanes))]);
}

}  // namespace stc::isa
