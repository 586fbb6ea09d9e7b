// SPDX-License-Identifier: Apache-2.0
// Conversions between f32 and the matrix unit's input formats: round to nearest even, subnormals kept, a NaN stays a
// NaN. Used to make operands and to print them; the matrix unit itself never calls these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "models/arith/float_format.h"

namespace stc::arith {

inline std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Exact: every format here is a subset of f32. A NaN gives the quiet NaN 0x7fffffff.
float to_float(const FloatFormat& format, std::uint32_t bits);

/// Nearest value of `format`, ties to even. Overflow gives infinity; for e4m3, which has none, the largest finite
/// value (448), as the hardware's satfinite conversion does.
std::uint32_t from_float(const FloatFormat& format, float value);

/// from_float() of `count` numbers, sooner than one by one.
void from_floats(const FloatFormat& format, const float* values, std::size_t count, std::uint32_t* bits);
/// Numbers become the nearest ones of `format`: from_float() and to_float() of each.
void round_floats(const FloatFormat& format, float* values, std::size_t count);

}  // namespace stc::arith
