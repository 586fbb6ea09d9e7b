// SPDX-License-Identifier: Apache-2.0
// Conversions between f32 and the matrix unit's input formats: round to nearest even, subnormals kept, a NaN stays a
// NaN. Used to make operands and to print them; the matrix unit itself never calls these.
#pragma once

#include <cstdint>

#include "models/arith/float_format.h"

namespace stc::arith {

std::uint32_t bits_of_float(float value);
float float_of_bits(std::uint32_t bits);

/// Exact: every format here is a subset of f32. A NaN gives the quiet NaN 0x7fffffff.
float to_float(const FloatFormat& format, std::uint32_t bits);

/// Nearest value of `format`, ties to even. Overflow gives infinity; for e4m3, which has none, the largest finite
/// value (448), as the hardware's satfinite conversion does.
std::uint32_t from_float(const FloatFormat& format, float value);

}  // namespace stc::arith
