// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/immediate_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace stc::isa {
namespace {

std::string number_text(double value, bool quiet) {
  const char* sign = std::signbit(value) ? "-" : "+";
  if (std::isinf(value)) return fmt::format("{}INF ", sign);
  if (std::isnan(value)) return fmt::format("{}{} ", sign, quiet ? "QNAN" : "SNAN");
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";
  char text[64];
  std::snprintf(text, sizeof text, std::fabs(value) < 1e9 ? "%.20g" : "%.20e", value);
  return text;
}

}  // namespace

std::string signed_hex_text(std::int32_t value) {
  const auto magnitude = static_cast<std::uint32_t>(value < 0 ? -static_cast<std::int64_t>(value) : value);
  return fmt::format("{}{:#x}", value < 0 ? "-" : "", magnitude);
}

std::string float_text(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return number_text(static_cast<double>(value), (bits & 0x400000) != 0);
}

std::string double_text(std::uint32_t high_bits) {
  const std::uint64_t bits = std::uint64_t{high_bits} << 32;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return number_text(value, (high_bits & 0x80000) != 0);
}

std::string half_text(std::uint32_t bits) {
  if (bits == 0x8000) return "-0.0 ";
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const int fraction = static_cast<int>(bits & 1023);
  if (exponent == 31)
    return fraction == 0 ? number_text(sign * INFINITY, false)
                         : number_text(std::copysign(NAN, sign), (fraction & 512) != 0);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return number_text(sign * magnitude, false);
}

std::string brain_text(std::uint32_t bits) {
  if (bits == 0x8000) return "-0.0 ";
  const std::uint32_t wide = bits << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return number_text(static_cast<double>(value), (bits & 0x40) != 0);
}

}  // namespace stc::isa
