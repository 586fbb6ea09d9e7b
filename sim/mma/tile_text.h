// SPDX-License-Identifier: Apache-2.0
// A matrix instruction's tile as a person wants to see it: the stored weights and the activation row that each selects,
// the activations, the result.
#pragma once

#include <string>

#include "sim/mma/mma_case.h"

namespace stc::sim {

/// `colour`: each place inside a group has its colour, the same for an index and for the rows of B that it selects.
std::string tile_text(const MmaCase& mma, bool colour);

}  // namespace stc::sim
