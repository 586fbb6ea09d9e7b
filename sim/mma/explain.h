// SPDX-License-Identifier: Apache-2.0
// One output of a matrix instruction, explained: every product, the exponent all are aligned to, the bits that are cut
// off, the sum and the rounding.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/isa/products/mma_trace.h"
#include "sim/mma/mma_case.h"

namespace stc::sim {

std::string explain_text(const MmaCase& mma, const arith::Numerics& numerics, int row, int column);
nlohmann::ordered_json explain_json(const MmaCase& mma, const arith::Numerics& numerics, int row, int column);

/// The whole tile: operands and result as register bits in hexadecimal and as numbers.
nlohmann::ordered_json tile_json(const MmaCase& mma);

}  // namespace stc::sim
