// SPDX-License-Identifier: Apache-2.0
// Matrix instructions whose operands need not be brought into matrices (models/arith/fragment_dot.h,
// fragment_integers.h).
#pragma once

#include <cstdint>

#include "models/arith/numerics.h"
#include "models/isa/mma/fragment_layout.h"

namespace stc::isa {

/// Images [registers][32] of the operands; `e` is not looked at by dense operations.
struct MmaImages {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  const std::uint32_t* e;
};

/// Writes the image of D, which may be C's. False, and nothing is written, where matrices are needed.
bool compute_by_fragments(const MmaTables& tables, const arith::Numerics& numerics, const MmaImages& in, int selector,
                          std::uint32_t* d);

}  // namespace stc::isa
