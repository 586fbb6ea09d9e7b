// SPDX-License-Identifier: Apache-2.0
// Register images in bulk, for comparison with hardware.
//
// Input: consecutive cases of A[32][NA] B[32][NB] C[32][NC] and, for sparse operations, E[32]; 32-bit little-endian
// words, all registers of lane 0 first. Output: D[32][NC] per case.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/arith/numerics.h"
#include "models/isa/mma/mma_op.h"

namespace stc::sim {

/// 32-bit words of one case.
int words_per_case(const isa::MmaOp& op);

/// D of all cases in `input`. UserError, naming `file`, when `input` is not a whole number of cases.
std::vector<std::uint8_t> run_batch(const isa::MmaOp& op, const arith::Numerics& numerics, int selector,
                                    const std::vector<std::uint8_t>& input, const std::string& file);

}  // namespace stc::sim
