// SPDX-License-Identifier: Apache-2.0
// Is D right? A float64 product of the operands against what the kernel left in D.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/state/buffer_bytes.h"
#include "sim/crossover/spmm_operands.h"

namespace stc::sim {

/// Empty when D is right, else the first difference. Whole numbers must be equal; otherwise |D - R| / |R| (Frobenius
/// norms) must not exceed 2^-22 sqrt(k), what sums in f32 and a tensor core's truncation may cost. At most
/// `most_products` multiplications: beyond that, evenly spread rows.
std::string spmm_difference(const SpmmOperands& operands, const isa::BufferBytes& d, double most_products = 2e8);

}  // namespace stc::sim
