// SPDX-License-Identifier: Apache-2.0
// Integer matrix products: the exact dot product plus C, wrapped to 32 bits or clamped once to the range of s32.
#pragma once

#include <cstdint>

#include "models/arith/fused_tile.h"

namespace stc::arith {

/// Layouts as in fused_tile. Elements are sign- or zero-extended 8-bit (or 4-bit, or 1-bit) values; the dot product of
/// one instruction never leaves 32 bits by itself, so saturation concerns only the addition of C.
void integer_tile(const TileShape& shape, bool saturate, const std::int32_t* a, const std::int32_t* b,
                  const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d);

}  // namespace stc::arith
