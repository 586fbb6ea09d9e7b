// SPDX-License-Identifier: Apache-2.0
// Paths of a diverged warp: splitting at branches, blocking and meeting at convergence barriers, giving way, exit.
// Models:   one running path; the others wait in a row, the last of which runs next.
//           - A branch: the side of fewer lanes runs first; of equal ones that which does not jump.
//           - A jump through registers sends one target's lanes at a time: those of the lowest lane, unless more than
//             the rest; then of the next. The rest executes the instruction again when its turn comes.
//           - A path runs until it blocks, exits or gives way; no load and no time takes its turn from it.
//           - A warp has registers B0..B15, masks of lanes. BSYNC takes the mask as it is: who stands there with all
//           that it names goes on, others wait with this mask. It opens when all of the mask have come to it with the
//           same mask, have exited, have given way or wait at WARPSYNC; who opened it goes on first.
//           - A path whose turn comes at a BSYNC takes paths that stand there with it. At its first choice since the
//           branch those whom the mask does not name: if the barrier opens they are left waiting with a mask that is
//           not theirs. Later all, and if nobody of the mask is elsewhere those who wait there, too, of whatever frame
//           of a recursive function. Who is let in by another's BREAK, EXIT or YIELD executes it again, as all do after
//           BMOV has put the barrier back.
//           - When nobody can run, all that wait at the BSYNC of the last go on together if the masks allow it.
//           - Who waited at WARPSYNC executes it again when all are there, at COLLECTIVE only where nothing is done
//             together behind it.
//           - When nobody can run, the last who came to a BSYNC waits there no longer.
//           - BREAK that opens a barrier lets those who waited there run first if they are fewer.
//           - YIELD and NANOSLEEP give way: the path goes to the far end of the row. So does PHASECHK.TRYWAIT, whose
//             phase is not complete, and comes again.
//           - NANOSLEEP ends at an edge of a timer (end_of_sleep in execute_control.cpp).
//           - When nobody can run, the last path at a BSYNC goes on alone.
// Evidence: h200/paths.csv, h200/frames.csv and h200/walks.csv: trails of 475 launches, lane by lane, and their
//           instruction counts; h200/path_counts.csv; masks read with BMOV along such trails.
// Abstracts: some meetings in recursion whose lanes stand in more than five different frames (8 % of the instructions of
//           a sort). A loop that waits without YIELD: hardware lets it spin, here it gives way after kPatience
//           passes.
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
/// `comes_again`: those who meet execute the instruction again when it is their turn.
bool wait_for_lanes(Execution& x, PathWait wait, std::uint8_t barrier, LaneMask expected, bool comes_again = false);

/// The running path becomes part of a convergence barrier.
void enter_convergence_barrier(Execution& x, std::uint8_t barrier);

/// The executing lanes wait at the next instruction for the participants of a convergence barrier.
void wait_for_convergence(Execution& x, std::uint8_t barrier);

/// Takes the executing lanes out of the warp.
void exit_lanes(Execution& x);

/// The running path gives way; with `wake_ns` it sleeps until then.
void give_way(Execution& x, std::uint64_t wake_ns = 0);

/// The running path lets another have its turn and executes the instruction again when its own comes.
void stand_back(Execution& x);

/// Whether a path besides the running one is ready.
bool another_can_run(const WarpState& warp);

/// Lets the path that would run next have a turn if one can run.
void take_turns(Execution& x);

/// What a path of the row waits for, in words.
std::string describe(const Path& path);

/// Takes `lanes` out of the participants of convergence barrier `barrier`. If it opens, those who waited run first
/// where they are fewer.
void leave_convergence_barrier(Execution& x, std::uint8_t barrier, LaneMask lanes);

}  // namespace stc::isa
