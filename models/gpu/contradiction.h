// SPDX-License-Identifier: Apache-2.0
// What is wrong with a GPU although each of its parameters is in range.
#pragma once

#include <optional>
#include <string>

#include "models/gpu/gpu_params.h"

namespace stc::gpu {

struct Contradiction {
  std::string path;    ///< of a parameter that takes part: "memory.hbm.refresh_cycles"
  std::string reason;  ///< a sentence about it: "is 5, but ..."
};

/// The first one; nothing when the machine can be built.
std::optional<Contradiction> find_contradiction(const GpuParams& gpu);

}  // namespace stc::gpu
