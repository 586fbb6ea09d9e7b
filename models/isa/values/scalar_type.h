// SPDX-License-Identifier: Apache-2.0
// Widths of the integer formats and saturation to them, as conversions and packs need them.
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace stc::isa {

inline bool signed_integer(ScalarType type) {
  switch (type) {
    case ScalarType::kS2:
    case ScalarType::kS4:
    case ScalarType::kS8:
    case ScalarType::kS16:
    case ScalarType::kS32:
    case ScalarType::kS64: return true;
    default: return false;
  }
}

inline int integer_bits(ScalarType type) {
  switch (type) {
    case ScalarType::kU2:
    case ScalarType::kS2: return 2;
    case ScalarType::kU4:
    case ScalarType::kS4: return 4;
    case ScalarType::kU8:
    case ScalarType::kS8: return 8;
    case ScalarType::kU16:
    case ScalarType::kS16: return 16;
    case ScalarType::kU64:
    case ScalarType::kS64: return 64;
    default: return 32;
  }
}

/// A 32-bit signed value clamped to a narrower format, sign-extended.
inline std::uint32_t clamp_integer(std::int32_t value, ScalarType type) {
  const int bits = integer_bits(type);
  if (bits >= 32) return static_cast<std::uint32_t>(value);
  const std::int32_t high = signed_integer(type) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  const std::int32_t low = signed_integer(type) ? -high - 1 : 0;
  return static_cast<std::uint32_t>(value < low ? low : value > high ? high : value);
}

}  // namespace stc::isa
