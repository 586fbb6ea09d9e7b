// SPDX-License-Identifier: Apache-2.0
// The generator behind every random buffer. Counter-based, integers only, so that simulator and GPU runner fill buffers
// with identical bytes on every machine, in any order:
//
//   mix(x):  x ^= x >> 30; x *= 0xbf58476d1ce4e5b9; x ^= x >> 27; x *= 0x94d049bb133111eb; x ^= x >> 31
//   bits(i) = mix(mix(seed + stream * 0xd1342543de82ef95) + (i + 1) * 0x9e3779b97f4a7c15)
//
// which is SplitMix64 (Steele, Lea, Flood 2014) started at a mixed seed. `i` is the element's index in the buffer.
#pragma once

#include <cstdint>

namespace stc::sim {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : state_(mix(seed + stream * 0xd1342543de82ef95ULL)) {}

  std::uint64_t bits(std::uint64_t index) const { return mix(state_ + (index + 1) * 0x9e3779b97f4a7c15ULL); }

  /// low + (high - low) * u with u = upper 53 bits / 2^53, in double arithmetic.
  double real(std::uint64_t index, double low, double high) const {
    return low + (high - low) * (static_cast<double>(bits(index) >> 11U) * 0x1p-53);
  }

  /// low + floor(upper 32 bits * (high - low + 1) / 2^32); needs high - low < 2^32.
  std::int64_t integer(std::uint64_t index, std::int64_t low, std::int64_t high) const {
    const std::uint64_t span = static_cast<std::uint64_t>(high - low) + 1;
    if (span > 0xffffffffULL) return low + static_cast<std::int64_t>(bits(index) >> 32U);
    return low + static_cast<std::int64_t>(((bits(index) >> 32U) * span) >> 32U);
  }

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  }
  std::uint64_t state_;
};

}  // namespace stc::sim
