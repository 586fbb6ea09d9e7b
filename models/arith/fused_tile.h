// SPDX-License-Identifier: Apache-2.0
// The fused dot product of fused_dot.h for a whole tile at once: D = A x B + C, bit-identical and some hundred times
// faster, because every operand is decoded once and all columns of a row are computed in one vector.
//
// How it is exact: a double holds any product of two operands (at most 22 bits) and any power-of-two multiple of it in
// range, so truncating the double product * 2^(F - E) to an integer *is* the alignment. Tiles with an infinity or NaN,
// and rules too wide for 32-bit sums, take the reference path.
#pragma once

#include <cstdint>

#include "models/arith/fused_dot.h"

namespace stc::arith {

constexpr int kTileColumns = 8;
constexpr int kMaxTileRows = 16;
constexpr int kMaxTileDepth = 256;  ///< stored elements of a row
constexpr int kMaxTileBRows = 512;  ///< logical k

struct TileShape {
  int rows = kMaxTileRows;
  int depth = 16;   ///< stored elements of a row of A
  int b_rows = 16;  ///< rows of B; equals depth when dense
};

/// a: [rows][depth], b: [b_rows][8], c and d: [rows][8], each element's register bits in the low end of a word.
/// `select` is null when dense, else [rows][depth]: the row of B that each stored element of A multiplies.
/// d may be c.
void fused_tile(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                Accumulator accumulator, const TileShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d);

/// The same by fused_dot, one output after the other.
void fused_tile_reference(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                          Accumulator accumulator, const TileShape& shape, const std::uint32_t* a,
                          const std::uint32_t* b, const std::uint16_t* select, const std::uint32_t* c,
                          std::uint32_t* d);

}  // namespace stc::arith
