// SPDX-License-Identifier: Apache-2.0
// Elements of a matrix operand out of register images and back, by the layout of fragment_layout.h, for formats whose
// elements fill 8, 16 or 32 bits: four lanes' words of a register hold neighbours of a row (A, 16-bit C) or column (B).
// The tables of fragment_layout.h say the same for every format.
#pragma once

#include <cstdint>

#include "models/isa/mma/mma_op.h"

namespace stc::isa {

/// A [m][stored k], B [k][8], C [m][8] from images [registers][32], as gathering by the tables gives them. False, and
/// nothing is written, where the format or shape is not one of these.
bool unpack_a(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements);
bool unpack_b(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements);
bool unpack_c(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements);
/// The inverse of unpack_c, for elements without bits beyond the format's.
bool pack_c(const MmaOp& op, const std::uint32_t* elements, std::uint32_t* image);

}  // namespace stc::isa
