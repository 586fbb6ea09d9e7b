// SPDX-License-Identifier: Apache-2.0
// What keeps a launch from being sampled that its code alone says.
#pragma once

#include "models/gpu/gpu.h"
#include "models/sm/launch_context.h"

namespace stc::gpu {

/// Throws SamplingRefused, with the name of the feature that lets CTAs or warps depend on each other.
void require_no_exchange(const Launch& launch, const sm::LaunchContext& context);

}  // namespace stc::gpu
