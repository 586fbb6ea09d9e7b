// SPDX-License-Identifier: Apache-2.0
#include "models/isa/divergence.h"

#include <fmt/format.h>

namespace stc::isa {
namespace {

Path running_path(const WarpState& warp) {
  Path path;
  path.pc = warp.pc;
  path.lanes = warp.active;
  path.convergence = warp.convergence;
  return path;
}

void run(WarpState& warp, std::size_t index) {
  const Path path = warp.waiting[index];
  warp.waiting.erase(warp.waiting.begin() + static_cast<std::ptrdiff_t>(index));
  warp.pc = path.pc;
  warp.active = path.lanes;
  warp.convergence = path.convergence;
  warp.diverged_branches = 0;
}

bool same_wait(const Path& a, const Path& b) {
  return a.wait == b.wait && a.barrier == b.barrier && a.expected == b.expected;
}

/// Opens what `path` waits for when every lane it expects is blocked in the same wait; joins the arrivals by pc.
bool try_release(WarpState& warp, std::size_t index) {
  const Path path = warp.waiting[index];
  LaneMask arrived = 0;
  for (const Path& other : warp.waiting) {
    if (same_wait(other, path)) arrived |= other.lanes;
  }
  if ((path.expected & warp.live & ~arrived) != 0) return false;
  std::vector<Path> joined;
  for (std::size_t i = 0; i < warp.waiting.size();) {
    if (!same_wait(warp.waiting[i], path)) {
      ++i;
      continue;
    }
    Path arrival = warp.waiting[i];
    warp.waiting.erase(warp.waiting.begin() + static_cast<std::ptrdiff_t>(i));
    bool merged = false;
    for (Path& j : joined) {
      if (path.wait == PathWait::kCollective) j.pc = arrival.pc;
      if (j.pc == arrival.pc) j.lanes |= arrival.lanes, merged = true;
    }
    if (merged) continue;
    arrival.wait = PathWait::kNothing;
    arrival.expected = 0;
    joined.push_back(arrival);
  }
  warp.waiting.insert(warp.waiting.end(), joined.begin(), joined.end());
  return true;
}

/// Called when the running path has gone (blocked or exited): releases what can be released and runs the latest path.
void choose_path(Execution& x) {
  WarpState& warp = x.warp;
  warp.active = 0;
  if (warp.live == 0) {
    x.result.exited = true;
    return;
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (std::size_t i = warp.waiting.size(); i-- > 0;) {
      if (warp.waiting[i].wait == PathWait::kNothing) {
        run(warp, i);
        return;
      }
    }
    bool released = false;
    for (std::size_t i = warp.waiting.size(); i-- > 0 && !released;) {
      const bool is_bar = warp.waiting[i].wait == PathWait::kBar;
      released = try_release(warp, i);
      if (released && is_bar) x.result.barrier = true;
    }
    if (!released) break;
  }
  std::string text = "deadlock inside the warp:";
  for (const Path& path : warp.waiting) {
    const char* what = path.wait == PathWait::kBsync ? "BSYNC B" : path.wait == PathWait::kBar ? "BAR " : "WARPSYNC ";
    text += fmt::format(" lanes 0x{:08x} wait before 0x{:04x} at {}{} for lanes 0x{:08x};", path.lanes, path.pc, what,
                        path.barrier, path.expected & warp.live & ~path.lanes);
  }
  throw_fault(x.instruction, warp, x.context, -1, text);
}

}  // namespace

void split_path(WarpState& warp, LaneMask lanes, std::uint32_t pc, std::uint32_t rest_pc) {
  Path other = running_path(warp);
  other.pc = pc;
  other.lanes = lanes;
  warp.waiting.push_back(other);
  warp.active &= ~lanes;
  warp.pc = rest_pc;
}

bool wait_for_lanes(Execution& x, PathWait wait, std::uint8_t barrier, LaneMask expected) {
  WarpState& warp = x.warp;
  if (x.lanes == warp.active && (expected & warp.live & ~warp.active) == 0) return true;
  const std::uint32_t next = x.instruction.address + kInstructionBytes;
  const LaneMask rest = warp.active & ~x.lanes;
  Path blocked = running_path(warp);
  blocked.pc = next;
  blocked.lanes = x.lanes;
  blocked.wait = wait;
  blocked.barrier = barrier;
  blocked.expected = expected;
  warp.waiting.push_back(blocked);
  x.advance_pc = false;
  x.result.branched = true;
  if (rest != 0) {
    warp.active = rest;
    warp.pc = next;
    return false;
  }
  choose_path(x);
  return false;
}

void exit_lanes(Execution& x) {
  WarpState& warp = x.warp;
  warp.live &= ~x.lanes;
  warp.active &= ~x.lanes;
  if (warp.active != 0) return;
  x.advance_pc = false;
  x.result.branched = true;
  choose_path(x);
}

void yield_path(WarpState& warp) {
  for (std::size_t i = 0; i < warp.waiting.size(); ++i) {
    if (warp.waiting[i].wait != PathWait::kNothing) continue;
    const Path self = running_path(warp);
    run(warp, i);
    warp.waiting.push_back(self);
    return;
  }
  warp.diverged_branches = 0;
}

void leave_convergence_barrier(WarpState& warp, std::uint8_t barrier, LaneMask lanes) {
  const auto leave = [&](LaneMask& participants) {
    if ((participants & lanes) != 0) participants &= ~lanes;
  };
  leave(warp.convergence[barrier]);
  for (Path& path : warp.waiting) {
    leave(path.convergence[barrier]);
    if (path.wait == PathWait::kBsync && path.barrier == barrier) leave(path.expected);
  }
}

}  // namespace stc::isa
