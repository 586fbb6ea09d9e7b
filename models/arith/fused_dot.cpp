// SPDX-License-Identifier: Apache-2.0
#include "models/arith/fused_dot.h"

#include <algorithm>
#include <cmath>

namespace stc::arith {
namespace {

/// +-magnitude * 2^(exponent - fraction_bits), before alignment.
struct Term {
  FloatClass kind = FloatClass::kZero;
  bool negative = false;
  std::uint64_t magnitude = 0;
  int exponent = 0;
  int fraction_bits = 0;
};

Term product(const FloatFormat& a_format, const Decoded& a, const FloatFormat& b_format, const Decoded& b) {
  Term term;
  term.negative = a.negative != b.negative;
  const bool infinite = a.kind == FloatClass::kInfinite || b.kind == FloatClass::kInfinite;
  const bool zero = a.kind == FloatClass::kZero || b.kind == FloatClass::kZero;
  if (a.kind == FloatClass::kNan || b.kind == FloatClass::kNan || (infinite && zero)) {
    term.kind = FloatClass::kNan;
  } else if (infinite) {
    term.kind = FloatClass::kInfinite;
  } else if (!zero) {
    term.kind = FloatClass::kFinite;
    term.magnitude = std::uint64_t{a.significand} * b.significand;
    term.exponent = a.exponent + b.exponent;
    term.fraction_bits = a_format.fraction_bits + b_format.fraction_bits;
  }
  return term;
}

/// A subnormal C keeps the least exponent of its format, as operands do (f16: an H200, 2^-24 + 2^-25 - 2^-42 gives
/// 2^-23).
Term accumulator_term(Accumulator accumulator, std::uint32_t bits) {
  const FloatFormat& format = accumulator == Accumulator::f32 ? kF32 : kF16;
  const Decoded c = decode(format, bits);
  return {c.kind, c.negative, c.significand, c.exponent, format.fraction_bits};
}

/// floor(|term| / 2^(alignment - F)) with the term's sign.
std::int64_t align(const Term& term, int alignment, int fraction_bits) {
  const int shift = fraction_bits - term.fraction_bits - (alignment - term.exponent);
  std::uint64_t magnitude = 0;
  if (shift >= 0) {
    magnitude = term.magnitude << shift;
  } else if (shift > -64) {
    magnitude = term.magnitude >> -shift;
  }
  return term.negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

/// True when NaN or infinity decides the block; `result` is then set.
bool special_values(const std::vector<Term>& terms, Accumulator accumulator, std::uint32_t& result) {
  bool nan = false, plus = false, minus = false;
  for (const Term& term : terms) {
    nan |= term.kind == FloatClass::kNan;
    if (term.kind == FloatClass::kInfinite) (term.negative ? minus : plus) = true;
  }
  const bool f32 = accumulator == Accumulator::f32;
  if (nan || (plus && minus)) {
    result = f32 ? kNanF32 : kNanF16;
  } else if (plus || minus) {
    const FloatFormat& format = f32 ? kF32 : kF16;
    result = (format.exponent_mask() << format.fraction_bits) | (minus ? format.sign_bit() : 0u);
  }
  return nan || plus || minus;
}

std::uint32_t round_sum(const FusedDotRules& rules, Accumulator accumulator, std::int64_t sum, int lsb_exponent) {
  const bool negative = sum < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? -sum : sum);
  if (accumulator == Accumulator::f16) {
    return round_to_format(kF16, RoundTo::kNearestEven, negative, magnitude, lsb_exponent);
  }
  const FloatFormat narrowed{kF32.exponent_bits, rules.f32_result_fraction};
  return round_to_format(narrowed, RoundTo::kZero, negative, magnitude, lsb_exponent)
         << (kF32.fraction_bits - rules.f32_result_fraction);
}

double value_of(const Term& term) {
  if (term.kind == FloatClass::kNan) return std::nan("");
  if (term.kind == FloatClass::kInfinite) return term.negative ? -HUGE_VAL : HUGE_VAL;
  const double magnitude = std::ldexp(static_cast<double>(term.magnitude), term.exponent - term.fraction_bits);
  return term.negative ? -magnitude : magnitude;
}

struct Block {
  std::vector<Term> terms;  // C first
  std::uint32_t result = 0;
};

void describe(const FusedDotRules& rules, Accumulator accumulator, const Block& block, BlockTrace& trace) {
  for (std::size_t i = 0; i < block.terms.size(); ++i) {
    const Term& term = block.terms[i];
    TermTrace& out = trace.terms[i];
    out.kind = term.kind;
    out.negative = term.negative;
    out.exact = value_of(term);
    out.exponent = term.exponent;
    if (trace.special || term.kind != FloatClass::kFinite) continue;
    out.aligned = align(term, trace.alignment, rules.fraction_bits);
    out.lost = out.exact - std::ldexp(static_cast<double>(out.aligned), trace.alignment - rules.fraction_bits);
  }
  trace.result = block.result;
  if (!trace.special) {
    const Term rounded = accumulator_term(accumulator, block.result);
    trace.rounding_inexact =
        value_of(rounded) != std::ldexp(static_cast<double>(trace.sum), trace.alignment - rules.fraction_bits);
  }
}

}  // namespace

std::uint32_t fused_dot(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                        Accumulator accumulator, const std::uint32_t* a, const std::uint32_t* b, int count,
                        std::uint32_t c, std::vector<BlockTrace>* trace) {
  Block block;
  for (int first = 0; first < count; first += rules.block_length) {
    const int length = std::min(rules.block_length, count - first);
    block.terms.assign(1, accumulator_term(accumulator, c));
    for (int i = first; i < first + length; ++i) {
      block.terms.push_back(product(a_format, decode(a_format, a[i]), b_format, decode(b_format, b[i])));
    }
    BlockTrace steps;
    steps.special = special_values(block.terms, accumulator, block.result);
    if (!steps.special) {
      const int floor = accumulator == Accumulator::f32 ? rules.exponent_floor_f32 : rules.exponent_floor_f16;
      int largest = floor;
      for (const Term& term : block.terms) {
        if (term.kind == FloatClass::kFinite) largest = std::max(largest, term.exponent);
      }
      steps.alignment = largest;
      steps.floored = largest == floor;
      for (const Term& term : block.terms) {
        if (term.kind == FloatClass::kFinite) steps.sum += align(term, largest, rules.fraction_bits);
      }
      block.result = round_sum(rules, accumulator, steps.sum, largest - rules.fraction_bits);
    }
    if (trace != nullptr) {
      steps.terms.resize(block.terms.size());
      steps.terms[0].a = c;
      for (int i = 0; i < length; ++i) {
        TermTrace& term = steps.terms[static_cast<std::size_t>(i) + 1];
        term.index = first + i;
        term.a = a[first + i];
        term.b = b[first + i];
      }
      describe(rules, accumulator, block, steps);
      trace->push_back(std::move(steps));
    }
    c = block.result;
  }
  return c;
}

}  // namespace stc::arith
