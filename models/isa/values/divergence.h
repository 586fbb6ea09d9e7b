// SPDX-License-Identifier: Apache-2.0
// Paths of a diverged warp: splitting at branches, blocking and meeting at convergence barriers, giving way, exit.
// Models:   one running path; the others wait in a row, the last of which runs next.
//           - A branch: the side of fewer lanes runs first; of equal ones that which does not jump.
//           - A jump through registers sends one target's lanes at a time: those of the lowest lane, unless more than
//             the rest; then of the next. The rest executes the instruction again when its turn comes.
//           - A path runs until it blocks, exits or gives way; no load and no time takes its turn from it.
//           - BSYNC opens when all participants are there, have exited, or have given way; who opened it goes on first.
//             Participants left in turn at its pc execute it together; who is let in by another's BREAK, EXIT or YIELD
//             executes it again, as all do after BMOV has put the barrier back, and all at WARPSYNC.
//           - Lanes that wait at WARPSYNC or BAR do not keep others waiting at BSYNC when nobody else can run.
//           - BREAK that opens a barrier lets those who waited there run first if they are fewer.
//           - YIELD and NANOSLEEP give way: the path goes to the far end of the row.
//           - NANOSLEEP ends at an edge of a timer (end_of_sleep in execute_control.cpp).
// Evidence: h200/paths.csv: trails of 327 launches, lane by lane, and their instruction counts; h200/path_counts.csv.
// Abstracts: recursion whose lanes stand in different frames: hardware lets some of them meet at a BSYNC of another
//           frame (up to 12 % of the instructions). A loop that waits without YIELD: hardware lets it spin, here it
//           gives way after kPatience passes.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/values/execution.h"

namespace stc::isa {

/// Sends `lanes` of the running path to `target`, the rest to the next instruction.
void split_path(Execution& x, LaneMask lanes, std::uint32_t target);

/// Sends `lanes` to `target`; the rest of the running path will execute the instruction again.
void send_ahead(Execution& x, LaneMask lanes, std::uint32_t target);

/// Sends all lanes of the running path to `pc`.
inline void jump(Execution& x, std::uint32_t pc) {
  x.warp.pc = pc;
  x.advance_pc = false;
  x.result.branched = true;
}

/// The executing lanes wait at the next instruction for `expected` to arrive; others of the path go on.
/// Continues at once when everybody is there. Returns true when they met (or nothing had to be waited for).
bool wait_for_lanes(Execution& x, PathWait wait, std::uint8_t barrier, LaneMask expected);

/// The executing lanes wait at the next instruction for the participants of a convergence barrier.
void wait_for_convergence(Execution& x, std::uint8_t barrier);

/// Takes the executing lanes out of the warp.
void exit_lanes(Execution& x);

/// The running path gives way; with `wake_ns` it sleeps until then.
void give_way(Execution& x, std::uint64_t wake_ns = 0);

/// Lets the path that would run next have a turn if one can run.
void take_turns(Execution& x);

/// What a path of the row waits for, in words.
std::string describe(const Path& path);

/// Takes `lanes` out of the participants of convergence barrier `barrier`. If it opens, those who waited run first
/// where they are fewer.
void leave_convergence_barrier(Execution& x, std::uint8_t barrier, LaneMask lanes);

}  // namespace stc::isa
