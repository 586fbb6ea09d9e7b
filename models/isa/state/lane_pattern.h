// SPDX-License-Identifier: Apache-2.0
// How the 32 lanes of a register differ from its first lane. Most registers that addresses are made of hold a number
// that is the same in all lanes, or the same few differences from it again and again: rows of a tile, with or without a
// swizzle. Such a register is a number and a pattern, and what an access does to banks, lines and sectors is known of
// the pattern.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/warp_size.h"

namespace stc::isa {

struct LanePattern {
  std::array<std::uint32_t, kWarpSize> by{};  ///< what each lane adds to the first one's number
  std::int64_t least = 0, most = 0;           ///< the smallest and the largest of them, with their signs
  std::uint32_t bits = 0;                     ///< all of them together
  // Of 16 bytes a lane, where the first lane's begin at a multiple of 16.
  bool rows_apart = false;  ///< each eight lie in different banks
  // The same by the 16 bytes of its line of 128 bytes in which the first lane's lie: a bit each.
  std::uint8_t fills_lines = 0;  ///< each eight lanes make up a line, in any order
  std::uint8_t keeps_lines = 0;  ///< each eight lie in a line, two and two in a sector
  std::uint8_t whole_lines = 0;  ///< each eight make up a line, in order

  /// Whether no lane's number wraps where the first one's is `first`.
  bool within_word(std::uint32_t first) const {
    return std::int64_t{first} + least >= 0 && std::int64_t{first} + most <= 0xffffffff;
  }
};

/// The pattern of a number that is the same in all lanes.
extern const LanePattern kUniformPattern;

/// The pattern of 32 numbers, or null where too many others were met before. Of every pattern there is one in the whole
/// process, which stays; threads may ask at once.
const LanePattern* pattern_of(const std::array<std::uint32_t, kWarpSize>& lanes);

}  // namespace stc::isa
