// SPDX-License-Identifier: Apache-2.0
// f16 matrices as the training kernels store them in device memory, read as numbers.
#pragma once

#include <string>

#include "models/isa/state/global_memory.h"
#include "sim/formats/weight_matrix.h"

namespace stc::sim {

/// A buffer as [rows][columns].
WeightMatrix read_matrix(isa::GlobalMemory& memory, const std::string& buffer, int rows, int columns);
/// Stored values [rows][k / 2] and metadata as the dense matrix [rows][k]; traces/kernels/README.md has the layout.
/// std::invalid_argument when a group of four names an element twice or in falling order.
WeightMatrix read_compressed(isa::GlobalMemory& memory, const std::string& values, const std::string& metadata,
                             int rows, int k);
WeightMatrix transposed(const WeightMatrix& matrix);

}  // namespace stc::sim
