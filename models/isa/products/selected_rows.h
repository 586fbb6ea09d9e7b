// SPDX-License-Identifier: Apache-2.0
// What metadata of a sparse matrix instruction say: which row of B each stored element multiplies.
#pragma once

#include <cstdint>

#include "models/isa/mma/fragment_layout.h"

namespace stc::isa {

/// [16][stored k]: rows of B, from the image of the metadata registers.
void gather_selects(const MmaTables& tables, const std::uint32_t* e, int selector, std::uint16_t* select);

constexpr int kIndicesInWord = 16;  ///< of 2:4

/// Of 2:4: the indices of sixteen neighbours of a row, or all of a row's, in each word of `rows`, row after row. False
/// where metadata do not have those of eight neighbours in order, or a row is longer than 64.
bool gather_rows_of_index(const MmaTables& tables, const std::uint32_t* e, int selector, std::uint32_t* rows);

}  // namespace stc::isa
