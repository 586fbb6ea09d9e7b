// SPDX-License-Identifier: Apache-2.0
// The `launch` of a run file.
#pragma once

#include "sim/config/config_node.h"
#include "sim/launch/run_file.h"

namespace stc::sim {

/// Any kernel of any cubin, or a sequence of them; what it saves and expects goes to `run`.
LaunchPlan read_launch(const ConfigNode& node, RunFile& run);

}  // namespace stc::sim
