// SPDX-License-Identifier: Apache-2.0
// Packed 16-bit floating point: HADD2, HMUL2, HFMA2 (f16x2, bf16x2), comparisons, minimum and maximum.
#include "models/isa/values/execution.h"
#include "models/isa/values/float_bits.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_math.h"

namespace stc::isa {
namespace {

enum Swizzle : std::uint8_t { kBothHalves = 0, kSingle = 1, kLowTwice = 2, kHighTwice = 3, kCrossed = 4 };

/// Both halves of an operand, widened to f32 bits (exact), signs applied.
struct Halves {
  alignas(64) Vector low;
  alignas(64) Vector high;
};

STC_INLINE std::uint32_t flush16(std::uint32_t h, std::uint32_t exponent) {
  return (h & exponent) == 0 ? h & 0x8000u : h;
}

template <bool kBfloat>
STC_INLINE void fetch_halves(const Execution& x, const Operand& o, std::uint8_t swizzle, bool ftz, Halves& to) {
  Vector scratch;
  const std::uint32_t* v = fetch(x, o, scratch);
  const std::uint32_t keep = o.absolute ? 0x7fffu : 0xffffu;
  const std::uint32_t flip = o.negate ? 0x8000u : 0u;
  constexpr std::uint32_t kExponent = kBfloat ? 0x7f80u : 0x7c00u;
  if (swizzle == kSingle) {
    const SignMasks m(o);
    for (std::size_t i = 0; i < kWarpSize; ++i) to.low[i] = to.high[i] = ftz ? flush(m(v[i])) : m(v[i]);
    return;
  }
  const unsigned low_shift = swizzle == kHighTwice || swizzle == kCrossed ? 16 : 0;
  const unsigned high_shift = swizzle == kLowTwice || swizzle == kCrossed ? 0 : 16;
  const std::uint32_t low_flip = swizzle == kCrossed ? flip ^ 0x8000u : flip;
  const std::uint32_t flushed = ftz ? 0x8000u : 0xffffu;
  const auto widen = [=](std::uint32_t h, std::uint32_t sign) {
    h = ((h & keep) ^ sign) & 0xffffu;
    h = (h & kExponent) == 0 ? h & flushed : h;
    return kBfloat ? bf16_to_f32(h) : f16_to_f32(h);
  };
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    to.low[i] = widen(v[i] >> low_shift, low_flip);
    to.high[i] = widen(v[i] >> high_shift, flip);
  }
}

/// f32 fused multiply-add of f16 values whose rounding is to odd, so that rounding it to f16 is a single rounding.
STC_INLINE std::uint32_t fma_to_odd(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const float product = as_float(a) * as_float(b);  // 22 significant bits: exact
  const float addend = as_float(c);
  const float sum = product + addend;
  const float from_addend = sum - product;
  const float error = (product - (sum - from_addend)) + (addend - from_addend);
  const std::uint32_t bits = as_bits(sum);
  // An infinite or NaN sum has a NaN error, which is neither above nor below zero.
  const std::uint32_t above = error > 0 ? 1u : 0u, below = error < 0 ? 1u : 0u;
  const std::uint32_t positive = sum > 0 ? 1u : 0u;
  const std::uint32_t even_and_inexact = (above | below) & ~bits & 1u;
  const std::uint32_t away = (above ^ positive ^ 1u) & 1u;  // the exact value is larger in magnitude
  return bits + (even_and_inexact & away) - (even_and_inexact & (away ^ 1u));
}

constexpr std::uint32_t kTiny16 = 0x387ff000u;  ///< 2^-14 (1 - 2^-12): from here on 11 bits round to 2^-14

template <bool kBfloat>
STC_INLINE std::uint32_t round_result(std::uint32_t f32, const Modifiers& mod) {
  if (mod.saturate) f32 = saturate(f32);
  if (mod.relu && (f32 >> 31) != 0 && !is_nan(f32)) f32 = 0;
  std::uint32_t h = kBfloat ? f32_to_bf16(f32) : f32_to_f16(f32);
  if (!mod.ftz) return h;
  // FTZ looks at the value rounded to 11 bits, which may be subnormal where the coarser steps round up to 2^-14.
  if (!kBfloat && (f32 & 0x7fffffffu) < kTiny16) return h & 0x8000u;
  return flush16(h, kBfloat ? 0x7f80u : 0x7c00u);
}

template <bool kBfloat, class F>
STC_INLINE void half_lanes(Execution& x, bool three, F f) {
  const Instruction& in = x.instruction;
  const Modifiers mod = in.mod;
  Halves a, b, c;
  fetch_halves<kBfloat>(x, in.a, mod.swizzle_a, mod.ftz, a);
  fetch_halves<kBfloat>(x, in.b, mod.swizzle_b, mod.ftz, b);
  if (three) {
    fetch_halves<kBfloat>(x, in.c, mod.swizzle_c, mod.ftz, c);
  } else {
    c.low = c.high = kZeroVector;
  }
  if (mod.dest_type == ScalarType::kF32) {
    write_lanes(x, in.dest, [&](std::size_t i) {
      const std::uint32_t v = canonical(f(a.low[i], b.low[i], c.low[i]));
      return mod.saturate ? saturate(v) : v;
    });
    return;
  }
  if (!mod.saturate && !mod.relu && !mod.ftz) {
    const auto round = [](std::uint32_t f32) { return kBfloat ? f32_to_bf16(f32) : f32_to_f16(f32); };
    alignas(64) Vector low, high;
    for (std::size_t i = 0; i < kWarpSize; ++i) low[i] = round(f(a.low[i], b.low[i], c.low[i]));
    for (std::size_t i = 0; i < kWarpSize; ++i) high[i] = round(f(a.high[i], b.high[i], c.high[i]));
    write_lanes(x, in.dest, [&](std::size_t i) { return low[i] | high[i] << 16; });
    return;
  }
  write_lanes(x, in.dest, [&](std::size_t i) {
    const std::uint32_t low = round_result<kBfloat>(f(a.low[i], b.low[i], c.low[i]), mod);
    const std::uint32_t high = round_result<kBfloat>(f(a.high[i], b.high[i], c.high[i]), mod);
    return low | high << 16;
  });
}

bool is_bfloat(const Instruction& in) {
  return in.mod.pack_bf16 || in.mod.dest_type == ScalarType::kBf16x2 || in.mod.dest_type == ScalarType::kBf16;
}

/// A double rounded to odd in f32, so that rounding it to bf16 is a single rounding.
std::uint32_t narrow_to_odd(double value) {
  const auto bits = static_cast<std::uint32_t>(round_double(value, kF32, Rounding::kZero));
  if (!std::isfinite(value)) return bits;
  return static_cast<double>(as_float(bits)) == value ? bits : bits | 1u;
}

}  // namespace

STC_VECTOR void execute_hadd2(Execution& x) {
  // The f32 sum of two 16-bit values has bits enough for the second rounding to be harmless.
  const auto add = [](std::uint32_t a, std::uint32_t b, std::uint32_t) { return as_bits(as_float(a) + as_float(b)); };
  if (is_bfloat(x.instruction)) {
    half_lanes<true>(x, false, add);
  } else {
    half_lanes<false>(x, false, add);
  }
}

STC_VECTOR void execute_hmul2(Execution& x) {
  if (is_bfloat(x.instruction)) {
    half_lanes<true>(x, false, [](std::uint32_t a, std::uint32_t b, std::uint32_t) {
      return narrow_to_odd(static_cast<double>(as_float(a)) * static_cast<double>(as_float(b)));
    });
  } else {
    half_lanes<false>(
        x, false, [](std::uint32_t a, std::uint32_t b, std::uint32_t) { return as_bits(as_float(a) * as_float(b)); });
  }
}

STC_VECTOR void execute_hfma2(Execution& x) {
  if (is_bfloat(x.instruction)) {
    half_lanes<true>(x, true, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      const double product = static_cast<double>(as_float(a)) * static_cast<double>(as_float(b));
      return narrow_to_odd(add_to_odd(product, as_float(c)));
    });
  } else {
    half_lanes<false>(x, true, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return fma_to_odd(a, b, c); });
  }
}

namespace {

struct HalfCompare {
  LaneMask low;
  LaneMask high;
};

template <bool kBfloat>
STC_INLINE HalfCompare compare_halves(const Execution& x) {
  const Instruction& in = x.instruction;
  Halves a, b;
  fetch_halves<kBfloat>(x, in.a, in.mod.swizzle_a, in.mod.ftz, a);
  fetch_halves<kBfloat>(x, in.b, in.mod.swizzle_b, in.mod.ftz, b);
  const auto code = static_cast<std::uint32_t>(in.mod.compare);
  const auto holds = [&](std::uint32_t p, std::uint32_t q) {
    const float u = as_float(p), v = as_float(q);
    return ((code >> (u < v ? 0u : u == v ? 1u : u > v ? 2u : 3u)) & 1u) != 0;
  };
  return {lanes_where([&](std::size_t i) { return holds(a.low[i], b.low[i]); }),
          lanes_where([&](std::size_t i) { return holds(a.high[i], b.high[i]); })};
}

STC_INLINE HalfCompare compare_halves_of_type(const Execution& x) {
  return is_bfloat(x.instruction) ? compare_halves<true>(x) : compare_halves<false>(x);
}

}  // namespace

STC_VECTOR void execute_hsetp2(Execution& x) {
  const Instruction& in = x.instruction;
  HalfCompare t = compare_halves_of_type(x);
  if (in.mod.variant == 1) {  // .H_AND: both halves, and its complement
    t.low &= t.high;
    t.high = ~t.low;
  }
  const LaneMask p = predicate_lanes(x.warp, in.source_predicate0);
  const LaneMask first = combine(in.mod.bool_op, t.low, p);
  const LaneMask second = combine(in.mod.bool_op, t.high, p);
  write_predicate(x, in.dest_predicate0, first);
  write_predicate(x, in.dest_predicate1, second);
}

STC_VECTOR void execute_hset2(Execution& x) {
  const Instruction& in = x.instruction;
  const HalfCompare t = compare_halves_of_type(x);
  const LaneMask p = predicate_lanes(x.warp, in.source_predicate0);
  const LaneMask low = combine(in.mod.bool_op, t.low, p);
  const LaneMask high = combine(in.mod.bool_op, t.high, p);
  const std::uint32_t one = is_bfloat(in) ? 0x3f80u : 0x3c00u;
  const std::uint32_t yes = in.mod.variant == 1 ? one : 0xffffu;
  write_lanes(x, in.dest, [&](std::size_t i) {
    return (((low >> i) & 1u) != 0 ? yes : 0u) | (((high >> i) & 1u) != 0 ? yes << 16 : 0u);
  });
}

namespace {

std::uint32_t swizzled(std::uint32_t pair, std::uint8_t swizzle) {
  if (swizzle == kLowTwice) return (pair & 0xffffu) * 0x10001u;
  return swizzle == kHighTwice ? (pair >> 16) * 0x10001u : pair;
}

}  // namespace

STC_VECTOR void execute_hmnmx2(Execution& x) {
  const Instruction& in = x.instruction;
  const bool bfloat = is_bfloat(in);
  const bool three = in.opcode == Opcode::kVhmnmx;
  Halves a, b, c;
  const auto fetch_sources = [&](auto format) {
    constexpr bool kBfloat = decltype(format)::value;
    fetch_halves<kBfloat>(x, in.a, in.mod.swizzle_a, in.mod.ftz, a);
    fetch_halves<kBfloat>(x, in.b, in.mod.swizzle_b, in.mod.ftz, b);
    if (three) fetch_halves<kBfloat>(x, in.c, in.mod.swizzle_c, in.mod.ftz, c);
  };
  if (bfloat) {
    fetch_sources(std::true_type{});
  } else {
    fetch_sources(std::false_type{});
  }
  Vector sa, sb;
  const std::uint32_t* raw_a = fetch(x, in.a, sa);
  const std::uint32_t* raw_b = fetch(x, in.b, sb);
  const LaneMask minimum = predicate_lanes(x.warp, in.source_predicate0);
  const bool propagate_nan = (in.mod.variant & 1u) != 0;
  const auto pick = [&](std::uint32_t p, std::uint32_t q, bool smaller) {
    if (is_nan(p) || is_nan(q)) {
      if (propagate_nan || (is_nan(p) && is_nan(q))) return kNan32;
      return is_nan(p) ? q : p;
    }
    const bool p_less = as_float(p) < as_float(q) || (as_float(p) == as_float(q) && (p >> 31) > (q >> 31));
    return p_less == smaller ? p : q;
  };
  write_lanes(x, in.dest, [&](std::size_t i) {
    const bool smaller = ((minimum >> i) & 1u) != 0;
    std::uint32_t low = pick(a.low[i], b.low[i], smaller), high = pick(a.high[i], b.high[i], smaller);
    if (three) low = pick(low, c.low[i], smaller), high = pick(high, c.high[i], smaller);
    const std::uint32_t pair =
        bfloat ? f32_to_bf16(low) | f32_to_bf16(high) << 16 : f32_to_f16(low) | f32_to_f16(high) << 16;
    if ((in.mod.variant & 2u) == 0) return pair;
    const std::uint32_t nan = (is_nan(low) ? 0x8000u : 0u) | (is_nan(high) ? 0x80000000u : 0u);
    const std::uint32_t signs = swizzled(raw_a[i], in.mod.swizzle_a) ^ swizzled(raw_b[i], in.mod.swizzle_b);
    return pair ^ (signs & 0x80008000u & ~nan);  // XORSIGN: signs of the sources as they were
  });
}

}  // namespace stc::isa
