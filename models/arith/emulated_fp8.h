// SPDX-License-Identifier: Apache-2.0
// fp8 mma.sync on GPUs without a unit for it: what the compiler emits instead (sm_90, CUDA 13).
//
// Both operands are converted to f16 (exact); two f16 products follow, the first over stored elements p with p mod 4 in
// {0, 1}, the second over the others, starting from the first one's result; C is added last by an ordinary
// addition (round to nearest even). Reproduces published H100 and H200 outputs for f16 results bit for bit.
#pragma once

#include <cstdint>

#include "models/arith/fused_tile.h"

namespace stc::arith {

/// Layouts as in fused_tile; `rules` are those of f16 inputs. shape.depth is a multiple of 4.
void emulated_fp8_tile(const FusedDotRules& rules, const FloatFormat& a_format, const FloatFormat& b_format,
                       Accumulator accumulator, const TileShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                       const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d);

}  // namespace stc::arith
