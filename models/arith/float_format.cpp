// SPDX-License-Identifier: Apache-2.0
#include "models/arith/float_format.h"

#include <algorithm>

namespace stc::arith {

Decoded decode(const FloatFormat& format, std::uint32_t bits) {
  bits >>= format.ignored_bits;
  const std::uint32_t fraction = bits & format.fraction_mask();
  const std::uint32_t exponent = (bits >> format.fraction_bits) & format.exponent_mask();
  Decoded x;
  x.negative = (bits & format.sign_bit()) != 0;
  x.significand = fraction | (exponent != 0 ? 1u << format.fraction_bits : 0u);
  x.exponent = std::max(static_cast<int>(exponent), 1) - format.bias();
  x.kind = x.significand == 0 ? FloatClass::kZero : FloatClass::kFinite;
  if (exponent == format.exponent_mask()) {
    if (!format.has_infinity) {
      if (fraction == format.fraction_mask()) x.kind = FloatClass::kNan;
    } else {
      x.kind = fraction == 0 ? FloatClass::kInfinite : FloatClass::kNan;
    }
  }
  return x;
}

std::uint32_t round_to_format(const FloatFormat& format, RoundTo mode, bool negative, std::uint64_t magnitude,
                              int exponent) {
  if (magnitude == 0) return 0;
  const int top = 63 - __builtin_clzll(magnitude);  // the value lies in [2^(top+exponent), 2^(top+exponent+1))
  const int result_exponent = std::max(top + exponent, format.least_exponent());
  const int shift = result_exponent - format.fraction_bits - exponent;  // result lsb over input lsb
  std::uint64_t significand = 0;
  if (shift <= 0) {
    significand = magnitude << -shift;
  } else if (shift < 64) {
    significand = magnitude >> shift;
    if (mode == RoundTo::kNearestEven) {
      const std::uint64_t half = std::uint64_t{1} << (shift - 1);
      const std::uint64_t rest = magnitude & (2 * half - 1);
      if (rest > half || (rest == half && (significand & 1) != 0)) ++significand;
    }
  } else if (shift == 64 && mode == RoundTo::kNearestEven && magnitude > (std::uint64_t{1} << 63)) {
    significand = 1;
  }
  if (significand == 0) return 0;
  // A subnormal has a biased exponent of zero; adding the significand carries into the exponent where it must.
  std::uint64_t code =
      (static_cast<std::uint64_t>(result_exponent - format.least_exponent()) << format.fraction_bits) + significand;
  const std::uint64_t infinity = static_cast<std::uint64_t>(format.exponent_mask()) << format.fraction_bits;
  code = std::min(code, infinity);
  return static_cast<std::uint32_t>(code) | (negative ? format.sign_bit() : 0u);
}

}  // namespace stc::arith
