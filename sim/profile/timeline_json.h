// SPDX-License-Identifier: Apache-2.0
// Timelines as a file for ui.perfetto.dev (sim/profile/trace_text.h); docs/profile.md says what its tracks are.
#pragma once

#include <string>
#include <vector>

#include "sim/profile/timeline.h"

namespace stc::sim {

/// Launches of a run, one behind the other.
std::string timeline_json(const std::vector<LaunchTimeline>& launches, const std::string& gpu);

/// UserError when all launches end before the chosen window.
void require_seen(const std::vector<LaunchTimeline>& launches);

/// What the file lacks, since there was no room or it lies outside the window, a line each; empty: nothing.
std::string left_out(const std::vector<LaunchTimeline>& launches);

}  // namespace stc::sim
