// SPDX-License-Identifier: Apache-2.0
// Stall counts and wait masks, as the compiler would set them: an instruction issues when its sources are ready, no
// earlier reader still needs what it overwrites, and the tensor core takes the next matrix instruction.
//
// Scoreboards are chosen by whoever writes the code; only waits are found here. The code is followed along every path
// that matters for its steady state (entry, loop twice, each way out), and the strictest result of all paths is kept.
#pragma once

#include <vector>

#include "models/isa/instruction.h"
#include "traces/gemm/gemm_builder.h"
#include "traces/gemm/gemm_design.h"
#include "traces/gemm/pace.h"

namespace stc::gemm {

using Block = std::vector<isa::Instruction>;

/// `paths` name blocks in the order in which they can follow each other. Waits that a stall count cannot express are
/// filled with NOPs.
void assign_control(std::vector<Block>& blocks, const std::vector<std::vector<int>>& paths, const ScheduleTimes& times,
                    const Pace& pace);

/// One after the other, addresses and branch targets resolved; `target` of a branch names a block.
std::vector<isa::Instruction> assemble(const std::vector<Block>& blocks, int sm_version);

}  // namespace stc::gemm
