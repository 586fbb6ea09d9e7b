// SPDX-License-Identifier: Apache-2.0
// 2:4 masks of 4x4 blocks as the training kernels choose them, on the host: masks and how much magnitude they keep.
#pragma once

#include <string>

#include "sim/formats/weight_quality.h"

namespace stc::sim {

/// Choices of masks by name: "exact", "greedy" (both transposable), "row". Sizes must be multiples of 4.
///   exact   the greatest magnitude of the 90 transposable masks of a block
///   greedy  by falling magnitude, of equal ones the earlier, while row and column have room for two; a block may end
///           with seven of eight
///   row     the two largest of each four of a row
Mask block_mask(const std::string& choice, const WeightMatrix& weights);

}  // namespace stc::sim
