// SPDX-License-Identifier: Apache-2.0
// Matrices of a given density: drawn, or pruned from weights without any pattern.
#pragma once

#include "sim/formats/sparse_matrix.h"
#include "sim/formats/weight_matrix.h"

namespace stc::sim {

/// Every element is an entry with probability `density`, independently; values are whole numbers from -4 to 4 without
/// 0, so that sums of products are exact in f32. A function of seed and index only (sim/launch/random.h).
SparseMatrix random_sparse(int rows, int columns, double density, std::uint64_t seed);

/// Unstructured magnitude pruning: of all elements, the share `density` with the largest magnitudes stays, of equal
/// ones the first. A weight that is zero is never an entry.
SparseMatrix prune_unstructured(const WeightMatrix& weights, double density);

}  // namespace stc::sim
