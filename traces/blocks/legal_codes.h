// SPDX-License-Identifier: Apache-2.0
// Control codes with which instructions are never ahead of what they depend on: stall counts and wait masks grow where
// they are too small and are left as they are elsewhere, so that code of a compiler keeps its own.
// Evidence: models/dependence, whose tables compiled code keeps to.
#pragma once

#include <vector>

#include "models/dependence/kernel_uses.h"
#include "models/isa/instruction.h"

namespace stc::blocks {

/// Scoreboards for those who need one and have none. A load of compiled code that leaves its scoreboard to a later one
/// of the same unit gets that one's.
void name_scoreboards(std::vector<isa::Instruction>& body);

/// `sections` hold the code; `path` names them in an order in which a warp passes through them, twice where it matters.
/// A stall that is too long for a control code is spent on NOPs behind the instruction.
void make_legal(std::vector<std::vector<isa::Instruction>>& sections, const std::vector<int>& path,
                const dependence::MatrixLatency& matrix_latency);

}  // namespace stc::blocks
