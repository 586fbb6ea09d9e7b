// SPDX-License-Identifier: Apache-2.0
// What holds a kernel back on a GPU, and the keys of the GPU with which it no longer does. A launch on a GPU with
// lifted limits executes the same instructions and computes the same bits; only time changes.
#pragma once

#include <string>
#include <vector>

#include "sim/config/config_node.h"

namespace stc::sim {

struct IdealLimit {
  const char* key;             ///< in `options.ideal`
  const char* title;           ///< for people
  const char* meaning;         ///< what it takes away, a sentence without a full stop
  std::vector<Override> keys;  ///< of the GPU file, each at its best value
};

/// From the outside in: the launch first, operands at the tensor cores last. `tail` has no keys: it is taken out of
/// a launch's cycles (sim/run/spread_evenly.h).
const std::vector<IdealLimit>& ideal_limits();
constexpr const char* kTailLimit = "tail";

/// Keys of the GPU that lift the limits of these names.
std::vector<Override> lifted_keys(const std::vector<std::string>& limits);

}  // namespace stc::sim
