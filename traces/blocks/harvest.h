// SPDX-License-Identifier: Apache-2.0
// Basic blocks of compiled kernels: code between two branches or branch targets.
#pragma once

#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/blocks/block.h"

namespace stc::blocks {

struct Found {
  std::vector<Instruction> code;
  std::uint32_t address = 0;  ///< in the kernel
  bool in_loop = false;       ///< a branch behind it leads to or ahead of it
};

/// Those of at least `least` instructions that can run alone; of longer ones than `most`, the first.
std::vector<Found> basic_blocks(const isa::Kernel& kernel, std::size_t least, std::size_t most);

}  // namespace stc::blocks
