// SPDX-License-Identifier: Apache-2.0
// Models:   what a launch computes: every instruction of every warp, for its values alone.
// Evidence: models/isa; validation/timing/value_run_test.cpp compares with the machine's memory.
// Abstracts: all of time. CTAs run one after the other as far as they can; those that wait for others get company, up to
//           as many as the GPU holds, in turns. Clocks and timers count instructions. CTAs that know nothing of each
//           other (independent_ctas.h) are shared out among threads.
// Timing:   none.
#pragma once

#include <cstdint>

#include "models/gpu/gpu.h"

namespace stc::gpu {

/// Runs `launch` to its end; its `options` but values and watch, `poison`, `unset_symbols` and `probe` have no meaning.
/// CTAs that are independent run on up to `threads` threads, and the fault of the first of them that has one is thrown.
/// Returns the number of warp instructions. Throws LaunchError, isa::SimulatedFault, LaunchStopped, and Deadlock when
/// all warps wait for one another, or nothing was written for a very long time.
std::uint64_t run_for_values(const GpuParams& gpu, const Launch& launch, int threads = 1);

}  // namespace stc::gpu
