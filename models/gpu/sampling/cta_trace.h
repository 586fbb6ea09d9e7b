// SPDX-License-Identifier: Apache-2.0
// When the first warp of a simulated CTA went round the loop, and where it left out passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stc::gpu {

/// A part of the loop that CTAs leave out.
struct Jump {
  std::uint32_t at = 0;           ///< pass
  std::uint64_t periods = 0;      ///< left out
  std::uint32_t passes = 0;       ///< the same
  std::uint32_t pace_before = 0;  ///< passes before and behind it whose pace stands for it
  std::uint32_t pace_behind = 0;
};

struct CtaTrace {
  std::uint64_t cta = 0;
  int sm = 0;
  std::vector<std::uint64_t> times;  ///< cycles of its passes, by pass, from 1; 0: it has not made it
  std::uint32_t passes = 0;          ///< so far, with those left out
  std::size_t jumps = 0;             ///< taken
  std::size_t told = 0;              ///< of those, L2 has seen the lines of what was left out

  /// Cycles that passes `from` to `to` took, each, with none left out between.
  double pace(std::uint32_t from, std::uint32_t to) const {
    return static_cast<double>(times[to] - times[from]) / (to - from);
  }
  /// Cycles that each of the passes left out at a jump would have taken, by the pace before and by that behind.
  double before(const Jump& jump) const { return pace(jump.at - jump.pace_before, jump.at); }
  double behind(const Jump& jump) const {
    const std::uint32_t from = jump.at + jump.passes + 1, to = from + jump.pace_behind;
    return times[to] != 0 ? pace(from, to) : before(jump);
  }
  double left_out(const Jump& jump) const { return jump.passes * (before(jump) + behind(jump)) / 2; }
  /// Of all of `its` jumps that it has made a pass behind.
  double left_out(const std::vector<Jump>& its) const {
    double cycles = 0;
    for (std::size_t i = 0; i < jumps && passes > its[i].at; ++i) cycles += left_out(its[i]);
    return cycles;
  }
};

}  // namespace stc::gpu
