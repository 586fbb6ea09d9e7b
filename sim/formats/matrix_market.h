// SPDX-License-Identifier: Apache-2.0
// Matrix Market files (math.nist.gov/MatrixMarket/formats.html): coordinate matrices, real, integer or pattern,
// general, symmetric or skew-symmetric. Entries may come in any order, as the format has it; an element that is given
// twice is an error. A pattern's values are 1. Zeros that are written down are entries.
#pragma once

#include <string>

#include "sim/formats/sparse_matrix.h"

namespace stc::sim {

/// UserError with file and line for anything else, and for a file that ends early.
SparseMatrix read_matrix_market(const std::string& path);

}  // namespace stc::sim
