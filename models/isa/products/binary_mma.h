// SPDX-License-Identifier: Apache-2.0
// Matrix products of single bits: D = C + number of bits that are set in both, or that differ.
// Source: PTX ISA, mma .b1 with .and.popc and .xor.popc.
#pragma once

#include <cstdint>

#include "models/arith/fused_tile.h"
#include "models/isa/mma/mma_op.h"

namespace stc::isa {

/// From register images as in mma_registers(), 32 bits at once.
void binary_mma_registers(const MmaOp& op, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                          std::uint32_t* d);

/// From elements, 0 or 1, as arith::integer_tile takes them: counts bits that differ.
void exclusive_or_tile(const arith::TileShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                       const std::uint32_t* c, std::uint32_t* d);

}  // namespace stc::isa
