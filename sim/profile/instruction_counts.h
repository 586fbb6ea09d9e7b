// SPDX-License-Identifier: Apache-2.0
// What a launch counts of each of its instructions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/statistics.h"

namespace stc::sim {

struct InstructionCounts {
  std::uint64_t warp_executions = 0, thread_executions = 0;
  std::uint64_t shared_wavefronts = 0, copy_wavefronts = 0, conflict_wavefronts = 0;
  std::uint64_t l1_hit_sectors = 0, l2_requests = 0, l2_read_sectors = 0, l2_write_sectors = 0;
  std::uint64_t tensor_cycles = 0;
  std::array<std::uint64_t, kStalls> stalls{};  ///< warp-cycles that warps spent at it, those of its issues included

  void add(const InstructionCounts& other);
  /// Sum of the stalls: the time that warps spent at it.
  std::uint64_t warp_cycles() const;
};

/// A column of profiles but the stalls: its key with unit and meaning, and what the whole launch counts of it.
struct CountColumn {
  std::uint64_t InstructionCounts::*value;
  const char* key;
  const char* unit;
  const char* meaning;
  std::uint64_t (*of_launch)(const SmStatistics&);  ///< to which those of all instructions add up
};
const std::vector<CountColumn>& count_columns();

}  // namespace stc::sim
