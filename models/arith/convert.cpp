// SPDX-License-Identifier: Apache-2.0
#include "models/arith/convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace stc::arith {
namespace {

constexpr std::uint32_t kMagnitude = 0x7fffffffu;  // of f32: all but the sign

/// How much larger a normal value's exponent field is in f32.
constexpr std::uint32_t rebias(const FloatFormat& format) {
  return static_cast<std::uint32_t>(kF32.bias() - format.bias());
}

/// Normal values, as nearly all are: their fields move. Nothing where the exponent is the least or the greatest.
std::optional<float> normal_to_float(const FloatFormat& format, std::uint32_t bits) {
  const std::uint32_t code = (bits >> format.ignored_bits) & (format.sign_bit() - 1);
  const std::uint32_t exponent = code >> format.fraction_bits;
  if (exponent == 0 || exponent == format.exponent_mask()) return std::nullopt;
  const std::uint32_t sign = (bits >> format.ignored_bits & format.sign_bit()) != 0 ? kF32.sign_bit() : 0u;
  const std::uint32_t widened = code << (kF32.fraction_bits - format.fraction_bits);
  return float_of_bits(sign | (widened + (rebias(format) << kF32.fraction_bits)));
}

/// Likewise, rounded; nothing where the result may not be normal.
std::optional<std::uint32_t> normal_from_float(const FloatFormat& format, std::uint32_t bits) {
  const int dropped = kF32.fraction_bits - format.fraction_bits;
  const std::uint32_t exponent = ((bits & kMagnitude) >> kF32.fraction_bits) - rebias(format);
  if (dropped == 0 || exponent - 1 >= format.exponent_mask() - 2) return std::nullopt;  // 0 wraps around
  const std::uint32_t rebiased = (bits & kMagnitude) - (rebias(format) << kF32.fraction_bits);
  const std::uint32_t below_half = (1u << (dropped - 1)) - 1, odd = rebiased >> dropped & 1;
  const std::uint32_t code = (rebiased + below_half + odd) >> dropped;
  return ((bits & kF32.sign_bit()) != 0 ? format.sign_bit() : 0u) | code;
}

}  // namespace

std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float to_float(const FloatFormat& format, std::uint32_t bits) {
  if (const auto normal = normal_to_float(format, bits)) return *normal;
  const Decoded x = decode(format, bits);
  const std::uint32_t sign = x.negative ? kF32.sign_bit() : 0u;
  switch (x.kind) {
    case FloatClass::kZero: return float_of_bits(sign);
    case FloatClass::kInfinite: return float_of_bits(sign | 0x7f800000u);
    case FloatClass::kNan: return float_of_bits(0x7fffffffu);
    case FloatClass::kFinite: break;
  }
  const float magnitude = std::ldexp(static_cast<float>(x.significand), x.exponent - format.fraction_bits);
  return x.negative ? -magnitude : magnitude;
}

std::uint32_t from_float(const FloatFormat& format, float value) {
  if (const auto normal = normal_from_float(format, bits_of_float(value))) return *normal << format.ignored_bits;
  const Decoded x = decode(kF32, bits_of_float(value));
  const std::uint32_t sign = x.negative ? format.sign_bit() : 0u;
  const std::uint32_t infinity = format.exponent_mask() << format.fraction_bits;
  std::uint32_t code = 0;
  if (x.kind == FloatClass::kNan) {
    code = infinity | format.fraction_mask();
  } else if (!format.has_infinity) {
    // The largest exponent holds finite values: round as if there were one more exponent bit, then clamp below NaN.
    const std::uint32_t largest = (infinity | format.fraction_mask()) - 1;
    code = largest;
    if (x.kind != FloatClass::kInfinite && std::fabs(value) < 2048.0f) {
      // Scaling moves values to the bias of the wider format without changing their fraction bits.
      const FloatFormat wider{format.exponent_bits + 1, format.fraction_bits};
      const int rebias = wider.least_exponent() - format.least_exponent();
      code = std::min(largest, round_to_format(wider, RoundTo::kNearestEven, false, x.significand,
                                               x.exponent - kF32.fraction_bits + rebias));
    }
  } else if (x.kind == FloatClass::kInfinite) {
    code = infinity;
  } else if (x.kind == FloatClass::kFinite) {
    code = round_to_format(format, RoundTo::kNearestEven, false, x.significand, x.exponent - kF32.fraction_bits);
  }
  return (sign | code) << format.ignored_bits;
}

}  // namespace stc::arith
