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

/// Likewise, rounded, of a format with fewer bits of fraction.
class NormalCodes {
 public:
  explicit NormalCodes(const FloatFormat& format)
      : dropped_(kF32.fraction_bits - format.fraction_bits),
        rebias_(rebias(format)),
        exponents_(format.exponent_mask() - 2),
        sign_shift_(kF32.exponent_bits + kF32.fraction_bits - format.exponent_bits - format.fraction_bits),
        sign_(format.sign_bit()) {}

  /// Whether the result is sure to be normal.
  bool applies(std::uint32_t bits) const {
    const std::uint32_t exponent = ((bits & kMagnitude) >> kF32.fraction_bits) - rebias_;
    return dropped_ != 0 && exponent - 1 < exponents_;  // 0 wraps around
  }
  std::uint32_t code(std::uint32_t bits) const {
    const std::uint32_t rebiased = (bits & kMagnitude) - (rebias_ << kF32.fraction_bits);
    return (bits >> sign_shift_ & sign_) | plus_half(rebiased) >> dropped_;
  }
  /// As a float.
  std::uint32_t rounded(std::uint32_t bits) const { return plus_half(bits) >> dropped_ << dropped_; }

 private:
  /// What is cut off below rounds to nearest even.
  std::uint32_t plus_half(std::uint32_t bits) const {
    return bits + (1u << dropped_ >> 1) - 1 + (bits >> dropped_ & 1);
  }

  int dropped_;
  std::uint32_t rebias_, exponents_;
  int sign_shift_;
  std::uint32_t sign_;
};

/// Numbers of which most are normal, a few at a time: `each` of all, from their bits, then `any` of those few among
/// which one is not.
template <class To, class Each, class Any>
void convert(const NormalCodes& normal, const float* values, std::size_t count, To* to, const Each& each,
             const Any& any) {
  constexpr std::size_t kAtATime = 64;
  for (std::size_t first = 0; first < count; first += kAtATime) {
    const std::size_t n = std::min(kAtATime, count - first);
    std::uint32_t from[kAtATime];
    std::memcpy(from, values + first, n * sizeof(float));
    bool all = true;
    for (std::size_t i = 0; i < n; ++i) {
      all &= normal.applies(from[i]);
      to[first + i] = each(from[i]);
    }
    for (std::size_t i = 0; !all && i < n; ++i) to[first + i] = any(float_of_bits(from[i]));
  }
}

}  // namespace

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
  const NormalCodes normal(format);
  if (normal.applies(bits_of_float(value))) return normal.code(bits_of_float(value)) << format.ignored_bits;
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

void from_floats(const FloatFormat& format, const float* values, std::size_t count, std::uint32_t* bits) {
  const NormalCodes normal(format);
  convert(
      normal, values, count, bits, [&](std::uint32_t from) { return normal.code(from) << format.ignored_bits; },
      [&](float value) { return from_float(format, value); });
}

void round_floats(const FloatFormat& format, float* values, std::size_t count) {
  const NormalCodes normal(format);
  convert(
      normal, values, count, values, [&](std::uint32_t from) { return float_of_bits(normal.rounded(from)); },
      [&](float value) { return to_float(format, from_float(format, value)); });
}

}  // namespace stc::arith
