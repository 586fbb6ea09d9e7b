// SPDX-License-Identifier: Apache-2.0
// Which blocks are timed, and how: basic blocks of the programs in a folder, and random ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/dependence/kernel_uses.h"
#include "models/isa/state/kernel.h"
#include "traces/blocks/block.h"

namespace stc::blocks {

struct SetOptions {
  std::string corpus;  ///< folder of FAMILY/*.cubin
  std::uint64_t seed = 1;
  int found = 500;   ///< blocks of programs
  int random = 130;  ///< blocks of each random group
};

struct TimedBlock {
  Block block;
  isa::Kernel kernel;
  bool test = false;  ///< of the third that nobody calibrates on
  int times = 0;      ///< that the body runs in a pass
};

/// A launch: warps of the CTA, and the mask of those that leave at once.
struct Launch {
  int warps = 0;
  int mask = 0;
};
std::vector<Launch> launches_of(const TimedBlock& block, std::uint64_t seed);

std::vector<TimedBlock> block_set(const SetOptions& options, const dependence::MatrixLatency& matrix_latency);

}  // namespace stc::blocks
