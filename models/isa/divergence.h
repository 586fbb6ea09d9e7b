// SPDX-License-Identifier: Apache-2.0
// Paths of a diverged warp: splitting at branches, blocking and meeting at convergence barriers, exit.
// Models: one running path; the others wait in a list, the most recently left one runs next.
// Evidence: facts of BSSY/BSYNC/BREAK/WARPSYNC from the compiled code; which path hardware prefers is not published.
// Abstracts: hardware's order of paths. A spinning path gives way after kPatience backward branches, so that lanes
// that wait for each other make progress.
#pragma once

#include <cstdint>

#include "models/isa/execution.h"

namespace stc::isa {

/// Moves `lanes` (a part of the running path) to `pc` as a path of their own; the rest goes on at `rest_pc`.
void split_path(WarpState& warp, LaneMask lanes, std::uint32_t pc, std::uint32_t rest_pc);

/// Sends all lanes of the running path to `pc`.
inline void jump(Execution& x, std::uint32_t pc) {
  x.warp.pc = pc;
  x.advance_pc = false;
  x.result.branched = true;
}

/// The executing lanes wait at the next instruction for `expected` to arrive; others of the path go on.
/// Continues at once when everybody is there. Returns true when they met (or nothing had to be waited for).
bool wait_for_lanes(Execution& x, PathWait wait, std::uint8_t barrier, LaneMask expected);

/// Takes the executing lanes out of the warp.
void exit_lanes(Execution& x);

/// Puts the running path back and runs another runnable one, if there is one.
void yield_path(WarpState& warp);

/// Takes `lanes` out of the participants of convergence barrier `barrier`.
void leave_convergence_barrier(WarpState& warp, std::uint8_t barrier, LaneMask lanes);

}  // namespace stc::isa
