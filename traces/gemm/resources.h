// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes, for whoever orders instructions or counts their waits.
#pragma once

#include <vector>

#include "models/isa/resource_use.h"

namespace stc::gemm {

using isa::is_general;
using isa::is_predicate;
using isa::is_uniform_register;
using isa::kResources;

/// Resources by their number in isa::resource_use().
struct Uses {
  std::vector<int> reads, writes;
};
Uses uses_of(const isa::Instruction& instruction);

bool is_matrix(const isa::Instruction& instruction);
bool is_uniform(const isa::Instruction& instruction);
/// Result arrives, or sources are free, when a scoreboard says so.
bool is_variable(const isa::Instruction& instruction);
/// LDSM and LDGSTS.
bool moves_data(const isa::Instruction& instruction);

}  // namespace stc::gemm
