// SPDX-License-Identifier: Apache-2.0
// A kernel that times a block: each warp that takes part passes twice through a loop of the block, the second time with
// everything in the caches, and reports the clock before and after it.
//
// Parameters: address of the reports (32 bytes a warp: start and stop clock of the second pass, times that the body
// ran, zero), address of global memory, times, and a mask: warps whose index has a bit of it leave at the start, so
// that 3 leaves one sub-core with work and 0 all four.
#pragma once

#include "models/dependence/kernel_uses.h"
#include "models/isa/state/kernel.h"
#include "traces/blocks/block.h"

namespace stc::blocks {

isa::Kernel kernel_of(const Block& block, const dependence::MatrixLatency& matrix_latency);

/// Most warps of such a kernel that the registers of an SM hold, a multiple of 4.
int most_warps(const isa::Kernel& kernel);

}  // namespace stc::blocks
