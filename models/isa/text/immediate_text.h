// SPDX-License-Identifier: Apache-2.0
// Immediates as NVIDIA's disassembler prints them.
#pragma once

#include <cstdint>
#include <string>

namespace stc::isa {

std::string signed_hex_text(std::int32_t value);  ///< "-0x28"
/// 20 significant digits, trailing zeros dropped (from 1e9 on: 20 digits after the point); "+INF ", "-QNAN " (with the
/// blank) for what is not finite.
std::string float_text(std::uint32_t bits);
std::string double_text(std::uint32_t high_bits);  ///< the immediate is the upper half of the double
std::string half_text(std::uint32_t bits);
std::string brain_text(std::uint32_t bits);

}  // namespace stc::isa
