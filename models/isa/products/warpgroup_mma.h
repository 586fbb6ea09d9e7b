// SPDX-License-Identifier: Apache-2.0
// The values of a warpgroup matrix instruction, as far as one warp has them: 16 rows of the 64.
//
// The fragments of a warp are those of the warp-wide instruction of the same K, eight columns after another; metadata
// and selector too. What differs is the arithmetic of 8-bit floats, which the unit has itself (Numerics::native_fp8).
// Evidence: all bits of 44 instructions and selectors on an H200, 50 million outputs (wgmma_hashes.csv).
#pragma once

#include <cstdint>

#include "models/arith/numerics.h"
#include "models/isa/mma/mma_op.h"

namespace stc::isa {

/// The instruction of 16 rows and 8 columns of which `op` is made, m64nNkK.
MmaOp part_of_warpgroup(const MmaOp& op);

/// Images [registers][32] of a warp: `a` of 4 registers, `b` of each 8 columns after another, `c`, `d` (which may be
/// c) of op.c_registers(); `e` is not looked at by dense operations.
void warpgroup_rows(const MmaOp& op, const arith::Numerics& numerics, const std::uint32_t* a, const std::uint32_t* b,
                    const std::uint32_t* c, const std::uint32_t* e, int selector, std::uint32_t* d);

}  // namespace stc::isa
