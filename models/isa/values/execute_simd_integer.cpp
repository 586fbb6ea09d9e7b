// SPDX-License-Identifier: Apache-2.0
// Integer minimum, maximum and absolute differences that also exist for two 16-bit or four 8-bit lanes per register:
// VIMNMX, VIADDMNMX, VIMNMX3, VABSDIFF, VABSDIFF4, VIADD.16x2.
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {
namespace {

struct MinMaxRules {
  bool is_signed;
  bool relu;
  bool halves;  ///< two 16-bit lanes
  explicit MinMaxRules(const Modifiers& mod) : is_signed(mod.is_signed), relu(mod.relu), halves(mod.variant == 1) {}
};

/// Applies `f` to the register's lanes as (sign- or zero-extended) 64-bit integers.
template <class F>
STC_INLINE std::uint32_t per_lane(const MinMaxRules& rules, std::uint32_t a, std::uint32_t b, std::uint32_t c, F f) {
  const auto widen = [&](std::uint32_t v, unsigned shift) -> std::int64_t {
    if (!rules.halves) return rules.is_signed ? std::int64_t{static_cast<std::int32_t>(v)} : std::int64_t{v};
    const auto half = static_cast<std::uint16_t>(v >> shift);
    return rules.is_signed ? std::int64_t{static_cast<std::int16_t>(half)} : std::int64_t{half};
  };
  const auto result = [&](unsigned shift) {
    const std::int64_t r = f(widen(a, shift), widen(b, shift), widen(c, shift));
    return static_cast<std::uint32_t>(rules.relu && r < 0 ? 0 : r);
  };
  if (!rules.halves) return result(0);
  return (result(0) & 0xffffu) | result(16) << 16;
}

std::int64_t pick(std::int64_t a, std::int64_t b, bool minimum) { return (a < b) == minimum ? a : b; }

/// Sum that wraps to the lane's width.
std::int64_t wrapped_sum(const MinMaxRules& rules, std::int64_t a, std::int64_t b) {
  const std::int64_t sum = a + b;
  if (rules.halves) {
    return rules.is_signed ? std::int64_t{static_cast<std::int16_t>(sum)}
                           : std::int64_t{static_cast<std::uint16_t>(sum)};
  }
  return rules.is_signed ? std::int64_t{static_cast<std::int32_t>(sum)} : std::int64_t{static_cast<std::uint32_t>(sum)};
}

/// An operand with its sign: each lane is negated on its own.
STC_INLINE std::uint32_t with_sign(const MinMaxRules& rules, const Operand& o, std::uint32_t v) {
  if (!o.negate) return v;
  if (!rules.halves) return 0u - v;
  return ((0u - v) & 0xffffu) | (0u - (v & 0xffff0000u));
}

template <class F>
STC_INLINE void three_operands(Execution& x, F f) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const LaneMask minimum = predicate_lanes(x.warp, in.source_predicate0);
  const MinMaxRules rules(in.mod);
  const auto sign = [&](const Operand& o, std::uint32_t v) { return with_sign(rules, o, v); };
  write_lanes(x, in.dest, [&](std::size_t i) {
    const bool is_min = ((minimum >> i) & 1u) != 0;
    return per_lane(rules, sign(in.a, a[i]), sign(in.b, b[i]), sign(in.c, c[i]),
                    [&](std::int64_t p, std::int64_t q, std::int64_t r) { return f(rules, p, q, r, is_min); });
  });
}

}  // namespace

namespace {

/// The predicates of VIMNMX say whether the first source is no worse than the second, in the low and in the high half.
void write_chosen(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t bias = in.mod.is_signed ? 0x8000u : 0u;
  const LaneMask minimum = predicate_lanes(x.warp, in.source_predicate0);
  const auto first = [&](unsigned shift) {
    return lanes_where([&](std::size_t i) {
      const std::uint32_t p = (a[i] >> shift & 0xffffu) ^ bias, q = (b[i] >> shift & 0xffffu) ^ bias;
      return ((minimum >> i) & 1u) != 0 ? p <= q : p >= q;
    });
  };
  const LaneMask low = first(0), high = first(16);
  write_predicate(x, in.dest_predicate0, low);
  write_predicate(x, in.dest_predicate1, high);
}

}  // namespace

void execute_vimnmx(Execution& x) {
  const Instruction& in = x.instruction;
  if (in.dest_predicate0 != kPredicateTrue || in.dest_predicate1 != kPredicateTrue) write_chosen(x);
  three_operands(x, [](const MinMaxRules&, std::int64_t a, std::int64_t b, std::int64_t, bool minimum) {
    return pick(a, b, minimum);
  });
}

void execute_viaddmnmx(Execution& x) {
  three_operands(x, [](const MinMaxRules& rules, std::int64_t a, std::int64_t b, std::int64_t c, bool minimum) {
    return pick(wrapped_sum(rules, a, b), c, minimum);
  });
}

void execute_vimnmx3(Execution& x) {
  three_operands(x, [](const MinMaxRules&, std::int64_t a, std::int64_t b, std::int64_t c, bool minimum) {
    return pick(pick(a, b, minimum), c, minimum);
  });
}

void execute_viadd_halves(Execution& x) {
  three_operands(x, [](const MinMaxRules&, std::int64_t a, std::int64_t b, std::int64_t, bool) { return a + b; });
}

void execute_vabsdiff(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const std::uint32_t bias = in.mod.is_signed ? 0x80000000u : 0u;
  write_lanes(x, in.dest,
              [&](std::size_t i) { return ((a[i] ^ bias) < (b[i] ^ bias) ? b[i] - a[i] : a[i] - b[i]) + c[i]; });
}

void execute_vabsdiff4(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const std::uint32_t bias = in.mod.is_signed ? 0x80u : 0u;
  const bool accumulates = in.mod.variant == 1;
  write_lanes(x, in.dest, [&](std::size_t i) {
    std::uint32_t result = accumulates ? c[i] : 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const std::uint32_t p = ((a[i] >> shift) & 0xffu) ^ bias, q = ((b[i] >> shift) & 0xffu) ^ bias;
      const std::uint32_t difference = p < q ? q - p : p - q;
      result += accumulates ? difference : difference << shift;
    }
    return result;
  });
}

}  // namespace stc::isa
