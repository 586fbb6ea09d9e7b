// SPDX-License-Identifier: Apache-2.0
// The element formats that matrix instructions read and write.
#pragma once

#include <cstdint>

namespace stc::isa {

enum class NumberFormat : std::uint8_t { f16, bf16, tf32, e4m3, e5m2, f32, s8, u8, s4, u4, b1, s32 };

/// Bits that one element occupies in a register (tf32 and f32: 32).
constexpr int bits_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::f16:
    case NumberFormat::bf16: return 16;
    case NumberFormat::e4m3:
    case NumberFormat::e5m2:
    case NumberFormat::s8:
    case NumberFormat::u8: return 8;
    case NumberFormat::s4:
    case NumberFormat::u4: return 4;
    case NumberFormat::b1: return 1;
    case NumberFormat::tf32:
    case NumberFormat::f32:
    case NumberFormat::s32: return 32;
  }
  return 0;
}

constexpr bool is_integer(NumberFormat format) {
  return format == NumberFormat::s8 || format == NumberFormat::u8 || format == NumberFormat::s4 ||
         format == NumberFormat::u4 || format == NumberFormat::b1 || format == NumberFormat::s32;
}

/// PTX spelling: "f16", "bf16", "tf32", "e4m3", "e5m2", "f32", "s8", "u8", "s4", "u4", "b1", "s32".
const char* name_of(NumberFormat format);

}  // namespace stc::isa
