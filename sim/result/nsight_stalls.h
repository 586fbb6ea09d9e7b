// SPDX-License-Identifier: Apache-2.0
// What Nsight Compute calls the reasons for which warps wait. One table for profiles, for reports of the profiler and
// for measured tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/core/statistics.h"

namespace stc::sim {

/// Reasons of both sides that mean the same; each side sums up what the other does not tell apart.
struct StallPair {
  const char* title;
  std::vector<const char*> nsight;  ///< X of smsp__average_warps_issue_stalled_X_per_issue_active.ratio
  std::vector<Stall> ours;
};
/// Every stall of ours is in one of them, but the time before a CTA's first instruction, when its warps are none to the
/// profiler.
const std::vector<StallPair>& stall_pairs();

/// The profiler's names of what `stall` means, or is a part of; empty: it has none.
std::vector<std::string> nsight_names(Stall stall);

}  // namespace stc::sim
