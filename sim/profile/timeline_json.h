// SPDX-License-Identifier: Apache-2.0
// Timelines as a file for ui.perfetto.dev (sim/profile/trace_text.h); docs/profile.md says what its tracks are.
#pragma once

#include <string>
#include <vector>

#include "sim/profile/timeline.h"

namespace stc::sim {

/// Launches of a run, one behind the other.
std::string timeline_json(const std::vector<LaunchTimeline>& launches, const std::string& gpu);

/// What the file lacks for want of room, a line each; empty: nothing.
std::string left_out(const std::vector<LaunchTimeline>& launches);

}  // namespace stc::sim
