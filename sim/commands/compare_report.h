// SPDX-License-Identifier: Apache-2.0
// `stcsim compare REPORT.ncu-rep`: launches that Nsight Compute profiled, simulated.
#pragma once

#include "sim/commands/compare.h"

namespace stc::sim {

bool is_profiler_report(const std::string& file);

/// Writes run files to fill in, or compares once they are. Returns the exit code.
int compare_report(const CompareCommand& command);

}  // namespace stc::sim
