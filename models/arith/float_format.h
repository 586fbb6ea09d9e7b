// SPDX-License-Identifier: Apache-2.0
// Binary floating-point formats as the matrix unit reads and writes them: decoding into sign, significand and exponent,
// and the one rounding step that turns an exact integer back into a format.
#pragma once

#include <cstdint>

namespace stc::arith {

/// A format of 1 + exponent_bits + fraction_bits bits. Subnormals exist in all of them.
struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity = true;  ///< false: e4m3, whose largest code is the only NaN
  int ignored_bits = 0;      ///< low bits of the register element that are not read (tf32: 13)

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int least_exponent() const { return 1 - bias(); }
  constexpr std::uint32_t sign_bit() const { return 1u << (exponent_bits + fraction_bits); }
  constexpr std::uint32_t exponent_mask() const { return (1u << exponent_bits) - 1; }
  constexpr std::uint32_t fraction_mask() const { return (1u << fraction_bits) - 1; }
};

constexpr FloatFormat kF16{5, 10};
constexpr FloatFormat kBf16{8, 7};
constexpr FloatFormat kTf32{8, 10, true, 13};
constexpr FloatFormat kE4m3{4, 3, false};
constexpr FloatFormat kE5m2{5, 2};
constexpr FloatFormat kF32{8, 23};

enum class FloatClass : std::uint8_t { kZero, kFinite, kInfinite, kNan };

/// x = +-significand * 2^(exponent - fraction_bits); a subnormal has the least exponent and is not normalised.
struct Decoded {
  FloatClass kind = FloatClass::kZero;
  bool negative = false;
  std::uint32_t significand = 0;
  int exponent = 0;
};

/// Reads one element from the bits that it occupies in a register.
Decoded decode(const FloatFormat& format, std::uint32_t bits);

enum class RoundTo : std::uint8_t { kZero, kNearestEven };

/// Rounds +-magnitude * 2^exponent once. Overflow gives infinity in both modes (round-to-zero never rounds *into* it:
/// only magnitudes of 2^(emax+1) and above overflow). A result of zero has sign +, as the matrix units give it.
/// `format` must have infinity.
std::uint32_t round_to_format(const FloatFormat& format, RoundTo mode, bool negative, std::uint64_t magnitude,
                              int exponent);

}  // namespace stc::arith
