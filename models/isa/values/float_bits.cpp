// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/float_bits.h"

#include <limits>

namespace stc::isa {
namespace {

bool away_from_zero(Rounding rounding, bool negative, bool odd, bool half, bool below_half) {
  if (!half && !below_half) return false;
  switch (rounding) {
    case Rounding::kNearestEven: return half && (below_half || odd);
    case Rounding::kDown: return negative;
    case Rounding::kUp: return !negative;
    case Rounding::kZero: return false;
  }
  return false;
}

}  // namespace

std::uint64_t round_to_format(bool negative, std::uint64_t significand, int exponent, bool sticky, FloatLayout format,
                              Rounding rounding) {
  const std::uint64_t sign = negative ? std::uint64_t{1} << (format.exponent_bits + format.fraction_bits) : 0;
  if (significand == 0 && !sticky) return sign;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int smallest = 1 - bias - format.fraction_bits;  // exponent of the subnormals' last place
  const int leading = significand == 0 ? -1 : 63 - __builtin_clzll(significand);
  // Exponent of the result's last place, and the bits below it.
  int last = leading + exponent - format.fraction_bits;
  if (last < smallest) last = smallest;
  const int drop = last - exponent;
  std::uint64_t kept = 0;
  bool half = false, below = sticky;
  if (drop <= 0) {
    kept = significand << -drop;
  } else if (drop <= 64) {
    kept = drop == 64 ? 0 : significand >> drop;
    half = ((significand >> (drop - 1)) & 1u) != 0;
    below = below || (drop > 1 && (significand & ((std::uint64_t{1} << (drop - 1)) - 1)) != 0);
  } else {
    below = true;
  }
  if (away_from_zero(rounding, negative, (kept & 1) != 0, half, below)) ++kept;
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits;
  if (kept >= hidden << 1) kept >>= 1, ++last;
  if (kept < hidden) return sign | kept;  // zero or subnormal
  const int biased = last + format.fraction_bits + bias;
  const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent_bits) - 1) << format.fraction_bits;
  if (biased >= (1 << format.exponent_bits) - 1) {
    const bool to_infinity = away_from_zero(rounding, negative, true, true, true);
    return sign | (to_infinity ? infinity : infinity - 1);
  }
  return sign | (static_cast<std::uint64_t>(biased) << format.fraction_bits) | (kept & (hidden - 1));
}

std::uint64_t round_double(double value, FloatLayout format, Rounding rounding) {
  const std::uint64_t bits = as_bits64(value);
  const bool negative = (bits >> 63) != 0;
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int width = format.exponent_bits + format.fraction_bits;
  if (biased == 0x7ff) {
    if (fraction != 0) return (std::uint64_t{1} << width) - 1;
    const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent_bits) - 1) << format.fraction_bits;
    return infinity | (negative ? std::uint64_t{1} << width : 0);
  }
  const std::uint64_t significand = biased == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
  return round_to_format(negative, significand, (biased == 0 ? 1 : biased) - 1075, false, format, rounding);
}

double add_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double from_b = sum - a;
  const double error = (a - (sum - from_b)) + (b - from_b);
  const std::uint64_t bits = as_bits64(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  return as_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

namespace {

/// A sum of exactly zero is +0 except when rounding down, where it is -0; signed zeros of both operands agree first.
std::uint32_t round_sum(double a, double b, Rounding rounding) {
  const double sum = add_to_odd(a, b);
  if (sum == 0 && !(a == 0 && b == 0 && std::signbit(a) == std::signbit(b))) {
    return rounding == Rounding::kDown ? 0x80000000u : 0u;
  }
  return static_cast<std::uint32_t>(round_double(sum, kF32, rounding));
}

}  // namespace

std::uint32_t add_rounded(float a, float b, Rounding rounding) { return round_sum(a, b, rounding); }

std::uint32_t multiply_rounded(float a, float b, Rounding rounding) {
  return static_cast<std::uint32_t>(round_double(static_cast<double>(a) * static_cast<double>(b), kF32, rounding));
}

std::uint32_t fma_rounded(float a, float b, float c, Rounding rounding) {
  return round_sum(static_cast<double>(a) * static_cast<double>(b), c, rounding);
}

double round_to_integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven: return std::nearbyint(value);
    case Rounding::kDown: return std::floor(value);
    case Rounding::kUp: return std::ceil(value);
    case Rounding::kZero: return std::trunc(value);
  }
  return value;
}

}  // namespace stc::isa
