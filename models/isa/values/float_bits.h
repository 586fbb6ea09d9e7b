// SPDX-License-Identifier: Apache-2.0
// Scalar floating point on bit patterns: formats, exact rounding in every mode, and branch-free 16-bit conversions.
// Results follow IEEE 754 except for NaN payloads: f32, f16 and bf16 results are the one NaN that NVIDIA GPUs give
// (all ones but the sign), as the PTX ISA states; f64 results take the NaN of an operand and make it quiet.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "models/isa/instruction.h"

namespace stc::isa {

template <class To, class From>
[[gnu::always_inline]] inline To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
[[gnu::always_inline]] inline float as_float(std::uint32_t bits) { return bit_cast<float>(bits); }
[[gnu::always_inline]] inline std::uint32_t as_bits(float value) { return bit_cast<std::uint32_t>(value); }
[[gnu::always_inline]] inline double as_double(std::uint64_t bits) { return bit_cast<double>(bits); }
[[gnu::always_inline]] inline std::uint64_t as_bits64(double value) { return bit_cast<std::uint64_t>(value); }

constexpr std::uint32_t kNan32 = 0x7fffffffu;
constexpr std::uint32_t kNan16 = 0x7fffu;  ///< f16 and bf16
constexpr std::uint64_t kQuiet64 = std::uint64_t{1} << 51;

[[gnu::always_inline]] inline bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
/// A subnormal becomes a zero of its sign.
[[gnu::always_inline]] inline std::uint32_t flush(std::uint32_t bits) {
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}
[[gnu::always_inline]] inline std::uint32_t canonical(std::uint32_t bits) { return is_nan(bits) ? kNan32 : bits; }
/// .SAT: clamp to [0, 1]; NaN and negative zero become +0.
[[gnu::always_inline]] inline std::uint32_t saturate(std::uint32_t bits) {
  const std::uint32_t low = (bits >> 31) != 0 || bits > 0x7f800000u ? 0u : bits;
  return low > 0x3f800000u ? 0x3f800000u : low;
}

/// An IEEE-like format: exponent and stored significand bits.
struct FloatLayout {
  int exponent_bits;
  int fraction_bits;
};
constexpr FloatLayout kF16{5, 10};
constexpr FloatLayout kBf16{8, 7};
constexpr FloatLayout kF32{8, 23};
constexpr FloatLayout kF64{11, 52};

/// (-1)^negative * significand * 2^exponent, a little more in magnitude when `sticky`, rounded to a format's bits.
std::uint64_t round_to_format(bool negative, std::uint64_t significand, int exponent, bool sticky, FloatLayout format,
                              Rounding rounding);

/// A finite or special double rounded to a format; NaN gives the format's canonical NaN.
std::uint64_t round_double(double value, FloatLayout format, Rounding rounding);

/// Sum (or fused product-sum) whose rounding to double is "to odd": rounding it again to at most 50 bits, in any
/// mode, gives what a single rounding of the exact value would have given.
double add_to_odd(double a, double b);

/// f32 addition, multiplication and fused multiply-add in any rounding mode, from exact or odd-rounded doubles.
std::uint32_t add_rounded(float a, float b, Rounding rounding);
std::uint32_t multiply_rounded(float a, float b, Rounding rounding);
std::uint32_t fma_rounded(float a, float b, float c, Rounding rounding);

/// Nearest integral value in a rounding mode.
double round_to_integral(double value, Rounding rounding);

[[gnu::always_inline]] inline std::uint32_t f16_to_f32(std::uint32_t h) {
  const std::uint32_t sign = (h & 0x8000u) << 16;
  const std::uint32_t magnitude = h & 0x7fffu;
  // Subnormals and zero: an integer multiple of 2^-24.
  const std::uint32_t small = as_bits(static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f);
  const std::uint32_t normal = (magnitude << 13) + (112u << 23);
  const std::uint32_t special = magnitude == 0x7c00u ? 0x7f800000u : kNan32;
  std::uint32_t bits = magnitude < 0x400u ? small : normal;
  bits = magnitude >= 0x7c00u ? special : bits;
  return bits | sign;
}

/// Round to nearest even.
[[gnu::always_inline]] inline std::uint32_t f32_to_f16(std::uint32_t bits) {
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // Below 2^-14 the adder does the rounding: the last place of 0.5 is 2^-24, the smallest subnormal.
  const std::uint32_t small = as_bits(as_float(magnitude) + 0.5f) - 0x3f000000u;
  const std::uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  std::uint32_t h = magnitude < 0x38800000u ? small : normal;
  h = magnitude >= 0x477ff000u ? 0x7c00u : h;
  return magnitude > 0x7f800000u ? kNan16 : h | sign;
}

[[gnu::always_inline]] inline std::uint32_t bf16_to_f32(std::uint32_t b) {
  const std::uint32_t bits = b << 16;
  return canonical(bits);
}

/// Round to nearest even.
[[gnu::always_inline]] inline std::uint32_t f32_to_bf16(std::uint32_t bits) {
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return is_nan(bits) ? kNan16 : rounded;
}

}  // namespace stc::isa
