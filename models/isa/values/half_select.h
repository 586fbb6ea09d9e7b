// SPDX-License-Identifier: Apache-2.0
// How the operand selector treats weights of 32 bits (tf32, 1:2): metadata has two 2-bit indices per weight, and each
// steers a multiplexer of 16 bits. The low index picks the low half of the activation, the high one its high half, out
// of the four halves of the group. The two legal nibbles, 0x4 and 0xE, pick both halves of one activation; any other
// nibble makes an activation from halves of two, or one half twice.
// Evidence: an H200, every nibble and selector (validation/measured/h200: mma_selection.csv, mma_hashes.csv).
#pragma once

#include <cstdint>

#include "models/isa/mma/mma_op.h"

namespace stc::isa {

/// True when some nibble of the metadata registers [32] is not legal for such weights; false for all other operations.
bool splits_activations(const MmaOp& op, const std::uint32_t* e);

constexpr int kHalfCombinations = 16;  ///< activations that four halves can make

/// Rows of B for split activations: `b_out` [k / 2 * kHalfCombinations][8], and which of them each stored element
/// meets, `select` [16][stored k].
void split_activations(const MmaOp& op, const std::uint32_t* b, const std::uint32_t* e, int selector,
                       std::uint32_t* b_out, std::uint16_t* select);

}  // namespace stc::isa
