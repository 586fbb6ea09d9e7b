// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/divergence.h"

#include <fmt/format.h>

#include <algorithm>

namespace stc::isa {
namespace {

int count(LaneMask lanes) { return __builtin_popcount(lanes); }

Path path_at(std::uint32_t pc, LaneMask lanes) {
  Path path;
  path.pc = pc;
  path.lanes = lanes;
  return path;
}

/// What lanes that have exited since then were expected too makes no difference.
bool same_wait(const WarpState& warp, const Path& a, const Path& b) {
  return a.wait == b.wait && a.barrier == b.barrier && ((a.expected ^ b.expected) & warp.live) == 0 &&
         a.gathered == b.gathered;
}

bool at_warpsync(PathWait wait) {
  return wait == PathWait::kWarpsync || wait == PathWait::kExclusive || wait == PathWait::kCollective;
}

/// Lanes for which nobody waits at BSYNC: of paths that have given way or wait at WARPSYNC.
LaneMask aside_of(const WarpState& warp) {
  LaneMask aside = 0;
  for (const Path& path : warp.waiting) aside |= path.yielded || at_warpsync(path.wait) ? path.lanes : 0u;
  return aside;
}

/// Lanes that `path` still waits for. At BSYNC those count who came to the barrier when it had the same mask. Lanes
/// outside of the mask that they were left with wait until all others of the place go on.
LaneMask missing(const WarpState& warp, const Path& path) {
  const LaneMask expected = path.expected & warp.live;
  const bool converges = path.wait == PathWait::kBsync;
  if (converges && (expected & path.lanes) == 0) return expected;
  LaneMask there = converges ? path.lanes | aside_of(warp) : 0u;
  for (const Path& other : warp.waiting) there |= same_wait(warp, other, path) ? other.lanes : 0u;
  return expected & ~there;
}

bool can_run(const Execution& x, const Path& path) {
  switch (path.wait) {
    case PathWait::kNothing: return true;
    case PathWait::kSleep: return path.wake_ns <= x.context.global_timer_ns;
    case PathWait::kBsync: return missing(x.warp, path) == 0;
    case PathWait::kWarpsync:
    case PathWait::kExclusive:
    case PathWait::kCollective:
    case PathWait::kBar: break;  // who comes last opens them
  }
  return false;
}

/// Lets the paths of `lanes` that wait as `waits` does go on, those at one pc together; who came last goes first.
/// `again`: they execute the instruction at which they waited once more.
void release(WarpState& warp, const Path& waits, LaneMask lanes, bool again) {
  std::vector<Path> kept, freed;
  for (const Path& path : warp.waiting) {
    if (!same_wait(warp, path, waits) || (path.lanes & lanes) == 0) {
      kept.push_back(path);
      continue;
    }
    Path one = path_at(path.pc - (again ? kInstructionBytes : 0), path.lanes);
    one.again = again;
    const bool anywhere = waits.wait == PathWait::kCollective && !again;  // all run the code behind the last arrival's
    const auto together =
        std::find_if(freed.begin(), freed.end(), [&](const Path& p) { return anywhere || p.pc == one.pc; });
    if (together != freed.end()) {
      one.lanes |= together->lanes;
      freed.erase(together);
    }
    freed.push_back(one);
  }
  // All that meet at COLLECTIVE come to it again before one of them goes on: who came last is then the last again.
  if (waits.wait == PathWait::kCollective && again) std::reverse(freed.begin(), freed.end());
  warp.waiting = std::move(kept);
  warp.waiting.insert(warp.waiting.end(), freed.begin(), freed.end());
}

/// A path waits at a COLLECTIVE behind which nothing is done together: __syncwarp.
bool meets_only(const Execution& x, const Path& path) {
  const std::size_t place = path.pc / kInstructionBytes;
  const std::vector<Instruction>& code = x.context.kernel->code;
  return place < code.size() && code[place].opcode == Opcode::kNop;
}

/// Opens the WARPSYNC or BAR at which `path` waits.
void open(Execution& x, const Path path, bool comes_again = false) {
  const bool again =
      path.wait == PathWait::kWarpsync || (path.wait == PathWait::kCollective && !path.gathered && meets_only(x, path));
  release(x.warp, path, kAllLanes, again || comes_again);
  if (again) x.warp.released |= path.expected & x.warp.live;
  if (path.wait != PathWait::kBar) return;
  x.result.barrier = true;
  x.result.barrier_id = path.barrier;
  x.result.barrier_threads = path.barrier_threads;
  x.result.barrier_arrive_only = path.arrives_only;
}

/// Opens what nobody is missing at because the others have exited.
void open_complete(Execution& x) {
  for (std::size_t i = 0; i < x.warp.waiting.size(); ++i) {
    const Path& path = x.warp.waiting[i];
    if (path.wait < PathWait::kWarpsync || missing(x.warp, path) != 0) continue;
    open(x, path);
    return;
  }
}

[[noreturn]] void deadlock(const Execution& x) {
  std::string text = "deadlock inside the warp:";
  for (const Path& path : x.warp.waiting) {
    text += fmt::format(" lanes 0x{:08x} before 0x{:04x}: {} for lanes 0x{:08x};", path.lanes, path.pc, describe(path),
                        missing(x.warp, path));
  }
  throw_fault(x.instruction, x.warp, x.context, -1, text);
}

/// The last path of the row that can run, else the sleeper that wakes first; the end of the row: none.
std::vector<Path>::iterator next_path(Execution& x) {
  std::vector<Path>& row = x.warp.waiting;
  auto first_to_wake = row.end();
  for (auto path = row.end(); path != row.begin();) {
    --path;
    if (can_run(x, *path)) return path;
    const bool sleeps = path->wait == PathWait::kSleep;
    if (sleeps && (first_to_wake == row.end() || path->wake_ns < first_to_wake->wake_ns)) first_to_wake = path;
  }
  return first_to_wake;
}

/// Barrier of the BSYNC at which the running path stands, or none.
int barrier_ahead(const Execution& x) {
  const std::size_t place = x.warp.pc / kInstructionBytes;
  const std::vector<Instruction>& code = x.context.kernel->code;
  const bool meets = place < code.size() && code[place].opcode == Opcode::kBsync;
  return meets ? code[place].mod.barrier & 15 : -1;
}

/// `path` can run and stands at the instruction that comes next.
bool stands_ready(const WarpState& warp, const Path& path) {
  return path.wait == PathWait::kNothing && path.pc == warp.pc && !path.again;
}

/// The paths that `joins` names become part of the running one.
template <class Joins>
void join(WarpState& warp, Joins joins) {
  for (const Path& path : warp.waiting) warp.active |= joins(path) ? path.lanes : 0u;
  warp.waiting.erase(std::remove_if(warp.waiting.begin(), warp.waiting.end(), joins), warp.waiting.end());
}

/// A path that comes to its turn at a BSYNC for the first time takes those with it whom the barrier's mask does not
/// name: they will be left there with a mask that is not theirs.
void join_strangers(Execution& x) {
  WarpState& warp = x.warp;
  const int ahead = barrier_ahead(x);
  if (ahead < 0) return;
  const LaneMask mask = warp.convergence[static_cast<std::size_t>(ahead)] & warp.live;
  if ((warp.active & mask) == 0) return;
  join(warp, [&](const Path& path) { return stands_ready(warp, path) && (path.lanes & mask) == 0; });
}

/// A path that was left at a BSYNC before the last choice executes it with all others there. If nobody whom the
/// barrier's mask names is elsewhere, those who wait there go on too, of whatever frame of a recursive function.
void join_all(Execution& x) {
  WarpState& warp = x.warp;
  const int ahead = barrier_ahead(x);
  if (ahead < 0) return;
  const auto barrier = static_cast<std::size_t>(ahead);
  const auto waits = [&](const Path& path) {
    return path.wait == PathWait::kBsync && path.barrier == ahead && path.pc == warp.pc + kInstructionBytes &&
           (path.lanes & path.expected) != 0;
  };
  LaneMask there = warp.active | aside_of(warp);
  for (const Path& path : warp.waiting) there |= stands_ready(warp, path) || waits(path) ? path.lanes : 0u;
  const bool complete = (warp.convergence[barrier] & warp.live & ~there) == 0;
  // Who meets so does it at once, whatever BMOV has written.
  if (complete) warp.moved_barriers &= static_cast<std::uint16_t>(~(1u << barrier));
  join(warp, [&](const Path& path) { return stands_ready(warp, path) || (complete && waits(path)); });
}

/// A path has been chosen: who stands behind a branch has been there before the next choice.
void end_of_choice(Execution& x) {
  for (Path& path : x.warp.waiting) path.again = path.fresh = false;
  x.warp.diverged_branches = 0;
}

void run(Execution& x, std::vector<Path>::iterator next) {
  WarpState& warp = x.warp;
  const Path path = *next;
  warp.waiting.erase(next);
  warp.pc = path.pc;
  // Who waited at BSYNC and finds it open executes it again.
  if (path.wait == PathWait::kBsync) {
    warp.pc -= kInstructionBytes;
    warp.convergence[path.barrier] = path.expected;
  }
  if (path.wait == PathWait::kSleep) x.result.sleeps_until_ns = path.wake_ns;
  warp.active = path.lanes;
  warp.diverged_branches = 0;
  if (!path.again && path.wait != PathWait::kBsync) path.fresh ? join_strangers(x) : join_all(x);
  if (!path.again) end_of_choice(x);
  x.advance_pc = false;
  x.result.branched = x.result.converges = true;
}

/// When nobody can run: the last of those at BSYNC, who waits for nobody any more; the end of the row: none. Programs
/// may rely on it that a convergence barrier, which is there for speed alone, holds nobody up for ever.
std::vector<Path>::iterator who_waits_no_longer(WarpState& warp) {
  for (auto path = warp.waiting.end(); path != warp.waiting.begin();) {
    --path;
    if (path->wait != PathWait::kBsync) continue;
    path->expected = 0;
    return path;
  }
  return warp.waiting.end();
}

/// Lanes of those at the BSYNC of `last` who find all that they wait for there, too.
LaneMask complete_at(const WarpState& warp, const Path& last) {
  const auto here = [&](const Path& path) {
    return path.wait == PathWait::kBsync && path.barrier == last.barrier && path.pc == last.pc;
  };
  const LaneMask aside = aside_of(warp);
  LaneMask all = 0;
  for (const Path& path : warp.waiting) all |= here(path) ? path.lanes : 0u;
  if ((warp.convergence[last.barrier] & warp.live & ~all & ~aside) == 0) return all;
  for (LaneMask before = 0; before != all;) {
    before = all;
    for (const Path& path : warp.waiting) {
      if (here(path) && (path.expected & warp.live & ~all & ~aside) != 0) all &= ~path.lanes;
    }
  }
  return all;
}

/// Nobody can run: all that wait at one BSYNC execute it together, whatever they were left with, and go on.
bool meet_at_last(Execution& x) {
  WarpState& warp = x.warp;
  for (auto last = warp.waiting.rbegin(); last != warp.waiting.rend(); ++last) {
    if (last->wait != PathWait::kBsync) continue;
    const LaneMask all = complete_at(warp, *last);
    if (all == 0) continue;
    const Path place = *last;
    warp.pc = place.pc - kInstructionBytes;
    warp.convergence[place.barrier] = all;
    warp.moved_barriers &= static_cast<std::uint16_t>(~(1u << place.barrier));
    join(warp, [&](const Path& path) {
      return path.wait == PathWait::kBsync && path.pc == place.pc && (path.lanes & all) != 0;
    });
    end_of_choice(x);
    x.advance_pc = false;
    x.result.branched = x.result.converges = true;
    return true;
  }
  return false;
}

/// The running path has gone into the row or has exited: runs another.
void run_next(Execution& x) {
  WarpState& warp = x.warp;
  warp.active = 0;
  if (warp.live == 0) {
    x.advance_pc = false;
    x.result.branched = x.result.exited = true;
    return;
  }
  if (x.instruction.opcode == Opcode::kExit) open_complete(x);
  auto next = next_path(x);
  if (next == warp.waiting.end() && meet_at_last(x)) return;
  if (next == warp.waiting.end()) next = who_waits_no_longer(warp);
  if (next == warp.waiting.end()) deadlock(x);
  run(x, next);
}

/// The executing lanes leave the running path, which goes on without them if it has others.
void detach(Execution& x) {
  x.warp.active &= ~x.lanes;
  if (x.warp.active == 0) run_next(x);
}

}  // namespace

std::string describe(const Path& path) {
  switch (path.wait) {
    case PathWait::kNothing: return "waits for its turn";
    case PathWait::kSleep: return fmt::format("sleeps until {} ns", path.wake_ns);
    case PathWait::kBsync: return fmt::format("waits at BSYNC B{}", path.barrier);
    case PathWait::kWarpsync:
    case PathWait::kExclusive:
    case PathWait::kCollective: return "waits at WARPSYNC";
    case PathWait::kBar: break;
  }
  return fmt::format("waits at BAR {}", path.barrier);
}

void split_path(Execution& x, LaneMask lanes, std::uint32_t target) {
  WarpState& warp = x.warp;
  const std::uint32_t next = x.instruction.address + kInstructionBytes;
  const LaneMask rest = warp.active & ~lanes;
  const bool jumps = count(lanes) < count(rest);
  warp.waiting.push_back(jumps ? path_at(next, rest) : path_at(target, lanes));
  warp.waiting.back().fresh = true;
  warp.active = jumps ? lanes : rest;
  warp.pc = jumps ? target : next;
  x.advance_pc = false;
  x.result.branched = jumps;
  x.result.converges = true;
}

void send_ahead(Execution& x, LaneMask lanes, std::uint32_t target) {
  WarpState& warp = x.warp;
  warp.waiting.push_back(path_at(x.instruction.address, warp.active & ~lanes));
  warp.waiting.back().again = true;
  warp.active = lanes;
  x.result.converges = true;
  jump(x, target);
}

bool wait_for_lanes(Execution& x, PathWait wait, std::uint8_t barrier, LaneMask expected, bool comes_again) {
  WarpState& warp = x.warp;
  const bool let_in = (wait == PathWait::kWarpsync || wait == PathWait::kCollective) && (x.lanes & ~warp.released) == 0;
  const bool gathers = let_in && wait == PathWait::kCollective;
  warp.released &= ~x.lanes;
  if ((let_in && !gathers) || (x.lanes == warp.active && (expected & warp.live & ~warp.active) == 0)) return true;
  Path blocked = path_at(x.instruction.address + kInstructionBytes, x.lanes);
  blocked.wait = wait;
  blocked.barrier = barrier;
  blocked.expected = expected;
  blocked.barrier_threads = x.result.barrier_threads;
  blocked.arrives_only = x.result.barrier_arrive_only;
  blocked.gathered = gathers;
  warp.waiting.push_back(blocked);
  if (missing(warp, blocked) == 0) open(x, blocked, comes_again);
  detach(x);
  return false;
}

void enter_convergence_barrier(Execution& x, std::uint8_t barrier) {
  WarpState& warp = x.warp;
  LaneMask& mask = warp.convergence[barrier];
  const LaneMask before = mask;
  mask |= warp.active;
  warp.moved_barriers &= static_cast<std::uint16_t>(~(1u << barrier));
  if (before == 0) return;
  for (Path& path : warp.waiting) {
    const bool waits = path.wait == PathWait::kBsync && path.barrier == barrier && path.expected == before;
    if (waits) path.expected = mask;
  }
}

void wait_for_convergence(Execution& x, std::uint8_t barrier) {
  WarpState& warp = x.warp;
  const auto bit = static_cast<std::uint16_t>(1u << barrier);
  const bool moved = (warp.moved_barriers & bit) != 0;
  const LaneMask mask = warp.convergence[barrier] & warp.live;
  if ((mask & x.lanes) == 0) return;
  x.result.branched = x.result.converges = true;
  // After BMOV those who meet execute the instruction again, unless somebody is there whom the mask does not name.
  const bool comes_again = moved && x.lanes == warp.active && (x.lanes & ~mask) == 0;
  LaneMask aside = 0;
  for (const Path& other : warp.waiting) aside |= at_warpsync(other.wait) ? other.lanes : 0u;
  if (!comes_again && (mask & ~x.lanes & ~aside) == 0) {
    warp.convergence[barrier] = 0;
    return;
  }
  Path blocked = path_at(x.instruction.address + kInstructionBytes, x.lanes & ~mask);
  blocked.wait = PathWait::kBsync;
  blocked.barrier = barrier;
  blocked.expected = mask;
  if (blocked.lanes != 0) warp.waiting.push_back(blocked);
  blocked.lanes = x.lanes & mask;
  warp.waiting.push_back(blocked);
  if (missing(warp, blocked) == 0) {
    // Those who execute it again find it open, unless they do so together.
    const bool apart = std::any_of(warp.waiting.begin(), warp.waiting.end(), [&](const Path& path) {
      return same_wait(warp, path, blocked) && (path.lanes & mask) != 0 && path.pc != blocked.pc;
    });
    if (!moved || apart) warp.convergence[barrier] = 0;
    warp.moved_barriers &= static_cast<std::uint16_t>(~bit);
    release(warp, blocked, mask, moved);
  }
  detach(x);
}

void exit_lanes(Execution& x) {
  x.warp.live &= ~x.lanes;
  detach(x);
}

void give_way(Execution& x, std::uint64_t wake_ns) {
  WarpState& warp = x.warp;
  Path path = path_at(x.instruction.address + kInstructionBytes, warp.active);
  path.yielded = true;
  path.wake_ns = wake_ns;
  if (wake_ns != 0) path.wait = PathWait::kSleep;
  warp.waiting.insert(warp.waiting.begin(), path);
  run_next(x);
}

bool another_can_run(const WarpState& warp) {
  const auto runnable = [](const Path& path) { return path.wait == PathWait::kNothing; };
  return std::any_of(warp.waiting.begin(), warp.waiting.end(), runnable);
}

void stand_back(Execution& x) {
  WarpState& warp = x.warp;
  warp.waiting.insert(warp.waiting.begin(), path_at(x.instruction.address, warp.active));
  run_next(x);
}

void take_turns(Execution& x) {
  WarpState& warp = x.warp;
  warp.diverged_branches = 0;
  if (!another_can_run(warp)) return;
  warp.waiting.insert(warp.waiting.begin(), path_at(warp.pc, warp.active));
  run_next(x);
}

void leave_convergence_barrier(Execution& x, std::uint8_t barrier, LaneMask lanes) {
  WarpState& warp = x.warp;
  warp.convergence[barrier] &= ~lanes;
  for (Path& path : warp.waiting) {
    if (path.wait == PathWait::kBsync && path.barrier == barrier) path.expected &= ~lanes;
  }
  const auto opened = std::find_if(warp.waiting.begin(), warp.waiting.end(), [&](const Path& path) {
    return path.wait == PathWait::kBsync && path.barrier == barrier && missing(warp, path) == 0;
  });
  if (opened == warp.waiting.end() || count(opened->lanes) >= count(warp.active)) return;
  const Path waited = *opened;
  warp.waiting.erase(opened);
  warp.waiting.push_back(path_at(x.instruction.address + kInstructionBytes, warp.active));
  warp.waiting.push_back(waited);
  run(x, warp.waiting.end() - 1);
}

}  // namespace stc::isa
