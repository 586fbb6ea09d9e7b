// SPDX-License-Identifier: Apache-2.0
// Patterns that a user writes: "2:4", "4:8/2", "2:16j", "dense".
#pragma once

#include <string>

#include "models/sparsity/pattern.h"

namespace stc::sim {

/// Largest M that the models are built for.
constexpr int kLargestGroup = 32;

/// UserError that begins with `place` unless 1 <= N <= M <= 32.
sparsity::Pattern read_pattern(const std::string& text, const std::string& place);

}  // namespace stc::sim
