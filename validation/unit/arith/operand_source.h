// SPDX-License-Identifier: Apache-2.0
// Operands of matrix instructions of every kind, for tests that compare ways to compute the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "models/arith/float_format.h"

namespace stc::arith {

enum class OperandKind { kNormal, kWide, kRawBits, kTiny, kPowersOfTwo, kCancelling, kMixedZeros, kSpread, kCount };

class OperandSource {
 public:
  explicit OperandSource(unsigned seed) : random_(seed) {}

  std::uint32_t element(const FloatFormat& format, OperandKind kind) {
    const int width = 1 + format.exponent_bits + format.fraction_bits;
    const auto raw = static_cast<std::uint32_t>(random_());
    const std::uint32_t code = raw & (0xffffffffu >> (32 - width));
    const std::uint32_t sign = code & format.sign_bit();
    const std::uint32_t fraction = code & format.fraction_mask();
    const std::uint32_t middle = static_cast<std::uint32_t>(format.bias());
    std::uint32_t exponent = 0;
    switch (kind) {
      case OperandKind::kNormal: exponent = middle - 2 + raw % 4; break;
      case OperandKind::kWide: exponent = raw / 64 % (format.exponent_mask() - (format.has_infinity ? 0u : 1u)); break;
      case OperandKind::kRawBits: return code << format.ignored_bits;
      case OperandKind::kTiny: exponent = raw / 64 % (middle / 2 + 2); break;
      case OperandKind::kPowersOfTwo:
        return (sign | (raw / 64 % format.exponent_mask()) << format.fraction_bits) << format.ignored_bits;
      case OperandKind::kCancelling:
        return (sign | middle << format.fraction_bits | fraction % 2) << format.ignored_bits;
      case OperandKind::kMixedZeros:
        if (raw % 3 != 0) return sign << format.ignored_bits;
        exponent = raw / 64 % format.exponent_mask();
        break;
      case OperandKind::kSpread: {
        const std::uint32_t span = std::min(format.exponent_mask() - 1, 24u);
        exponent = middle - span / 2 + raw / 64 % span;
        break;
      }
      case OperandKind::kCount: break;
    }
    return (sign | exponent << format.fraction_bits | fraction) << format.ignored_bits;
  }
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }

 private:
  std::mt19937 random_;
};

/// A name that a test may have.
inline std::string test_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

struct NamedFormat {
  const char* name;
  FloatFormat format;
};
inline constexpr NamedFormat kFormats[] = {
    {"f16", kF16}, {"bf16", kBf16}, {"tf32", kTf32}, {"e4m3", kE4m3}, {"e5m2", kE5m2}};

}  // namespace stc::arith
