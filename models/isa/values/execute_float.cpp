// SPDX-License-Identifier: Apache-2.0
// Single precision: FADD, FMUL, FFMA, comparisons, minimum and maximum, the check before a division.
#include "models/isa/values/execution.h"
#include "models/isa/values/float_bits.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"

namespace stc::isa {
namespace {

constexpr std::uint32_t kSmallestNormal = 0x00800000u;

/// Whether FTZ takes `exact` (the value, or one rounded to odd) for subnormal although it was rounded to the smallest
/// normal number: it looks at the value rounded to 24 bits, not to the coarser steps of subnormals.
/// Evidence: an H200; 2^-126 (1 - 2^-24) is flushed, 2^-126 (1 - 2^-64) is not.
bool tiny(double exact, Rounding rounding) {
  const double size = std::fabs(exact);
  return rounding == Rounding::kNearestEven ? size < 0x1p-126 - 0x1p-151 : size <= 0x1p-126 - 0x1p-150;
}

/// Three operand fetches with sign handling; FTZ flushes subnormal inputs and results.
template <bool kFtz, class F, class Exact>
STC_INLINE void float_lanes(Execution& x, F f, Exact exact) {
  const Instruction& in = x.instruction;
  Vector sa, sb, sc, out;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const std::uint32_t* c = fetch(x, in.c, sc);
  const SignMasks ma(in.a), mb(in.b), mc(in.c);
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    const std::uint32_t p = kFtz ? flush(ma(a[i])) : ma(a[i]);
    const std::uint32_t q = kFtz ? flush(mb(b[i])) : mb(b[i]);
    const std::uint32_t r = kFtz ? flush(mc(c[i])) : mc(c[i]);
    const std::uint32_t result = canonical(f(p, q, r));
    out[i] = kFtz ? flush(result) : result;
  }
  if (kFtz) {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      if ((out[i] & 0x7fffffffu) != kSmallestNormal) continue;
      if (tiny(exact(flush(ma(a[i])), flush(mb(b[i])), flush(mc(c[i]))), in.mod.rounding)) out[i] &= 0x80000000u;
    }
  }
  if (in.mod.saturate) {
    for (std::size_t i = 0; i < kWarpSize; ++i) out[i] = saturate(out[i]);
  }
  write(x, in.dest, out);
}

template <class Nearest, class Rounded, class Exact>
STC_INLINE void float_operation(Execution& x, Nearest nearest, Rounded rounded, Exact exact) {
  const Modifiers& mod = x.instruction.mod;
  if (mod.rounding == Rounding::kNearestEven) {
    if (mod.ftz) {
      float_lanes<true>(x, nearest, exact);
    } else {
      float_lanes<false>(x, nearest, exact);
    }
  } else if (mod.ftz) {
    float_lanes<true>(x, rounded, exact);
  } else {
    float_lanes<false>(x, rounded, exact);
  }
}

double product(std::uint32_t a, std::uint32_t b) {
  return static_cast<double>(as_float(a)) * static_cast<double>(as_float(b));
}

}  // namespace

STC_VECTOR void execute_fadd(Execution& x) {
  const Rounding rounding = x.instruction.mod.rounding;
  float_operation(
      x, [](std::uint32_t a, std::uint32_t b, std::uint32_t) { return as_bits(as_float(a) + as_float(b)); },
      [=](std::uint32_t a, std::uint32_t b, std::uint32_t) { return add_rounded(as_float(a), as_float(b), rounding); },
      [](std::uint32_t a, std::uint32_t b, std::uint32_t) {
        return static_cast<double>(as_float(a)) + static_cast<double>(as_float(b));
      });
}

STC_VECTOR void execute_fmul(Execution& x) {
  const Rounding rounding = x.instruction.mod.rounding;
  float_operation(
      x, [](std::uint32_t a, std::uint32_t b, std::uint32_t) { return as_bits(as_float(a) * as_float(b)); },
      [=](std::uint32_t a, std::uint32_t b, std::uint32_t) {
        return multiply_rounded(as_float(a), as_float(b), rounding);
      },
      [](std::uint32_t a, std::uint32_t b, std::uint32_t) { return product(a, b); });
}

STC_VECTOR void execute_ffma(Execution& x) {
  const Rounding rounding = x.instruction.mod.rounding;
  float_operation(
      x,
      [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        return as_bits(__builtin_fmaf(as_float(a), as_float(b), as_float(c)));
      },
      [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        return fma_rounded(as_float(a), as_float(b), as_float(c), rounding);
      },
      [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return add_to_odd(product(a, b), as_float(c)); });
}

namespace {

/// The 16 comparisons are the four outcomes less, equal, greater, unordered as bits 0..3 of the code.
STC_INLINE LaneMask compare_floats(const Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const SignMasks ma(in.a), mb(in.b);
  const auto code = static_cast<std::uint32_t>(in.mod.compare);
  const std::uint32_t less = code & 1u, equal = (code >> 1) & 1u, greater = (code >> 2) & 1u, unordered = code >> 3;
  const bool ftz = in.mod.ftz;
  return lanes_where([&](std::size_t i) {
    const float p = as_float(ftz ? flush(ma(a[i])) : ma(a[i]));
    const float q = as_float(ftz ? flush(mb(b[i])) : mb(b[i]));
    const std::uint32_t outcome = p < q ? less : p == q ? equal : p > q ? greater : unordered;
    return outcome != 0;
  });
}

}  // namespace

STC_VECTOR void execute_fsetp(Execution& x) {
  const Instruction& in = x.instruction;
  const LaneMask t = compare_floats(x);
  const LaneMask p = predicate_lanes(x.warp, in.source_predicate0);
  const LaneMask first = combine(in.mod.bool_op, t, p);
  const LaneMask second = combine(in.mod.bool_op, ~t, p);
  write_predicate(x, in.dest_predicate0, first);
  write_predicate(x, in.dest_predicate1, second);
}

STC_VECTOR void execute_fset(Execution& x) {
  const Instruction& in = x.instruction;
  const LaneMask t = combine(in.mod.bool_op, compare_floats(x), predicate_lanes(x.warp, in.source_predicate0));
  const std::uint32_t yes = in.mod.variant == 1 ? 0x3f800000u : ~0u;
  write_lanes(x, in.dest, [&](std::size_t i) { return ((t >> i) & 1u) != 0 ? yes : 0u; });
}

STC_VECTOR void execute_fsel(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, choose;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const SignMasks ma(in.a), mb(in.b);
  spread(predicate_lanes(x.warp, in.source_predicate0), choose);
  const bool ftz = in.mod.ftz;
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t v = (ma(a[i]) & choose[i]) | (mb(b[i]) & ~choose[i]);
    return ftz ? flush(v) : v;
  });
}

STC_VECTOR void execute_fmnmx(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb, minimum;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  const SignMasks ma(in.a), mb(in.b);
  spread(predicate_lanes(x.warp, in.source_predicate0), minimum);
  const bool ftz = in.mod.ftz;
  const bool propagate_nan = (in.mod.variant & 1u) != 0;
  const std::uint32_t signs = (in.mod.variant & 2u) != 0 ? 0x80000000u : 0u;  // XORSIGN: of the sources as they were
  // As signed integers, with negative magnitudes reversed, floats order like numbers and -0 lies below +0.
  const auto key = [](std::uint32_t v) {
    return static_cast<std::int32_t>(v ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(v) >> 31) >> 1));
  };
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t p = ftz ? flush(ma(a[i])) : ma(a[i]);
    const std::uint32_t q = ftz ? flush(mb(b[i])) : mb(b[i]);
    const std::uint32_t less = key(p) < key(q) ? ~0u : 0u;
    const std::uint32_t take_p = ~(less ^ minimum[i]);
    std::uint32_t v = (p & take_p) | (q & ~take_p);
    v = is_nan(p) ? q : v;
    v = is_nan(q) ? p : v;
    const bool nan = propagate_nan ? is_nan(p) || is_nan(q) : is_nan(p) && is_nan(q);
    v ^= (a[i] ^ b[i]) & signs;
    return nan ? kNan32 : v;
  });
}

STC_VECTOR void execute_fchk(Execution& x) {
  const Instruction& in = x.instruction;
  Vector sa, sb;
  const std::uint32_t* a = fetch(x, in.a, sa);
  const std::uint32_t* b = fetch(x, in.b, sb);
  // True sends a division to the slow routine, which is right for all operands; the fast sequence needs normal
  // operands, a normal quotient and a remainder that does not underflow. Hardware's exact bounds are not published.
  write_predicate(x, in.dest_predicate0, lanes_where([&](std::size_t i) {
                    const auto ea = static_cast<std::int32_t>((a[i] >> 23) & 0xffu);
                    const auto eb = static_cast<std::int32_t>((b[i] >> 23) & 0xffu);
                    const bool fast =
                        ea >= 25 && ea <= 253 && eb >= 2 && eb <= 252 && ea - eb >= -124 && ea - eb <= 125;
                    return !fast;
                  }));
}

}  // namespace stc::isa
