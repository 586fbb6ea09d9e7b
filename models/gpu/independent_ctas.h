// SPDX-License-Identifier: Apache-2.0
// Whether the CTAs of a kernel can tell that others run.
#pragma once

#include "models/isa/state/kernel.h"

namespace stc::gpu {

/// True when nothing in the kernel's code lets a CTA wait for another one or learn in which order they run: no atomics
/// on global memory, no fences, no loads and stores that others are to see at once (volatile), no clocks, places,
/// sleeping threads or calls of the driver. What such CTAs compute depends on their order only where they race.
bool ctas_are_independent(const isa::Kernel& kernel);

}  // namespace stc::gpu
