// SPDX-License-Identifier: Apache-2.0
// How much of a weight matrix survives pruning: a proxy for accuracy that needs no training run.
//
// Share of magnitude: sum |w| of the kept weights over that of all; share of energy: the same with w^2. Unstructured
// pruning keeps the largest weights wherever they are, which no pattern of the same density can exceed.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sparsity/pattern.h"
#include "sim/formats/weight_matrix.h"

namespace stc::sim {

struct KeptShare {
  double magnitude = 1.0;
  double energy = 1.0;
};

/// Elements that a mask keeps: one flag each, in the order of the weights.
using Mask = std::vector<std::uint8_t>;

/// A matrix of zeros keeps everything.
KeptShare kept_share(const WeightMatrix& weights, const Mask& mask);

/// The largest weights of every group. Throws std::invalid_argument unless whole groups fill the columns.
Mask pattern_mask(const sparsity::Pattern& pattern, const WeightMatrix& weights);

/// The `kept` largest weights of the matrix; of equal ones the earlier.
Mask unstructured_mask(const WeightMatrix& weights, std::size_t kept);

/// The mask of greatest magnitude that is 2:4 along the rows and along the columns, so that W and its transpose both
/// run sparse (forward and backward pass). Exact: 4 x 4 blocks are independent, and the best of each block's 90 legal
/// masks is taken. Throws std::invalid_argument unless both sizes are multiples of 4.
Mask transposable_mask(const WeightMatrix& weights);
/// Legal masks of a block: 4 x 4 of zeros and ones with two ones in each row and column.
int transposable_masks();

}  // namespace stc::sim
