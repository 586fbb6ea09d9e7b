// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, logic and shifts of the vector datapath.
#include <algorithm>

#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"

namespace stc::isa {
namespace {

/// Carry-in of an extended operation as one word of 0 or 1 per lane.
STC_INLINE void carry_in_lanes(const Execution& x, const PredicateOperand& p, Vector& to) {
  const LaneMask mask = predicate_lanes(x.warp, p);
  for (std::size_t i = 0; i < kWarpSize; ++i) to[i] = (mask >> i) & 1u;
}

STC_INLINE std::uint64_t join(std::uint32_t high, std::uint32_t low) { return (std::uint64_t{high} << 32) | low; }

bool is_zero(const Operand& o) { return o.kind == Operand::Kind::kRegister && o.index == kRegisterZero; }

/// The carry that comes in by `p`, if it is the same in all lanes.
STC_INLINE bool same_carry(const Execution& x, const PredicateOperand& p, std::uint32_t& carry) {
  const LaneMask lanes = predicate_lanes(x.warp, p);
  carry = lanes & 1u;
  return lanes == 0 || lanes == kAllLanes;
}

/// A sum of two operands of which one is the same in all lanes and the other has a known pattern; false: it is not such
/// a sum, or lanes differ in their carry.
STC_INLINE bool add_known(Execution& x, std::uint32_t carry, bool carries_out) {
  const Instruction& in = x.instruction;
  KnownLanes a = known_lanes(x, in.a), b = known_lanes(x, in.b);
  if (a.pattern == nullptr || b.pattern == nullptr) return false;
  if (!b.uniform()) std::swap(a, b);
  if (!b.uniform()) return false;
  if (carries_out) {
    const std::int64_t sum = std::int64_t{a.first} + b.first + carry, end = std::int64_t{1} << 32;
    const bool none = sum + a.pattern->most < end, all = sum + a.pattern->least >= end;
    if (!a.pattern->within_word(a.first) || (!none && !all)) return false;
    write_predicate(x, in.dest_predicate0, all ? kAllLanes : 0);
    write_predicate(x, in.dest_predicate1, 0);
  }
  write_known(x, in.dest, a.pattern, a.first + b.first + carry);
  return true;
}

/// A sum of two operands as they are, with a carry that is the same in all lanes: what nearly all additions are.
STC_INLINE bool add_two(Execution& x, bool carries_out) {
  const Instruction& in = x.instruction;
  if (!is_zero(in.c) || in.a.negate || in.b.negate || in.c.negate || x.lanes != kAllLanes) return false;
  std::uint32_t carry = 0;
  if (in.mod.extended) {
    if (!same_carry(x, in.source_predicate0, carry) || predicate_lanes(x.warp, in.source_predicate1) != 0) return false;
  }
  if (add_known(x, carry, carries_out)) return true;
  Vector sa, sb, unused;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  std::uint32_t* const out = in.dest == kRegisterZero ? unused.data() : dest_register(x, in.dest).data();
  EightLanes over{};  // bit per lane whose sum has a carry
  for (std::size_t i = 0; i < kWarpSize; i += kEight) {
    EightLanes p, q;
    STC_LOAD_EIGHT(p, a + i);
    STC_LOAD_EIGHT(q, b + i);
    const EightLanes first = p + q, sum = first + carry;
    over |= (reinterpret_cast<EightLanes>(first < p) | reinterpret_cast<EightLanes>(sum < first)) & (kLaneBits << i);
    STC_STORE_EIGHT(out + i, sum);
  }
  if (carries_out) {
    write_predicate(x, in.dest_predicate0, STC_OR_EIGHT(over));
    write_predicate(x, in.dest_predicate1, 0);
  }
  look_for_pattern(x, in.dest);
  return true;
}

}  // namespace

STC_VECTOR void execute_iadd3(Execution& x) {
  const Instruction& in = x.instruction;
  const bool carries_out = in.dest_predicate0 != kPredicateTrue || in.dest_predicate1 != kPredicateTrue;
  if (add_two(x, carries_out)) return;
  Vector sa, sb, sc, out;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const AddInputs n = AddInputs::of(in);
  if (!in.mod.extended && !carries_out) {
    for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = add3(a[i], b[i], c[i], 0, n);
    write(x, in.dest, out);
    return;
  }
  Vector carry{};
  if (in.mod.extended) {
    Vector second;
    carry_in_lanes(x, in.source_predicate0, carry);
    carry_in_lanes(x, in.source_predicate1, second);
    for (std::size_t i = 0; i < kWarpSize; ++i) carry[i] += second[i];
  }
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = add3(a[i], b[i], c[i], carry[i], n);
  if (carries_out) {
    const LaneMask one = lanes_where([&](std::size_t i) { return add3_carries(a[i], b[i], c[i], carry[i], n) >= 1; });
    const LaneMask two = lanes_where([&](std::size_t i) { return add3_carries(a[i], b[i], c[i], carry[i], n) >= 2; });
    write_predicate(x, in.dest_predicate0, one);
    write_predicate(x, in.dest_predicate1, two);
  }
  write(x, in.dest, out);
}

STC_VECTOR void execute_viadd(Execution& x) {
  const Instruction& in = x.instruction;
  if (in.mod.variant == 1) {
    execute_viadd_halves(x);
    return;
  }
  Vector sa, sb, out;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t na = in.a.negate ? ~0u : 0u;
  const std::uint32_t nb = in.b.negate ? ~0u : 0u;
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = ((a[i] ^ na) - na) + ((b[i] ^ nb) - nb);
  write(x, in.dest, out);
}

namespace {

/// A product of two numbers that are the same in all lanes, or one with 1, and a third operand, all known.
STC_INLINE bool multiply_known(Execution& x) {
  const Instruction& in = x.instruction;
  if (x.lanes != kAllLanes || in.dest_predicate0 != kPredicateTrue) return false;
  if (in.a.negate || in.b.negate || in.c.negate) return false;
  std::uint32_t carry = 0;
  if (in.mod.extended && !same_carry(x, in.source_predicate0, carry)) return false;
  KnownLanes c = known_lanes(x, in.c);
  if (c.pattern == nullptr) return false;
  if (is_zero(in.a)) {
    write_known(x, in.dest, c.pattern, c.first + carry);
    return true;
  }
  KnownLanes a = known_lanes(x, in.a), b = known_lanes(x, in.b);
  if (a.pattern == nullptr || b.pattern == nullptr) return false;
  if (!b.uniform()) std::swap(a, b);
  if (!b.uniform() || (!a.uniform() && b.first != 1)) return false;
  if (!a.uniform() && !c.uniform()) return false;
  write_known(x, in.dest, a.uniform() ? c.pattern : a.pattern, a.first * b.first + c.first + carry);
  return true;
}

}  // namespace

STC_VECTOR void execute_imad(Execution& x) {
  const Instruction& in = x.instruction;
  if (multiply_known(x)) return;
  Vector sa, sb, sc, out;
  const std::uint32_t* c = fetch(x, in.c, sc);
  const std::uint32_t nc = in.c.negate ? ~0u : 0u;
  const bool plain = !in.mod.extended && in.dest_predicate0 == kPredicateTrue;
  // IMAD.MOV: a product with RZ.
  if (plain && nc == 0 && is_zero(in.a)) {
    if (x.lanes == kAllLanes && in.dest != kRegisterZero) {
      std::memmove(dest_register(x, in.dest).data(), c, sizeof(Vector));
      return;
    }
    std::copy(c, c + kWarpSize, out.begin());
    write(x, in.dest, out);
    return;
  }
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t np = in.a.negate != in.b.negate ? ~0u : 0u;
  if (plain) {
    for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = ((a[i] * b[i] ^ np) - np) + ((c[i] ^ nc) - nc);
    write(x, in.dest, out);
    look_for_pattern(x, in.dest);
    return;
  }
  // .X: carry in, and a negated C is inverted only.
  std::uint32_t one_carry = 0;
  if (in.dest_predicate0 == kPredicateTrue && same_carry(x, in.source_predicate0, one_carry)) {
    for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = ((a[i] * b[i] ^ np) - np) + (c[i] ^ nc) + one_carry;
    write(x, in.dest, out);
    look_for_pattern(x, in.dest);
    return;
  }
  Vector carry{};
  if (in.mod.extended) carry_in_lanes(x, in.source_predicate0, carry);
  const std::uint32_t one = in.mod.extended ? 0u : nc & 1u;
  const auto sum = [&](std::size_t i) { return std::uint64_t{(a[i] * b[i] ^ np) - np} + (c[i] ^ nc) + one + carry[i]; };
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = static_cast<std::uint32_t>(sum(i));
  if (in.dest_predicate0 != kPredicateTrue) {
    write_predicate(x, in.dest_predicate0, lanes_where([&](std::size_t i) { return (sum(i) >> 32) != 0; }));
  }
  write(x, in.dest, out);
}

namespace {

/// Low and high words of a * b + {C pair} and its carry-out, for IMAD.WIDE and IMAD.HI.
STC_INLINE void wide_multiply_add(const Execution& x, Vector& low, Vector& high, LaneMask* carry_out) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc, sh;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* cl = fetch(x, in.c, sc);
  const std::uint32_t* ch = fetch_high(x, in.c, sh, in.mod.is_signed);
  const std::uint64_t nc = in.c.negate ? ~std::uint64_t{0} : 0;
  const std::uint64_t one = in.c.negate && !in.mod.extended ? 1 : 0;
  const std::uint64_t np = in.a.negate != in.b.negate ? ~std::uint64_t{0} : 0;
  Vector carry{};
  if (in.mod.extended) carry_in_lanes(x, in.source_predicate0, carry);
  const auto product = [&](std::size_t i) {
    const std::uint64_t p = in.mod.is_signed
                                ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a[i])} *
                                                             std::int64_t{static_cast<std::int32_t>(b[i])})
                                : std::uint64_t{a[i]} * b[i];
    return (p ^ np) - np;
  };
  const auto addend = [&](std::size_t i) { return (join(ch[i], cl[i]) ^ nc) + one + carry[i]; };
  if (carry_out != nullptr) {
    *carry_out = lanes_where([&](std::size_t i) { return product(i) + addend(i) < product(i); });
  }
  if (in.mod.is_signed) {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const std::uint64_t p = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a[i])} *
                                                         std::int64_t{static_cast<std::int32_t>(b[i])});
      const std::uint64_t sum = ((p ^ np) - np) + addend(i);
      low[i] = static_cast<std::uint32_t>(sum);
      high[i] = static_cast<std::uint32_t>(sum >> 32);
    }
  } else {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const std::uint64_t p = std::uint64_t{a[i]} * b[i];
      const std::uint64_t sum = ((p ^ np) - np) + addend(i);
      low[i] = static_cast<std::uint32_t>(sum);
      high[i] = static_cast<std::uint32_t>(sum >> 32);
    }
  }
}

}  // namespace

STC_VECTOR void execute_imad_wide(Execution& x) {
  const Instruction& in = x.instruction;
  Vector low, high;
  LaneMask carry = 0;
  const bool wants_carry = in.dest_predicate0 != kPredicateTrue;
  wide_multiply_add(x, low, high, wants_carry ? &carry : nullptr);
  if (wants_carry) write_predicate(x, in.dest_predicate0, carry);
  write(x, in.dest, low);
  write(x, pair_high(in.dest), high);
}

STC_VECTOR void execute_imad_high(Execution& x) {
  const Instruction& in = x.instruction;
  Vector low, high;
  LaneMask carry = 0;
  const bool wants_carry = in.dest_predicate0 != kPredicateTrue;
  wide_multiply_add(x, low, high, wants_carry ? &carry : nullptr);
  if (wants_carry) write_predicate(x, in.dest_predicate0, carry);
  write(x, in.dest, high);
}

STC_VECTOR void execute_lea(Execution& x) {
  const Instruction& in = x.instruction;
  const unsigned n = in.mod.shift & 31u;
  Vector sa, sb, sc, shifted, carry{};
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t nb = in.b.negate ? ~0u : 0u;
  const std::uint32_t na = in.a.negate ? ~0u : 0u;
  if (!in.mod.high) {
    for (std::size_t i = 0; i < kWarpSize; ++i) shifted[i] = a[i] << n;
  } else if (in.mod.sx32) {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const auto wide = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a[i])});
      shifted[i] = static_cast<std::uint32_t>((wide << n) >> 32);
    }
  } else {
    const std::uint32_t* c = fetch(x, in.c, sc);
    // A negated 64-bit index is inverted before the shift; the missing one enters through the low half's carry.
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      shifted[i] = static_cast<std::uint32_t>((join(c[i], a[i]) << n) >> 32);
    }
  }
  if (in.mod.extended) carry_in_lanes(x, in.source_predicate0, carry);
  const std::uint32_t ones = in.mod.extended ? 0u : (na & 1u) + (nb & 1u);
  if (in.dest_predicate0 != kPredicateTrue) {
    write_predicate(x, in.dest_predicate0, lanes_where([&](std::size_t i) {
                      return ((std::uint64_t{shifted[i] ^ na} + (b[i] ^ nb) + ones + carry[i]) >> 32) != 0;
                    }));
  }
  write_lanes(x, in.dest, [&](std::size_t i) { return (shifted[i] ^ na) + (b[i] ^ nb) + ones + carry[i]; });
}

STC_VECTOR void execute_lop3(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc, out;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const std::uint32_t na = in.a.negate ? ~0u : 0u;
  const std::uint32_t nb = in.b.negate ? ~0u : 0u;
  const std::uint32_t nc = in.c.negate ? ~0u : 0u;
  const LogicTable table(in.mod.lut);
  for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = table(a[i] ^ na, b[i] ^ nb, c[i] ^ nc);
  if (in.dest_predicate0 != kPredicateTrue) {
    const LaneMask nonzero = lanes_where([&](std::size_t i) { return out[i] != 0; });
    const LaneMask p = predicate_lanes(x.warp, in.source_predicate0);
    write_predicate(x, in.dest_predicate0, in.mod.predicate_and ? nonzero & p : nonzero | p);
  }
  write(x, in.dest, out);
  look_for_pattern(x, in.dest);
}

STC_VECTOR void execute_shf(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* low = fetch(x, in.a, sa);
  const std::uint32_t* count = fetch(x, in.b, sb);
  const std::uint32_t* high = fetch(x, in.c, sc);
  const Modifiers mod = in.mod;
  // The everyday forms: x << n and x >> n with a count below 32.
  if (in.b.kind == Operand::Kind::kImmediate && in.b.value < 32 && !mod.is_64bit) {
    const std::uint32_t n = in.b.value;
    if (!mod.right && !mod.high) {
      write_lanes(x, in.dest, [&](std::size_t i) { return low[i] << n; });
      return;
    }
    if (mod.right && mod.high) {
      if (mod.is_signed) {
        write_lanes(x, in.dest,
                    [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(high[i]) >> n); });
      } else {
        write_lanes(x, in.dest, [&](std::size_t i) { return high[i] >> n; });
      }
      return;
    }
  }
  write_lanes(x, in.dest, [&](std::size_t i) { return funnel_shift(low[i], count[i], high[i], mod); });
}

STC_VECTOR void execute_prmt(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* selector = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const int mode = in.mod.prmt_mode;
  if (mode == 0 && in.b.kind == Operand::Kind::kImmediate && (in.b.value & 0x8888u) == 0) {
    const std::uint32_t s = in.b.value;
    const std::uint32_t pick[4] = {8 * (s & 7u), 8 * ((s >> 4) & 7u), 8 * ((s >> 8) & 7u), 8 * ((s >> 12) & 7u)};
    write_lanes(x, in.dest, [&](std::size_t i) {
      const std::uint64_t bytes = join(c[i], a[i]);
      std::uint32_t result = static_cast<std::uint32_t>(bytes >> pick[0]) & 0xffu;
      result |= (static_cast<std::uint32_t>(bytes >> pick[1]) & 0xffu) << 8;
      result |= (static_cast<std::uint32_t>(bytes >> pick[2]) & 0xffu) << 16;
      return result | (static_cast<std::uint32_t>(bytes >> pick[3]) & 0xffu) << 24;
    });
    return;
  }
  write_lanes(x, in.dest, [&](std::size_t i) { return permute(a[i], selector[i], c[i], mode); });
}

STC_VECTOR void execute_imnmx(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, minimum;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t na = in.a.negate ? ~0u : 0u;
  const std::uint32_t nb = in.b.negate ? ~0u : 0u;
  const std::uint32_t bias = in.mod.is_signed ? 0x80000000u : 0u;
  spread(predicate_lanes(x.warp, in.source_predicate0), minimum);
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t p = (a[i] ^ na) - na;
    const std::uint32_t q = (b[i] ^ nb) - nb;
    const std::uint32_t less = (p ^ bias) < (q ^ bias) ? ~0u : 0u;
    const std::uint32_t take_p = ~(less ^ minimum[i]);
    return (p & take_p) | (q & ~take_p);
  });
}

STC_VECTOR void execute_iabs(Execution& x) {
  Vector sb;
  const std::uint32_t* b = fetch(x, x.instruction.b, sb);
  write_lanes(x, x.instruction.dest, [&](std::size_t i) { return (b[i] >> 31) != 0 ? 0u - b[i] : b[i]; });
}

STC_VECTOR void execute_flo(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sb, out;
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t invert = in.b.negate ? ~0u : 0u;
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    out[i] = find_leading_one(b[i] ^ invert, in.mod.is_signed, (in.mod.variant & 1u) != 0);
  }
  if (in.dest_predicate0 != kPredicateTrue) {
    write_predicate(x, in.dest_predicate0, lanes_where([&](std::size_t i) { return out[i] != ~0u; }));
  }
  write(x, in.dest, out);
}

STC_VECTOR void execute_popc(Execution& x) {
  Vector sb;
  const std::uint32_t* b = fetch(x, x.instruction.b, sb);
  const std::uint32_t invert = x.instruction.b.negate ? ~0u : 0u;
  write_lanes(x, x.instruction.dest,
              [&](std::size_t i) { return static_cast<std::uint32_t>(__builtin_popcount(b[i] ^ invert)); });
}

STC_VECTOR void execute_brev(Execution& x) {
  Vector sb;
  const std::uint32_t* b = fetch(x, x.instruction.b, sb);
  const std::uint32_t invert = x.instruction.b.negate ? ~0u : 0u;
  write_lanes(x, x.instruction.dest, [&](std::size_t i) { return reverse_bits(b[i] ^ invert); });
}

STC_VECTOR void execute_sgxt(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  write_lanes(x, in.dest, [&](std::size_t i) { return sign_extend_field(a[i], b[i], in.mod.is_signed, in.mod.wrap); });
}

STC_VECTOR void execute_bmsk(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  write_lanes(x, in.dest, [&](std::size_t i) { return bit_mask(a[i], b[i], in.mod.wrap); });
}

STC_VECTOR void execute_idp(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const auto is_signed = [](ScalarType t) {
    return t == ScalarType::kS8 || t == ScalarType::kS16 || t == ScalarType::kS32;
  };
  const bool a_signed = is_signed(in.mod.source_type);
  const bool b_signed = is_signed(in.mod.dest_type);
  write_lanes(x, in.dest,
              [&](std::size_t i) { return dot_bytes(a[i], b[i], c[i], a_signed, b_signed, in.mod.variant); });
}

}  // namespace stc::isa
