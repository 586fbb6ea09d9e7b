// SPDX-License-Identifier: Apache-2.0
// Blocks of instructions that programs use, drawn at random: which, how they depend on one another, from which banks
// they read, what is kept for reuse, how long they are stalled.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "traces/blocks/instruction_pool.h"

namespace stc::blocks {

/// What a block is drawn from: kinds and how often each comes.
struct Mix {
  std::string group;
  std::vector<std::pair<Kind, int>> kinds;
};
/// The kinds of one random block of a group: "single", "pair", "math", "memory", "matrix", "matrix_memory".
Mix draw_mix(const std::string& group, std::uint64_t seed);
std::vector<std::string> random_groups();

/// The same block for the same seed and pool.
Block random_block(const InstructionPool& pool, const Mix& mix, std::uint64_t seed);

}  // namespace stc::blocks
